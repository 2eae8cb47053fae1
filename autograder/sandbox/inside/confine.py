"""How a session shuts itself in after its fork, before any of the student's code runs.

The zygote already lives in a sandbox without network or files of the course. On top of that each session gets its
own namespaces, an empty /proc, a private and small /tmp, no capabilities, limits on its one process, and a seccomp
filter last.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from dataclasses import dataclass
from pathlib import Path

from ..limits import Limits
from . import seccomp

_READ_ONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CAPABILITY_VERSION_3 = 0x20080522
STUDENT_UID = 1000
WORK = Path("/tmp/work")
SIGNALS = 64
"""Timers and pending signals: all those of a user are counted together, too."""

_libc = ctypes.CDLL(None, use_errno=True)
_OF_THIS_PROCESS = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
_NO_CAPABILITIES = (ctypes.c_uint32 * 6)()


@dataclass(frozen=True, slots=True)
class Walls:
    """How sessions are shut in."""

    kind: str
    """``namespaces``, ``landlock`` or ``none``."""
    limits: Limits
    readable: tuple[str, ...]
    """What a session may read where it shares the file system with the machine."""


def _check(result: int, doing: str) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{doing}: {os.strerror(error)}")


def prctl(option: int, value: int) -> None:
    """Call prctl(2) with one argument; raises OSError where the kernel refuses."""
    _check(_libc.prctl(option, value, 0, 0, 0), f"prctl {option}")


def hide_memory() -> None:
    """Let no other process of this user read this one's memory (also of processes forked from it)."""
    prctl(_PR_SET_DUMPABLE, 0)


def map_user(user: int, group: int) -> None:
    """In a new user namespace: be a plain user there, whatever user and group one was outside."""
    prctl(_PR_SET_DUMPABLE, 1)  # else the maps below belong to root
    for name, content in (
        ("setgroups", "deny"),
        ("uid_map", f"{STUDENT_UID} {user} 1"),
        ("gid_map", f"{STUDENT_UID} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "wb", 0) as file:  # noqa: PTH123 - a session's start is worth every microsecond
            file.write(content.encode())


def mount_private(limits: Limits) -> None:
    """Mount what this session alone may write, /tmp and /dev/shm, and take /proc and the terminals away.

    /proc is covered, not mounted afresh: a kernel refuses the latter where parts of the outer one are masked, as in
    most containers, and where the grader runs as root a fresh one would let a student write /proc/sys.
    The terminals are the zygote's, and would be shared with a session that is not yet quite dead.
    """
    for place in ("/proc", "/dev/pts"):
        _mount(place, _NOSUID | _NODEV | _NOEXEC | _READ_ONLY, "size=4096,nr_inodes=2,mode=0500")
    for place in ("/tmp", "/dev/shm"):
        _mount(place, _NOSUID | _NODEV, f"size={limits.tmp},nr_inodes={limits.inodes},mode=0700")


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    _check(_libc.capset(ctypes.byref(_OF_THIS_PROCESS), ctypes.byref(_NO_CAPABILITIES)), "capset")
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def limit_resources(limits: Limits) -> None:
    """Set the limits that the kernel counts for one process."""
    cpu = int(2 * limits.submission_seconds) + 1
    for what, value in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, SIGNALS),
    ):
        resource.setrlimit(what, (value, value))


def confine_files(readable: tuple[str, ...], folder: str) -> None:
    """Let this process and all it starts reach no file but these, and signal nobody outside, for good (Landlock)."""
    import sandlock

    sandlock.confine(sandlock.Sandbox(fs_readable=readable, fs_writable=[folder, "/dev/null"]))


def shut_in(walls: Walls, folder: str) -> None:
    """Everything that a forked session does to itself before it takes its first request.

    Args:
        walls: what to shut it in with.
        folder: its own, to work in; "" where a private /tmp will be that.
    """
    if walls.kind == "namespaces":
        mount_private(walls.limits)
        WORK.mkdir()
        os.chdir(WORK)
    else:
        os.chdir(folder)
        os.environ |= dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR"), folder)
    if walls.kind == "none":
        return
    if walls.kind == "landlock":
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        confine_files(walls.readable, folder)
    drop_capabilities()
    limit_resources(walls.limits)
    seccomp.install(shared=walls.kind == "landlock")


def quiet_standard_input() -> None:
    """Point descriptor 0, which brought the control channel, at nothing."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)


def close_all_but(*kept: int) -> None:
    """Close every descriptor but the standard ones and those named; so the control channel, and other sessions' own."""
    low = 3
    for descriptor in sorted(kept):
        os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def quiet_standard_streams() -> None:
    """Point descriptors 0, 1 and 2 at nothing: what C code writes there must not reach the grader's terminal."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _mount(place: str, flags: int, options: str) -> None:
    _check(_libc.mount(b"tmpfs", place.encode(), b"tmpfs", flags, options.encode()), f"mount {place}")
