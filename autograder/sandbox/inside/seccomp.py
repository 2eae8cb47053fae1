"""A seccomp filter that takes system calls away for good.

Threads stay possible, new processes do not: ``RLIMIT_NPROC`` does not bind root, a filter binds everybody. The
other calls are doors that a NumPy submission never needs: namespaces, mounts, other processes' memory and limits,
memory that no limit counts, sockets.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from functools import lru_cache

_X86_64, _AARCH64 = 0xC000003E, 0xC00000B7
_AUDIT_ARCH = {"x86_64": _X86_64, "aarch64": _AARCH64}

_CLONE = {_X86_64: 56, _AARCH64: 220}
_PRLIMIT = {_X86_64: 302, _AARCH64: 261}
_PRCTL = {_X86_64: 157, _AARCH64: 167}
_SOCKETPAIR = {_X86_64: 53, _AARCH64: 199}
_FCNTL = {_X86_64: 72, _AARCH64: 25}
_PREADV2 = {_X86_64: 327, _AARCH64: 286}
_FUTEX = {_X86_64: 202, _AARCH64: 98}
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
        41,  # socket: a pair of them stays possible
        *(141, 142, 144, 203, 314, 251),  # setpriority, sched_set{param,scheduler,affinity,attr}, ioprio_set
        *(256, 279, 312),  # migrate_pages, move_pages, kcmp
        *(73, 253, 294, 254, 300, 301),  # flock, inotify_init, inotify_init1, inotify_add_watch, fanotify_{init,mark}
        *(27, 221, 187, 99),  # mincore, fadvise64, readahead, sysinfo
        *(162, 306, 241),  # sync, syncfs, mq_unlink
        *(49, 42, 50, 43, 288),  # bind, connect, listen, accept, accept4
        *(46, 307, 206),  # sendmsg, sendmmsg, io_setup: descriptors on their way and the like are counted together
    ),
    _AARCH64: (
        *(221, 281),  # execve, execveat; fork and vfork do not exist
        *(97, 268, 40, 39, 41, 51),
        *(117, 270, 271),
        *(217, 218, 219, 280, 241, 282),
        *(104, 105, 273),
        *(279, 194, 196, 186, 190, 180),
        *(264, 265, 92),
        198,
        *(140, 118, 119, 122, 274, 30),
        *(238, 239, 272),
        *(32, 26, 27, 262, 263),
        *(232, 223, 213, 179),
        *(81, 267, 181),
        *(200, 203, 201, 202, 242),
        *(211, 269, 0),
    ),
}
# Where the file system is the machine's and the user the grader's: nothing that changes a file's marks, since
# Landlock watches over contents alone
_DENIED_SHARED = {
    _X86_64: (
        *(90, 91, 268, 92, 93, 94, 260),  # chmod, fchmod, fchmodat, chown, fchown, lchown, fchownat
        *(132, 235, 261, 280),  # utime, utimes, futimesat, utimensat
        *(188, 189, 190, 197, 198, 199),  # setxattr, removexattr and their kin
        *(137, 138, 136),  # statfs, fstatfs, ustat: how full the disk is, which each session's files change
    ),
    _AARCH64: (
        *(52, 53, 55, 54),
        88,
        *(5, 6, 7, 14, 15, 16),
        *(43, 44),
    ),
}
_DENIED_SHARED_EVERYWHERE = (452, 463, 466, 469)  # fchmodat2, setxattrat, removexattrat, file_setattr
# The same number everywhere: io_uring_setup/enter/register, open_tree, move_mount, fsopen, fsconfig, fsmount,
# fspick, pidfd_getfd, mount_setattr, memfd_secret; pidfd_send_signal, pidfd_open, process_madvise, process_mrelease,
# quotactl_fd, open_tree_attr, cachestat; futex_waitv, futex_wake, futex_wait, futex_requeue
_DENIED_EVERYWHERE = (
    *(425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447),
    *(424, 434, 440, 448, 443, 467, 451),
    *(449, 454, 455, 456),
)

_CLONE_THREAD = 0x00010000
_AF_UNIX = 1
_DATAGRAMS = 2
"""The bit of a socket's type that tells datagrams, which can be sent to any address, from streams."""
# F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW; F_SETLEASE, F_GETLEASE, F_NOTIFY; F_SETPIPE_SZ:
# the pages of all pipes of a user are counted together
_MARKS_ON_FILES = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026, 1031)
_FUTEX_PRIVATE, _FUTEX_OPERATION = 128, 0x7F
_FUTEX_WAIT, _FUTEX_WAIT_BITSET = 0, 9
_PR_SET_PDEATHSIG = 1

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_BITS, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENT_0, _ARGUMENT_1 = 0, 4, 16, 24  # offsets in struct seccomp_data
_X32_BIT = 0x40000000

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return _instruction(_RETURN, _ERROR | error)


