"""What a session can reach and use: tried from inside, as a student's code would."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from pathlib import Path

import pytest

from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Returned, Session, SessionLost
from tests.support.isolations import LIMITS, PATIENT

from .conftest import Run

DENIED = ("PermissionError", "OSError", "FileNotFoundError", "BlockingIOError", "AttributeError")


@pytest.mark.parametrize(
    "start",
    [
        "import os; return os.fork()",
        "import os; return os.posix_spawn('/bin/true', ['true'], {})",
        "import os; os.execv('/bin/true', ['true'])",
        "import subprocess; return subprocess.run(['/bin/true']).returncode",
        "import os; return os.system('true') == 0 or 1 / 0",
        "import multiprocessing as m; p = m.get_context('fork').Process(target=print); p.start()",
        "import pty; return pty.fork()",
    ],
)
def test_no_new_process(value_of: Run, start: str):
    assert value_of(start) in (*DENIED, "ZeroDivisionError")


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"])
@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW"])
def test_no_network(value_of: Run, family: str, kind: str):
    assert value_of(f"import socket\nsocket.socket(socket.{family}, socket.{kind})") in DENIED


def test_a_socket_of_this_machine_is_not_reached(value_of: Run):
    """Neither a name of its own (abstract) nor one in the file system leads to a server outside."""
    name = f"\0autograder-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        server.settimeout(0)
        said = value_of(f"import socket\nsocket.socket(socket.AF_UNIX).connect({name!r})")
        assert said in ("ConnectionRefusedError", "PermissionError")
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    "place",
    [
        "/",
        "/usr",
        "/usr/bin",
        "/etc",
        "/bin",
        "/lib",
        "/dev",
        "/proc",
        "/grader",
        "/grader/sandbox",
        "/root",
        "/var/tmp",
        "/run",
    ],
)
def test_nothing_is_writable_but_its_own_folders(value_of: Run, place: str):
    assert value_of(f"open('{place}/planted', 'w')") in DENIED


def test_neither_interpreter_nor_packages_can_be_changed(value_of: Run):
    body = """
import os, sys, numpy
opened = []
for module in (os, numpy):
    for mode in ('r+b', 'ab', 'wb'):
        try:
            opened.append(open(module.__file__, mode))
        except OSError:
            continue
for change in (os.chmod, os.utime):
    try:
        change(numpy.__file__, *([0o777] if change is os.chmod else []))
    except OSError:
        continue
    opened.append(change)
return len(opened)
"""
    assert value_of(body) == 0


def test_proc_shows_nothing(value_of: Run):
    body = """
import os
found = []
for name in ('self/environ', 'self/maps', 'self/cmdline', 'self/mem', 'self/status',
             '1/environ', '1/cmdline', '2/mem', 'sys/kernel/hostname',
             'kallsyms', 'self/root/etc/passwd', 'self/cwd', 'sysrq-trigger', 'self/task/1/mem', 'net/tcp'):
    try:
        open('/proc/' + name, 'rb').read(1)
        found.append(name)
    except OSError:
        continue
return found
"""
    assert value_of(body) == []


def test_no_capability_is_left(value_of: Run):
    body = """
import ctypes
header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
assert ctypes.CDLL(None).capget(ctypes.byref(header), ctypes.byref(data)) == 0
return list(data), ctypes.CDLL(None).prctl(39, 0, 0, 0, 0)
"""
    capabilities, no_new_privileges = value_of(body)
    assert capabilities == [0] * 6
    assert no_new_privileges == 1


def test_the_environment_is_the_sandboxes_own(value_of: Run):
    names = value_of("import os\nreturn sorted(os.environ)")
    own = {
        "HOME",
        "TMPDIR",
        "LD_LIBRARY_PATH",
        "IPYTHONDIR",
        "LANG",
        "PATH",
        "PWD",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHASHSEED",
    }
    assert {name for name in names if not name.startswith("MPL") and not name.endswith("_NUM_THREADS")} <= own


def test_threads_work(value_of: Run):
    body = """
