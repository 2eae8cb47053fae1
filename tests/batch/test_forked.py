"""Work in a fork: its result, its failure, its death, its time."""

from __future__ import annotations

import os
import select
import signal
from pathlib import Path

import pytest

from autograder.forked import Fork, ForkEnded, ForkFailed

PATIENT = 30.0


def result_of(work, seconds: float = PATIENT) -> bytes:
    fork = Fork(work, seconds)
    try:
        return fork.result()
    finally:
        fork.bury()


@pytest.mark.parametrize("size", [0, 1, 10, 10_000_000])
def test_what_it_returns_comes_back_whole(size: int):
    assert result_of(lambda: b"x" * size) == b"x" * size


def test_what_it_raises_is_told():
    def work() -> bytes:
        raise ValueError("no \udcff way")

    with pytest.raises(ForkFailed, match=r"ValueError: no .* way"):
        result_of(work)


def test_its_death_is_no_failure_of_its_own():
    with pytest.raises(ForkEnded):
        result_of(lambda: os.kill(os.getpid(), signal.SIGKILL))


def test_it_ends_when_its_time_is_up():
    fork = Fork(signal.pause, 0.1)
    with pytest.raises(ForkFailed, match=r"did not end within 0\.1 s"):
        fork.result()
    fork.bury()


def test_two_go_on_side_by_side_and_a_late_look_finds_the_result():
    """The second one is looked at when its time is long over, but it was done in it."""
    reads, writes = os.pipe()
    first = Fork(lambda: os.read(reads, 1), PATIENT)
    second = Fork(lambda: b"y" * 1_000_000, 0.0)
    os.write(writes, b"x")
    assert first.result() == b"x"
    first.bury()
    assert select.select([second._reads], [], [], PATIENT)[0]
    assert second.result() == b"y" * 1_000_000
    second.bury()
    os.close(reads)
    os.close(writes)


def test_where_the_machine_has_no_room_for_a_fork_nothing_is_left_open(monkeypatch: pytest.MonkeyPatch):
    def no_room() -> int:
        raise BlockingIOError("no room")

    before = len(list(Path("/proc/self/fd").iterdir()))
    monkeypatch.setattr(os, "fork", no_room)
    with pytest.raises(ForkEnded, match="no room"):
        Fork(lambda: b"", PATIENT)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
