"""Work done in a fork: what goes wrong in it, hangs or eats memory, ends with it."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_PR_SET_PDEATHSIG = 1

ENDED = "the grader's own process ended before it was done"
HUNG = "the grader's own process did not end within {seconds:g} s"
FAILED = "the grader's own process failed: {error}"


class ForkFailed(Exception):
    """The fork gave no result: the grader's fault."""


class ForkEnded(ForkFailed):
    """Something killed the fork from outside: trying again may help."""


def die_with_parent() -> None:
    """Have the kernel kill this process when the one that made it is gone (Linux; elsewhere nothing happens)."""
    if hasattr(libc := ctypes.CDLL(None), "prctl"):
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def in_fork(work: Callable[[], T], seconds: float) -> T:
    """Run ``work`` in a fork of this process and return what it returns.

    The result comes back pickled: both ends are the grader's own, and no byte of a student's is ever unpickled.

    Raises:
        ForkFailed: it raised or was not done within ``seconds``.
        ForkEnded: it was killed.
    """
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reads)
        _work_and_exit(work, writes)
    os.close(writes)
    try:
        data = _read(reads, seconds)
    finally:
        os.close(reads)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    if not data:
        raise ForkEnded(ENDED)
    ok, result = pickle.loads(data)
    if not ok:
        raise ForkFailed(FAILED.format(error=result))
    return result


def _work_and_exit(work: Callable[[], object], writes: int) -> None:
    die_with_parent()
    gc.disable()  # it lives for one submission, and collecting would copy every page that it shares with its parent
    try:
        message = pickle.dumps((True, work()))
    except BaseException as error:  # noqa: BLE001 - told to the parent, which reports it
        message = pickle.dumps((False, f"{type(error).__name__}: {error}"))
    try:
        with os.fdopen(writes, "wb") as pipe:
            pipe.write(len(message).to_bytes(8, "little") + message)
    finally:
        os._exit(0)


def _read(reads: int, seconds: float) -> bytes:
    """All of the one message, or nothing where the writer ended before its end."""
    deadline = time.monotonic() + seconds
    data = bytearray()
    while len(data) < 8 or len(data) < 8 + int.from_bytes(data[:8], "little"):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reads], [], [], left)[0]:
            raise ForkFailed(HUNG.format(seconds=seconds))
        part = os.read(reads, 1 << 20)
        if not part:
            return b""
        data += part
    return bytes(data[8:])
