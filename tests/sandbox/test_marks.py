"""Sessions share files that they may read, a kernel and its memory: none finds what another one left there."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from pathlib import Path

import pytest

from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Returned, Session
from tests.support.isolations import PATIENT

from .conftest import Run

SYSCALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall({arguments})
return result, ctypes.get_errno()
"""


X86_64 = (
    [
        ("flock", "73, 0, 6"),
        ("fcntl F_SETLK", "72, 0, 6, bytes(32)"),
        ("fcntl F_GETLK", "72, 0, 5, bytes(32)"),
        ("fcntl F_OFD_GETLK", "72, 0, 36, bytes(32)"),
        ("fcntl F_SETLEASE", "72, 0, 1024, 0"),
        ("fcntl F_NOTIFY", "72, 0, 1026, 1"),
        ("inotify_init1", "294, 0"),
        ("fanotify_init", "300, 0x200, 0"),
        ("mincore", "27, 0, 0, 0"),
        ("cachestat", "451, 0, bytes(16), bytes(40), 0"),
        ("fadvise64", "221, 0, 0, 0, 4"),
        ("preadv2", "327, 0, 0, 0, 0, 0, 8"),
        ("sysinfo", "99, bytes(128)"),
        ("syncfs", "306, 0"),
        ("mq_unlink", "241, b'x'"),
        ("bind", "49, 0, 0, 0"),
        ("connect", "42, 0, 0, 0"),
    ]
    if os.uname().machine == "x86_64"  # whose numbers these are
    else []
)


@pytest.mark.parametrize(("name", "arguments"), X86_64)
def test_no_marks_on_what_is_shared(value_of: Run, name: str, arguments: str):
    result, error = value_of(SYSCALL.format(arguments=arguments))
    assert result == -1, name
    assert error in (1, 38), name  # EPERM, ENOSYS


def test_a_pair_of_sockets_is_a_pair_of_streams(value_of: Run, tmp_path: Path):
    """A datagram socket could be turned from its twin to any name; this machine's log listens at one."""
    name = str(tmp_path / "log")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(name)
        server.settimeout(0)
        body = "import socket\na, b = socket.socketpair(socket.AF_UNIX, socket.{kind})\n{then}"
        assert value_of(body.format(kind="SOCK_DGRAM", then=f"a.sendto(b'x', {name!r})")) == "PermissionError"
        assert value_of(body.format(kind="SOCK_RAW", then=f"a.sendto(b'x', {name!r})")) == "PermissionError"
        assert value_of(body.format(kind="SOCK_STREAM", then="a.sendall(b'x')\nreturn b.recv(1)")) == b"x"
        with pytest.raises(BlockingIOError):
            server.recv(1)


def test_descriptors_can_be_asked_all_else(value_of: Run):
    body = """
import fcntl, os
reads, writes = os.pipe()
fcntl.fcntl(reads, fcntl.F_SETFL, os.O_NONBLOCK)
os.preadv(os.open(os.__file__, os.O_RDONLY), [bytearray(4)], 0)
return fcntl.fcntl(reads, fcntl.F_GETFL) & os.O_NONBLOCK != 0, fcntl.fcntl(writes, fcntl.F_DUPFD, 20) >= 20
"""
    assert value_of(body) == (True, True)


def test_nothing_of_a_session_is_left_when_the_next_one_comes(sandbox: Sandbox, session: Session):
    """Where sessions share a file system, one that knows a file's name could ask whether it is there."""
    assert session.run("cell", "for n in range(200): open(f'mark-{n}', 'w').write(n * 'x')\n", PATIENT).ok
    session.run("cell", "import os\nplace = os.getcwd()", PATIENT)
    match session.fetch("place", PATIENT):
        case Returned(str(place)):
            session.close()
    look = f"import os\nfound = [n for n in range(200) if os.path.exists(f'{place}/mark-{{n}}')]"
    with closing(sandbox.session()) as other:
        assert other.run("cell", look, PATIENT).ok
        assert other.fetch("found", PATIENT) == Returned([])


def test_no_terminal_can_be_made_that_another_one_could_open(value_of: Run):
    assert value_of("import os\nos.openpty()") in ("FileNotFoundError", "PermissionError", "OSError")
    assert value_of("import os\nos.open('/dev/ptmx', os.O_RDWR)") in ("FileNotFoundError", "PermissionError")
