"""Who is given what: every job once, the next one announced, and what a dead worker leaves to another."""

from __future__ import annotations

import pickle
from collections import deque
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from autograder import batch
from autograder.batch import WORKERS_DIE, Crew, Hand, _spread
from autograder.errors import GraderFailure
from autograder.job import Graded, Job, Terms


class Told(Executor):
    """Stands in for a worker: notes what it is given, and is done with it at once, or dies of it for good."""

    def __init__(self, deadly: dict[str, int] | None = None, failing: str = "") -> None:
        self.given: list[tuple[str, str | None]] = []
        self.deadly = {} if deadly is None else deadly
        self.failing = failing
        self.dead = False

    def submit(self, work: Any, /, *arguments: Any, **_: Any) -> Future[bytes]:
        _, _, _, student, _, following = arguments
        if self.dead:
            raise BrokenProcessPool
        self.given.append((student, following and following[0]))
        future: Future[bytes] = Future()
        if self.deadly.get(student):
            self.deadly[student] -= 1
            self.dead = True
            future.set_exception(BrokenProcessPool())
        elif student == self.failing:
            future.set_exception(OSError("no room"))
        else:
            future.set_result(pickle.dumps(Graded(student, None, None)))
        return future


class Line:
    """Stands in for a crew, and keeps count of who was replaced."""

    def __init__(self, abreast: tuple[int, ...], deadly: dict[str, int] | None = None, failing: str = "") -> None:
        self.deadly, self.failing = deadly, failing
        self.all: list[Told] = []
        self.hands = [Hand(self.new(), tuple(range(number))) for number in abreast]

    def new(self) -> Told:
        self.all.append(Told(self.deadly, self.failing))
        return self.all[-1]

    def replace(self, hand: Hand) -> None:
        hand.executor = self.new()


def jobs(count: int) -> deque[Job]:
    return deque(Job(f"s{number}", None, Path(f"s{number}")) for number in range(count))  # type: ignore[arg-type]


def spread(line: Line, count: int) -> dict[str, Graded]:
    terms = Terms(b"", None, "none")  # type: ignore[arg-type]
    found = list(_spread(line, jobs(count), terms))  # type: ignore[arg-type]
    assert sorted(graded.student for graded in found) == sorted(f"s{number}" for number in range(count))
    return {graded.student: graded for graded in found}


@pytest.mark.parametrize("abreast", [(1,), (2,), (2, 1), (2, 2, 2)])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 20])
def test_every_job_is_given_once_and_announced_to_whom_it_is_given(abreast: tuple[int, ...], count: int):
    line = Line(abreast)
    spread(line, count)
    for hand in line.hands:
        assert isinstance(hand.executor, Told)
        given = [student for student, _ in hand.executor.given]
        announced = [following for _, following in hand.executor.given]
        for student, following in zip(announced, given[1:], strict=False):
            assert student is None or student == following
        assert len(hand.cpus) > 1 or not any(announced)
    if abreast == (2,) and count:
        assert [following for _, following in line.all[0].given] == [f"s{n}" for n in range(1, count)] + [None]


@pytest.mark.parametrize("abreast", [(1,), (2,), (2, 1)])
@pytest.mark.parametrize("deaths", [1, 2])
def test_a_worker_that_dies_costs_no_submission(abreast: tuple[int, ...], deaths: int):
    found = spread(Line(abreast, {"s3": deaths, "s0": 1}), 8)
    assert all(graded.outcome is None for graded in found.values())


@pytest.mark.parametrize("abreast", [(1,), (2,), (2, 1)])
def test_only_the_submission_that_kills_its_worker_every_time_stays_open(abreast: tuple[int, ...]):
    found = spread(Line(abreast, {"s3": 99}), 8)
    assert {student for student, graded in found.items() if graded.outcome is not None} == {"s3"}
    assert found["s3"].outcome is not None
    assert found["s3"].outcome.broken == WORKERS_DIE


def test_what_fails_otherwise_fails_for_its_own_submission_alone():
    found = spread(Line((2, 1), failing="s2"), 8)
    assert [graded.outcome.broken for graded in found.values() if graded.outcome] == ["OSError: no room"]


@pytest.mark.parametrize(
    ("numbers", "workers", "cpus"),
    [
        ([0], 1, [(0,)]),
        ([0, 1], 1, [(0, 1)]),
        ([2, 5], 2, [(2,), (5,)]),
        ([0, 1, 2], 2, [(0, 1), (2,)]),
        ([0, 1, 2, 3], 2, [(0, 1), (2, 3)]),
        ([0, 1, 2, 3], 1, [(0, 1)]),
        ([0], 3, [(0,), (0,), (0,)]),
    ],
)
def test_two_submissions_at_once_where_there_are_processors_for_both(
    monkeypatch: pytest.MonkeyPatch, numbers: list[int], workers: int, cpus: list[tuple[int, ...]]
):
    monkeypatch.setattr(batch, "processors", lambda: numbers)
    with Crew(workers) as crew:
        assert [hand.cpus for hand in crew.hands] == cpus


def test_where_processes_do_not_fork_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("multiprocessing.get_all_start_methods", lambda: ["spawn"])
    with pytest.raises(GraderFailure, match="needs a system on which processes fork"), Crew(1):
        pass