import threading
done = []
threads = [threading.Thread(target=done.append, args=(i,)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
return sorted(done)
"""
    assert value_of(body) == list(range(8))


CLONE = """
import ctypes
libc = ctypes.CDLL(None)
stack = ctypes.addressof(ctypes.create_string_buffer(65536)) + 65536 - 64
while libc.clone(libc.pause, ctypes.c_void_p(stack), 0x10f00, None) > 0: pass
while True: pass
"""


def test_a_flood_of_threads_is_stopped(sandbox: Sandbox, session: Session):
    with closing(sandbox.session()) as neighbour:
        with pytest.raises(SessionLost, match="too many threads"):
            session.run("cell", CLONE, PATIENT)
        session.close()
        assert neighbour.run("cell", "1", PATIENT).ok


@pytest.mark.parametrize("grab", ["bytearray(2**31)", "import numpy; numpy.ones(2**28)", "[0] * 2**28"])
def test_memory_is_limited(value_of: Run, grab: str):
    assert value_of(grab) == "MemoryError"


def test_memory_cannot_be_had_by_raising_the_limit(value_of: Run):
    body = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))"
    assert value_of(body) in ("ValueError", "PermissionError")


def test_a_file_is_limited(value_of: Run):
    body = """
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open('big', 'wb', buffering=0) as file:
    try:
        while True:
            if file.write(bytes(65536)) == 0: break
    except OSError:
        pass
return os.path.getsize('big')
"""
    assert value_of(body) == LIMITS.file


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_all_files_together_are_limited(value_of: Run, place: str):
    body = f"""
import os
total = 0
for number in range(100):
    try:
        with open('{place}/' + str(number), 'wb', buffering=0) as file:
            total += file.write(bytes({LIMITS.file // 2}))
    except OSError:
        break
return total
"""
    assert value_of(body) <= LIMITS.tmp


def test_the_number_of_files_is_limited(value_of: Run):
    body = f"""
import time
for number in range({LIMITS.inodes * 4}):
    open(str(number), 'w').close()
end = time.monotonic() + 5
while time.monotonic() < end: pass
"""
    try:
        assert value_of(body) == "OSError"
    except SessionLost as lost:  # counted from outside
        assert "files" in lost.reason


def test_the_number_of_descriptors_is_limited(value_of: Run):
    body = """
import os
held = []
try:
    while True: held.append(os.dup(0))
except OSError:
    pass
for descriptor in held: os.close(descriptor)
return len(held)
"""
    assert value_of(body) < LIMITS.open_files


def test_nobody_else_can_be_killed(sandbox: Sandbox, session: Session, value_of: Run):
    body = f"""
import os, signal
for pid in (0, -os.getpgid(0), -1, 2, 3, 4, 5, {os.getpid()}, {os.getppid()}):
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
        if pid not in (0, -os.getpgid(0)) or number == signal.SIGTERM:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                os.kill(pid, number)
            except OSError:
                continue
return 'alive'
"""
    with closing(sandbox.session()) as neighbour:
        neighbour.run("cell", "x = 1", PATIENT)
        assert value_of(body) == "alive"
        assert neighbour.fetch("x", PATIENT) == Returned(1)
    with closing(sandbox.session()) as later:
        assert later.run("cell", "1", PATIENT).ok


def test_standard_streams_lead_nowhere(value_of: Run, capfd: pytest.CaptureFixture[str]):
    assert value_of("import os\nfor fd in range(3): os.write(fd, b'leak')\nreturn os.read(0, 10)") == b""
    assert capfd.readouterr() == ("", "")


def test_a_terminal_is_not_to_be_had(value_of: Run):
    assert value_of("open('/dev/tty', 'w').write('leak')") in DENIED


def test_sessions_do_not_see_each_others_files(sandbox: Sandbox, session: Session):
    plant = """
import os
for place in ('/tmp', '/dev/shm', '.', '..'):
    try: open(os.path.join(place, 'planted'), 'w').write('x')
    except OSError: continue
planted = os.path.exists('planted')
"""
    assert session.run("cell", plant, PATIENT).ok
    assert session.fetch("planted", PATIENT) == Returned(True)
    look = """
import os
found = []
for top in ('/tmp', '/dev/shm', '.', '..'):
    for folder, _, names in os.walk(top):
        found += [os.path.join(folder, name) for name in names]
def f(): return found
"""
    with closing(sandbox.session()) as other:
        assert other.run("cell", look, PATIENT).ok
        assert other.call("f", (), {}, PATIENT) == Returned([])


def test_nothing_of_the_course_can_be_read(value_of: Run):
    root = Path(__file__).resolve().parents[2]
    body = f"""
import os
read = []
for top in ('', 'source', 'release', 'tests', 'examples', 'autograder', '.git', 'course', 'autograder/engine'):
    place = os.path.join({str(root)!r}, top)
    try:
        read.append(os.listdir(place))
    except OSError:
        pass
for name in ('source/multi_head_attention/multi_head_attention.ipynb', 'pyproject.toml',
             'tests/sandbox/test_confine.py',
             'autograder/engine/walk.py', 'autograder/worker.py', '.git/config', 'nbgrader_config.py', 'gradebook.db'):
    try:
        read.append(open(os.path.join({str(root)!r}, name)).read(10))
    except OSError:
        pass
return read
"""
    # a folder that exists only to hold a mount has the names of what is mounted in it, and no others
    assert value_of(body) == []


def test_own_files_come_last_on_the_module_path(session: Session):
    planted = b"raise RuntimeError('planted')"
    names = ("json.py", "numpy.py", "sitecustomize.py", "usercustomize.py", "conftest.py", "base64.py", "x.pth")
    session.put_files(dict.fromkeys(names, planted) | {"mine.py": b"x = 7", "data/a.txt": b"text"}, PATIENT)
    ran = session.run("cell", "import json, base64, fractions, numpy, mine\nopen('data/a.txt').read()", PATIENT)
    assert ran.ok
    assert session.run("cell", "x = mine.x", PATIENT).ok
    assert session.fetch("x", PATIENT) == Returned(7)


def test_cpu_time_is_limited(session: Session):
    assert session.run("cell", "import resource\nlimit = resource.getrlimit(resource.RLIMIT_CPU)[1]", PATIENT).ok
    assert session.fetch("limit", PATIENT) == Returned(int(2 * LIMITS.submission_seconds) + 1)


def test_output_after_the_cell_is_nobodys(session: Session):
    """A thread that outlives its cell writes into the next one at most, and dies with the session."""
    cell = "import threading, sys\ndef shout():\n    while True: sys.stdout.write('x' * 1000)\n"
    assert session.run("cell", f"{cell}threading.Thread(target=shout, daemon=True).start()", PATIENT).ok
    session.close()
    with pytest.raises((SessionLost, OSError)):
        session.run("cell", "1", PATIENT)
