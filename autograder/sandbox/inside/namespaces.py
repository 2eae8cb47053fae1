"""Forks a process straight into namespaces of its own.

A fork, an unshare and a second fork, since the first process of a PID namespace is the next child, would copy the
interpreter's page tables twice. Python's own ``os.fork`` takes no flags, so this does what it does around clone(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import signal

_NEW_USER, _NEW_PID, _NEW_MOUNT, _NEW_NET, _NEW_IPC, _NEW_UTS = (
    0x10000000,
    0x20000000,
    0x00020000,
    0x40000000,
    0x08000000,
    0x04000000,
)
_CHILD_SETTID, _CHILD_CLEARTID = 0x01000000, 0x00200000
_PR_GET_TID_ADDRESS = 40
_CLONE = {"x86_64": 56, "aarch64": 220}

_python = ctypes.PyDLL(None, use_errno=True)  # unlike CDLL it keeps the interpreter's lock, as a fork must
_python.syscall.restype = ctypes.c_long


def fork_into_namespaces() -> int:
    """Fork like ``os.fork``, into new namespaces of every kind; the child is the first process of its PID namespace.

    Raises:
        OSError: the kernel refused.
    """
    if platform.machine() not in _CLONE:
        raise OSError(errno.ENOSYS, f"no number of clone(2) for {platform.machine()}")
    flags = _NEW_USER | _NEW_PID | _NEW_MOUNT | _NEW_NET | _NEW_IPC | _NEW_UTS | signal.SIGCHLD
    thread = ctypes.c_void_p()  # where the C library remembers its thread's number, which is another in the child
    if _python.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(thread), 0, 0, 0) == 0:
        flags |= _CHILD_SETTID | _CHILD_CLEARTID
    no_stack, no_parent_tid, no_tls = None, None, None
    last = (thread, no_tls) if platform.machine() == "x86_64" else (no_tls, thread)
    call = (ctypes.c_long(_CLONE[platform.machine()]), ctypes.c_ulong(flags), no_stack, no_parent_tid, *last)
    _python.PyOS_BeforeFork()
    pid = int(_python.syscall(*call))
    if pid == 0:
        _python.PyOS_AfterFork_Child()
        return 0
    error = ctypes.get_errno()
    _python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, f"clone: {os.strerror(error)}")
    return pid
