"""A process of its own that keeps sandlock's supervisor: starts the zygote confined and waits for its end.

Run as a script, so that it imports nothing of the grader's.
"""

import ctypes
import json
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Read the policy and the command from the one argument; the channel is descriptor 0."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    request = json.loads(sys.argv[1])
    os.environ.clear()
    os.environ["HOME"] = request["policy"]["cwd"]  # sandlock looks for profiles there
    import sandlock

    sandbox = sandlock.Sandbox(**request["policy"])
    process = sandbox.popen(
        request["command"],
        stdin=sandlock.StdioMode.INHERIT,
        stdout=sandlock.StdioMode.NULL,
        stderr=sandlock.StdioMode.INHERIT,
    )
    process.wait()


if __name__ == "__main__":
    main()
