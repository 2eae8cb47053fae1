"""System calls made from inside a session, past Python: those that are denied, and those that threads need."""

from __future__ import annotations

import os

import pytest

from autograder.sandbox.session import SessionLost

from .conftest import Run

SYSCALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall({arguments})
return result, ctypes.get_errno()
"""


if os.uname().machine == "x86_64":  # whose numbers these are

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("fork", "57"),
            ("vfork", "58"),
            ("clone of a process", "56, 17, 0, 0, 0, 0"),
            ("clone into namespaces", "56, 0x10000000 | 17, 0, 0, 0, 0"),
            ("clone3", "435, 0, 0"),
            ("unshare", "272, 0x10000000"),
            ("setns", "308, 0, 0"),
            ("mount", "165, 0, 0, 0, 0, 0"),
            ("umount2", "166, b'/proc', 2"),
            ("pivot_root", "155, 0, 0"),
            ("chroot", "161, b'/tmp'"),
            ("ptrace", "101, 16, 1, 0, 0"),
            ("process_vm_readv", "310, 1, 0, 0, 0, 0, 0"),
            ("memfd_create", "319, b'x', 0"),
            ("memfd_secret", "447, 0"),
            ("shmget", "29, 0, 1 << 20, 0o1600"),
            ("msgget", "68, 0, 0o1600"),
            ("semget", "64, 0, 1, 0o1600"),
            ("mq_open", "240, b'x', 66, 0o600, 0"),
            ("io_uring_setup", "425, 8, 0"),
            ("userfaultfd", "323, 0"),
            ("bpf", "321, 0, 0, 0"),
            ("perf_event_open", "298, 0, 0, -1, -1, 0"),
            ("keyctl", "250, 0, -3, 0"),
            ("add_key", "248, b'user', b'x', b'y', 1, -3"),
            ("pidfd_getfd", "438, 0, 0, 0"),
            ("open_tree", "428, -1, 0, 0"),
            ("fsopen", "430, b'tmpfs', 0"),
            ("sendmsg", "46, 0, 0, 0"),
            ("sendmmsg", "307, 0, 0, 0, 0"),
            ("io_setup", "206, 1, 0"),
            ("a pipe's size", "72, 0, 1031, 4096"),
            ("waking on shared memory", "202, ctypes.byref(ctypes.c_int(5)), 1, 1, 0, 0, 0"),
            (
                "moving waiters on shared memory",
                "202, ctypes.byref(ctypes.c_int(5)), 3, 1, 1, ctypes.byref(ctypes.c_int(5)), 0",
            ),
            ("futex_waitv", "449, 0, 0, 0, 0, 0"),
            ("futex_wake", "454, ctypes.byref(ctypes.c_int(5)), 1, 1, 2"),
        ],
    )
    def test_system_calls_that_are_denied(value_of: Run, name: str, arguments: str):
        result, error = value_of(SYSCALL.format(arguments=arguments))
        assert result == -1, name
        assert error in (1, 38), name  # EPERM, ENOSYS

    @pytest.mark.parametrize(
        ("name", "arguments", "expected"),
        [
            ("waking on memory of one's own", "202, ctypes.byref(ctypes.c_int(5)), 129, 1, 0, 0, 0", (0, 0)),
            (
                "waiting for the kernel to wake",
                "202, ctypes.byref(ctypes.c_int(5)), 0, -1, 0, 0, 0",
                (-1, 11),
            ),  # EAGAIN: another value
            ("the same with a bit set", "202, ctypes.byref(ctypes.c_int(5)), 265, -1, 0, 0, -1", (-1, 11)),
        ],
    )
    def test_what_threads_need_stays_possible(value_of: Run, name: str, arguments: str, expected: tuple[int, int]):
        assert value_of(SYSCALL.format(arguments=arguments)) == expected, name

    def test_the_other_table_of_system_calls_is_shut_too(value_of: Run):
        """Calls of the x32 kind are refused, or end the session."""
        try:
            assert value_of(SYSCALL.format(arguments="0x40000000 + 57"))[0] == -1
        except SessionLost as lost:
            assert "ended" in lost.reason


def test_few_signals_can_be_pending(value_of: Run):
    """All those of a user are counted together: one session must not use them up for another."""
    assert value_of("import resource\nreturn resource.getrlimit(resource.RLIMIT_SIGPENDING)") == (64, 64)