@lru_cache(maxsize=2)
def program(machine: str, *, shared: bool) -> bytes:
    """The filter as classic BPF, for a machine as ``platform.machine()`` names it. Kept, to be made before the forks.

    Args:
        machine: the kind of processor.
        shared: whether file system and user are shared with the grader.

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
    denied = [*_DENIED[arch], *_DENIED_EVERYWHERE]
    if shared:
        denied += [*_DENIED_SHARED[arch], *_DENIED_SHARED_EVERYWHERE]
        # a session ends with the zygote: it may not take that back
        lines += _look_at_argument(_PRCTL[arch], _instruction(_JUMP_EQUAL, _PR_SET_PDEATHSIG, 0, 1), allows=False)
    for number in denied:
        lines += [_instruction(_JUMP_EQUAL, number, 0, 1), _refuse(errno.EPERM)]
    # glibc falls back to clone where clone3 is missing, and clone's flags can be looked at
    lines += [_instruction(_JUMP_EQUAL, _CLONE3, 0, 1), _refuse(errno.ENOSYS)]
    lines += _look_at_argument(_CLONE[arch], _instruction(_JUMP_BITS, _CLONE_THREAD, 0, 1), allows=True)
    # glibc falls back to preadv where preadv2 is missing, and preadv cannot ask what is in memory
    lines += [_instruction(_JUMP_EQUAL, _PREADV2[arch], 0, 1), _refuse(errno.ENOSYS)]
    lines += _pairs_of_streams(_SOCKETPAIR[arch]) + _no_marks_on_files(_FCNTL[arch])
    lines += _nobody_elses_futex(_FUTEX[arch])
    # limits of this process alone: with another's id it would reach whoever has the same user
    lines += _look_at_argument(_PRLIMIT[arch], _instruction(_JUMP_EQUAL, 0, 0, 1), allows=True)
    return b"".join([*lines, _instruction(_RETURN, _ALLOW)])


def _look_at_argument(number: int, test: bytes, *, allows: bool) -> list[bytes]:
    """Decide one system call by its first argument; ``test`` goes on where it holds and skips one where not."""
    yes, no = _instruction(_RETURN, _ALLOW), _refuse(errno.EPERM)
    decision = [yes, no] if allows else [no, yes]
    return [_instruction(_JUMP_EQUAL, number, 0, 4), _instruction(_LOAD, _ARGUMENT_0), test, *decision]


def _pairs_of_streams(number: int) -> list[bytes]:
    """Allow socketpair(2) for two ends that cannot be turned to anybody else."""
    decision = [
        _instruction(_LOAD, _ARGUMENT_0),
        _instruction(_JUMP_EQUAL, _AF_UNIX, 1, 0),
        _refuse(errno.EPERM),
        _instruction(_LOAD, _ARGUMENT_1),
        _instruction(_JUMP_BITS, _DATAGRAMS, 0, 1),
        _refuse(errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]
    return [_instruction(_JUMP_EQUAL, number, 0, len(decision)), *decision]


def _no_marks_on_files(number: int) -> list[bytes]:
    """Allow fcntl(2) but for what another process, with the same file open, could notice."""
    decision = [_instruction(_LOAD, _ARGUMENT_1)]
    for command in _MARKS_ON_FILES:
        decision += [_instruction(_JUMP_EQUAL, command, 0, 1), _refuse(errno.EPERM)]
    decision.append(_instruction(_RETURN, _ALLOW))
    return [_instruction(_JUMP_EQUAL, number, 0, len(decision)), *decision]


def _nobody_elses_futex(number: int) -> list[bytes]:
    """Allow futex(2) on this process's own memory; on what may be another's, too, waiting alone.

    Every process has the libraries' pages in its memory, and waking tells how many are waiting. The C library waits
    for the end of a thread in this way, and it is the kernel that wakes it.
    """
    decision = [
        _instruction(_LOAD, _ARGUMENT_1),
        _instruction(_JUMP_BITS, _FUTEX_PRIVATE, 4, 0),
        _instruction(_AND, _FUTEX_OPERATION),
        _instruction(_JUMP_EQUAL, _FUTEX_WAIT, 2, 0),
        _instruction(_JUMP_EQUAL, _FUTEX_WAIT_BITSET, 1, 0),
        _refuse(errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]
    return [_instruction(_JUMP_EQUAL, number, 0, len(decision)), *decision]


def install(*, shared: bool) -> None:
    """Put the filter on this process and on all its threads to come. Needs no-new-privileges to be set.

    Args:
        shared: whether file system and user are shared with the grader.

    Raises:
        OSError: the kernel refused.
    """
    code = program(platform.machine(), shared=shared)
    wanted = _Program(len(code) // 8, code)
    if _libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(wanted), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refused the seccomp filter")
