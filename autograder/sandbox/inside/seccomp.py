"""A seccomp filter that takes system calls away for good.

Threads stay possible, new processes do not: ``RLIMIT_NPROC`` does not bind root, a filter binds everybody. The
other calls are doors that a NumPy submission never needs: namespaces, mounts, other processes' memory, memory that
no limit counts, sockets beyond this machine's own files.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

_X86_64, _AARCH64 = 0xC000003E, 0xC00000B7
_AUDIT_ARCH = {"x86_64": _X86_64, "aarch64": _AARCH64}

_CLONE = {_X86_64: 56, _AARCH64: 220}
_SOCKET = {_X86_64: 41, _AARCH64: 198}
_SOCKETPAIR = {_X86_64: 53, _AARCH64: 199}
_CLONE3 = 435

_DENIED = {
    _X86_64: (
        *(57, 58, 59, 322),  # new processes: fork, vfork, execve, execveat
        *(272, 308, 165, 166, 155, 161),  # unshare, setns, mount, umount2, pivot_root, chroot
        *(101, 310, 311),  # ptrace, process_vm_readv, process_vm_writev
        *(248, 249, 250, 321, 298, 323),  # add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd
        *(246, 175, 313),  # kexec_load, init_module, finit_module
        *(319, 29, 30, 68, 64, 240),  # memfd_create, shmget, shmat, msgget, semget, mq_open
        *(303, 304, 135),  # name_to_handle_at, open_by_handle_at, personality
    ),
    _AARCH64: (
        *(221, 281),  # execve, execveat; fork and vfork do not exist
        *(97, 268, 40, 39, 41, 51),
        *(117, 270, 271),
        *(217, 218, 219, 280, 241, 282),
        *(104, 105, 273),
        *(279, 194, 196, 186, 190, 180),
        *(264, 265, 92),
    ),
}
# The same number everywhere: io_uring_setup/enter/register, open_tree, move_mount, fsopen, fsconfig, fsmount,
# fspick, pidfd_getfd, mount_setattr, memfd_secret
_DENIED_EVERYWHERE = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447)

_CLONE_THREAD = 0x00010000
_AF_UNIX = 1

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENT_0 = 0, 4, 16  # offsets in struct seccomp_data
_X32_BIT = 0x40000000

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return _instruction(_RETURN, _ERROR | error)


def program(machine: str) -> bytes:
    """The filter as classic BPF, for a machine as ``platform.machine()`` names it.

    Raises:
        OSError: no table of system calls for this machine.
    """
    if machine not in _AUDIT_ARCH:
        raise OSError(errno.ENOSYS, f"no seccomp table for {machine}")
    arch = _AUDIT_ARCH[machine]
    lines = [
        _instruction(_LOAD, _ARCH),
        _instruction(_JUMP_EQUAL, arch, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER),
    ]
    if arch == _X86_64:
        lines += [_instruction(_JUMP_AT_LEAST, _X32_BIT, 0, 1), _refuse(errno.ENOSYS)]
    for number in (*_DENIED[arch], *_DENIED_EVERYWHERE):
        lines += [_instruction(_JUMP_EQUAL, number, 0, 1), _refuse(errno.EPERM)]
    # glibc falls back to clone where clone3 is missing, and clone's flags can be looked at
    lines += [_instruction(_JUMP_EQUAL, _CLONE3, 0, 1), _refuse(errno.ENOSYS)]
    lines += [
        _instruction(_JUMP_EQUAL, _CLONE[arch], 0, 4),
        _instruction(_LOAD, _ARGUMENT_0),
        _instruction(_JUMP_BITS, _CLONE_THREAD, 1, 0),
        _refuse(errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]
    lines += [
        _instruction(_JUMP_EQUAL, _SOCKET[arch], 1, 0),
        _instruction(_JUMP_EQUAL, _SOCKETPAIR[arch], 0, 4),
        _instruction(_LOAD, _ARGUMENT_0),
        _instruction(_JUMP_EQUAL, _AF_UNIX, 1, 0),
        _refuse(errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]
    return b"".join([*lines, _instruction(_RETURN, _ALLOW)])


def install() -> None:
    """Put the filter on this process and on all its threads to come. Needs no-new-privileges to be set.

    Raises:
        OSError: the kernel refused.
    """
    code = program(platform.machine())
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = _Program(len(code) // 8, code)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(wanted), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refused the seccomp filter")
