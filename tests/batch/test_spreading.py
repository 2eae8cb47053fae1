"""Who is given what: every job once, the next one announced, and what a dead worker leaves to another."""

from __future__ import annotations

import pickle
from collections import deque
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from autograder import batch
from autograder.batch import Crew, Hand, _spread
from autograder.job import Graded, Job, Terms


class Told(Executor):
    """Stands in for a worker: notes what it is given, and is done with it at once."""

    def __init__(self) -> None:
        self.given: list[tuple[str, str | None]] = []

    def submit(self, work: Any, /, *arguments: Any, **_: Any) -> Future[bytes]:
        _, _, _, student, _, following = arguments
        self.given.append((student, following and following[0]))
        future: Future[bytes] = Future()
        future.set_result(pickle.dumps(Graded(student, None, None)))
        return future


def jobs(count: int) -> deque[Job]:
    return deque(Job(f"s{number}", None, Path(f"s{number}")) for number in range(count))  # type: ignore[arg-type]


@pytest.mark.parametrize("abreast", [(1,), (2,), (2, 1), (2, 2, 2)])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 20])
def test_every_job_is_given_once_and_announced_to_whom_it_is_given(abreast: tuple[int, ...], count: int):
    hands = [Hand(Told(), number) for number in abreast]
    terms = Terms(b"", None, "none")  # type: ignore[arg-type]
    found = sorted(graded.student for graded in _spread(hands, jobs(count), terms))
    assert found == sorted(f"s{number}" for number in range(count))
    for hand in hands:
        assert isinstance(hand.executor, Told)
        given = [student for student, _ in hand.executor.given]
        announced = [following for _, following in hand.executor.given if following]
        assert announced == (given[1:] if hand.abreast > 1 and given else [])[: len(announced)]
        assert hand.abreast == 1 or len(announced) == max(len(given) - 1, 0) or count < 2 * len(hands)


@pytest.mark.parametrize(
    ("cores", "workers", "abreast"),
    [(1, 1, [1]), (2, 1, [2]), (2, 2, [1, 1]), (3, 2, [2, 1]), (8, 4, [2] * 4), (8, 1, [2])],
)
def test_two_submissions_at_once_where_there_are_cores_for_both(
    monkeypatch: pytest.MonkeyPatch, cores: int, workers: int, abreast: list[int]
):
    monkeypatch.setattr(batch, "cores", lambda: cores)
    with Crew(workers) as crew:
        assert [hand.abreast for hand in crew.hands] == abreast
