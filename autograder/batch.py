"""Spreads the submissions of a class over workers."""

from __future__ import annotations

import importlib
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from autograder import fork_server
from autograder.engine.model import Outcome
from autograder.forked import die_with_parent
from autograder.job import Graded, Job, Terms
from autograder.sandbox.errors import NoIsolation
from autograder.settings import Settings, cores

ROUNDS_WITHOUT_PROGRESS = 3
NONE_LIVES = "the worker process that tries the isolations dies every time"
WORKERS_DIE = "the worker process died every time it graded this submission"


class _Pool(ProcessPoolExecutor):
    """Starts its processes, on submitting, without what the main program is.

    ``multiprocessing`` would run the main program once more in each of them, as ``__mp_main__``. No worker needs it,
    and a script that grades without an ``if __name__ == "__main__"`` would begin to grade again.
    """

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return super().submit(work, *arguments, **options)
        finally:
            sys.modules["__main__"] = main


@contextmanager
def local_executor(workers: int) -> Iterator[Executor]:
    """Worker processes on this machine, forked from one that is warm and has no threads."""
    pool = _Pool(workers, fork_server.start(), die_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass(slots=True, eq=False)
class Hand:
    """A worker process behind its executor."""

    executor: Executor
    abreast: int
    """How many submissions it has under way at the same time."""
    announced: Job | None = None
    """The job that it will be given next, and may have begun."""


class Crew:
    """The worker processes of a run."""

    def __init__(self, workers: int) -> None:
        """Get ready to start them; a process starts with its first task.

        Args:
            workers: how many. For every core beyond that, one of them has two submissions under way.
        """
        self._stack = ExitStack()
        spare = cores() - workers
        self.hands = [Hand(self._executor(), 2 if number < spare else 1) for number in range(workers)]

    def _executor(self) -> Executor:
        return self._stack.enter_context(local_executor(1))

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; what they have not done is dropped."""
        self._stack.close()

    def find_isolation(self, wanted: str, settings: Settings) -> str:
        """As `autograder.worker.find_isolation`, in the first of the processes.

        Raises:
            NoIsolation: as there, or the process dies whenever it is started.
        """
        first = self.hands[0]
        for _ in range(ROUNDS_WITHOUT_PROGRESS):
            try:
                found = first.executor.submit(_in_worker, "find_isolation", wanted, settings, first.abreast)
                return str(found.result())
            except BrokenProcessPool:
                first.executor = self._executor()
        raise NoIsolation(NONE_LIVES)


def grade_class(
    jobs: Iterable[Job], *, settings: Settings, isolation: str, workers: int, crew: Crew | None = None
) -> Iterator[Graded]:
    """Grade every job of one assignment and give the results as they come.

    A worker that dies costs no submission: what it did not finish is graded by a new one.

    Args:
        jobs: the submissions.
        settings: the course's.
        isolation: the name of an isolation that works here.
        workers: how many processes grade.
        crew: the workers to begin with; it is closed at the end.
    """
    left = {job.student: job for job in jobs}
    rounds = 0
    while left and rounds < ROUNDS_WITHOUT_PROGRESS:
        rounds += 1
        with crew or Crew(min(workers, len(left))) as crew:
            assignment = pickle.dumps(next(iter(left.values())).assignment)
            terms = Terms(assignment, settings, isolation)
            try:
                for graded in _spread(crew.hands, deque(left.values()), terms):
                    del left[graded.student]
                    rounds = 0
                    yield graded
            except BrokenProcessPool:
                pass
        crew = None
    for student in left:
        yield Graded(student, None, Outcome(broken=WORKERS_DIE))


def _spread(hands: Sequence[Hand], waiting: deque[Job], terms: Terms) -> Iterator[Graded]:
    """Give each worker its next job before it is done with the last, and tell it which comes then.

    Raises:
        BrokenProcessPool: a worker died.
    """
    given: dict[Future[bytes], Hand] = {}

    def give(hand: Hand) -> None:
        job = hand.announced or (waiting.popleft() if waiting else None)
        if job is None:
            return
        hand.announced = waiting.popleft() if waiting and hand.abreast > 1 else None
        following = None if hand.announced is None else (hand.announced.student, hand.announced.folder)
        task = ("grade_job", terms, hand.abreast, job.student, job.folder, following)
        given[hand.executor.submit(_in_worker, *task)] = hand

    for hand in (*hands, *hands):
        give(hand)
    while given:
        done, _ = wait(given, return_when=FIRST_COMPLETED)
        for future in done:
            give(given.pop(future))
            yield pickle.loads(future.result())


def _in_worker(function: str, *arguments: Any) -> Any:
    """Call a function of `autograder.worker`, which brings NumPy and the engine along: for a worker alone."""
    return getattr(importlib.import_module("autograder.worker"), function)(*arguments)
