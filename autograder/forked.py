"""Work done in a fork: what goes wrong in it, hangs or eats memory, ends with it."""

from __future__ import annotations

import ctypes
import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable

from autograder.sandbox.processor import keep_to

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
SPEAKING_SECONDS = 5.0
DONE, BROKE = b"+", b"-"
LENGTH_BYTES = 8
"""Bytes that tell how long a message is."""

ENDED = "the grader's own process ended before it was done"
HUNG = "the grader's own process did not end within {seconds:g} s"
NO_ROOM = "the grader could not fork: {error}"
FAILED = "the grader's own process failed: {error}"


class ForkFailed(Exception):
    """The fork gave no result: the grader's fault."""


class ForkEnded(ForkFailed):
    """Something killed the fork from outside: trying again may help."""


def die_with_parent() -> None:
    """Have the kernel kill this process when the one that made it is gone (Linux; elsewhere nothing happens)."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Fork:
    """Work under way in a fork of this process."""

    def __init__(self, work: Callable[[], bytes], seconds: float, cpu: int | None = None) -> None:
        """Begin.

        Args:
            work: what to do.
            seconds: how long it may take.
            cpu: the processor that it keeps to; any where it is left out.

        Raises:
            ForkEnded: the machine has no room for another process now.
        """
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        try:
            self._reads, writes = os.pipe()
        except OSError as error:
            raise ForkEnded(NO_ROOM.format(error=error)) from error
        try:
            self._pid = os.fork()
        except OSError as error:
            os.close(self._reads)
            os.close(writes)
            raise ForkEnded(NO_ROOM.format(error=error)) from error
        if self._pid == 0:
            os.close(self._reads)
            _work_and_exit(work, writes, cpu)
        os.close(writes)

    def result(self) -> bytes:
        """Wait for what ``work`` returned. To be called once.

        Raises:
            ForkFailed: it raised or was not done in time.
            ForkEnded: it was killed.
        """
        try:
            data = self._read()
        finally:
            os.kill(self._pid, signal.SIGKILL)
        if not data:
            raise ForkEnded(ENDED)
        if data[:1] != DONE:
            raise ForkFailed(FAILED.format(error=data[1:].decode("utf-8", "replace")))
        return data[1:]

    def _read(self) -> bytes:
        """All of the one message, or nothing where the writer ended before its end."""
        data = bytearray()
        while len(data) < LENGTH_BYTES or len(data) < LENGTH_BYTES + int.from_bytes(data[:LENGTH_BYTES], "little"):
            # once it speaks it is done, however late it is looked at
            left = max(self._deadline - time.monotonic(), SPEAKING_SECONDS if data else 0)
            if not select.select([self._reads], [], [], left)[0]:
                raise ForkFailed(HUNG.format(seconds=self._seconds))
            part = os.read(self._reads, 1 << 20)
            if not part:
                return b""
            data += part
        return bytes(data[LENGTH_BYTES:])

    def bury(self) -> None:
        """Kill it and wait until nothing of it is left. To be called once, and not at once after the result: the kernel
        takes milliseconds, in which others can work."""
        os.close(self._reads)
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _work_and_exit(work: Callable[[], bytes], writes: int, cpu: int | None) -> None:
    die_with_parent()
    keep_to(cpu)
    gc.disable()  # it lives for one submission, and collecting would copy every page that it shares with its parent
    try:
        message = DONE + work()
    except BaseException as error:  # noqa: BLE001 - told to the parent, which reports it
        message = BROKE + f"{type(error).__name__}: {error}".encode("utf-8", "replace")
    try:
        with os.fdopen(writes, "wb") as pipe:
            pipe.write(len(message).to_bytes(LENGTH_BYTES, "little") + message)
    finally:
        os._exit(0)
