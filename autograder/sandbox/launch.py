"""A process of its own that keeps sandlock's supervisor: starts the zygote confined, and clears up when it ends.

Run as a script, so that it imports nothing of the grader's but what lies beside it.
"""

import ctypes
import json
import os
import signal
import sys
import threading
from pathlib import Path

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Read the policy and the command from the one argument; the channel is descriptor 0.

    Goes on until the zygote ends or whoever started this is gone, even by a kill that left them no time to clear up.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    request = json.loads(sys.argv[1])
    folder = request["policy"]["cwd"]
    os.environ.clear()
    os.environ["HOME"] = folder  # sandlock looks for profiles there
    import sandlock

    sandbox = sandlock.Sandbox(**request["policy"])
    process = sandbox.popen(
        request["command"],
        stdin=sandlock.StdioMode.INHERIT,
        stdout=sandlock.StdioMode.NULL,
        stderr=sandlock.StdioMode.INHERIT,
    )
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    threading.Thread(target=_wait, args=(process,), daemon=True).start()
    signal.sigwait({signal.SIGTERM})
    process.kill()
    sys.path.append(str(Path(__file__).parent))
    from clear import remove

    remove(Path(folder))
    os._exit(0)


def _wait(process: "sandlock.Process") -> None:  # noqa: F821 - a type for the reader; the import is in main
    process.wait()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
