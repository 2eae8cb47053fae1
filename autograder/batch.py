"""Spreads the submissions of a class over workers."""

from __future__ import annotations

import importlib
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from types import ModuleType
from typing import Any

from autograder import fork_server
from autograder.engine.model import Outcome
from autograder.errors import GraderFailure
from autograder.forked import die_with_parent
from autograder.job import Graded, Job, Terms
from autograder.settings import Settings, processors

TRIES = 3
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
    cpus: tuple[int, ...]
    """The processors that its submissions keep to, one for each that may be under way at the same time."""
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
        numbers = processors()
        spare = len(numbers) - workers
        turn = cycle(numbers)
        self.hands = [
            Hand(self._executor(), tuple(islice(turn, 2 if number < spare else 1))) for number in range(workers)
        ]

    def _executor(self) -> Executor:
        return self._stack.enter_context(local_executor(1))

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; what they have not done is dropped."""
        self._stack.close()

    def replace(self, hand: Hand) -> None:
        """Have a new process take the place of one that died."""
        hand.executor = self._executor()

    def find_isolation(self, wanted: str, settings: Settings) -> str:
        """As `autograder.worker.find_isolation`, in the first of the processes.

        Raises:
            NoIsolation: as there.
            GraderFailure: the process dies whenever it is started.
        """
        first = self.hands[0]
        for _ in range(TRIES):
            try:
                found = first.executor.submit(_in_worker, "find_isolation", wanted, settings, first.cpus)
                return str(found.result())
            except BrokenProcessPool:
                self.replace(first)
        raise GraderFailure.no_worker()


def grade_class(
    jobs: Iterable[Job], *, settings: Settings, isolation: str, workers: int = 1, crew: Crew | None = None
) -> Iterator[Graded]:
    """Grade every job of one assignment and give the results as they come.

    A worker that dies costs no submission: what it did not finish is graded by a new one, each by itself, and only
    one that its worker dies of time and again stays open.

    Args:
        jobs: the submissions.
        settings: the course's.
        isolation: the name of an isolation that works here.
        workers: how many processes grade, where there is no crew yet.
        crew: the workers; it is closed at the end.
    """
    waiting = deque(jobs)
    with crew or Crew(min(workers, len(waiting)) or 1) as crew:
        if waiting:
            terms = Terms(pickle.dumps(waiting[0].assignment), settings, isolation)
            yield from _spread(crew, waiting, terms)


def _spread(crew: Crew, waiting: deque[Job], terms: Terms) -> Iterator[Graded]:
    """Give each worker its next job before it is done with the last, and tell it which comes then."""
    given: dict[Future[bytes], tuple[Hand, Executor, Job]] = {}
    suspects: list[Job] = []

    def give(hand: Hand) -> None:
        job = hand.announced or (waiting.popleft() if waiting else None)
        if job is None:
            return
        hand.announced = waiting.popleft() if waiting and len(hand.cpus) > 1 else None
        future = _submit(crew, hand, terms, job, hand.announced)
        given[future] = hand, hand.executor, job

    for hand in (*crew.hands, *crew.hands):
        give(hand)
    while given:
        done, _ = wait(given, return_when=FIRST_COMPLETED)
        for future in done:
            hand, executor, job = given.pop(future)
            graded = _result(future, job)
            if graded is None:
                suspects.append(job)
                if hand.executor is executor:
                    crew.replace(hand)
            give(hand)
            if graded is not None:
                yield graded
    for job in suspects:
        yield _alone(crew, terms, job)


def _alone(crew: Crew, terms: Terms, job: Job) -> Graded:
    """Grade a job of which a worker may have died."""
    hand = crew.hands[0]
    for _ in range(TRIES):
        graded = _result(_submit(crew, hand, terms, job, None), job)
        if graded is not None:
            return graded
        crew.replace(hand)
    return Graded(job.student, None, Outcome(broken=WORKERS_DIE))


def _submit(crew: Crew, hand: Hand, terms: Terms, job: Job, following: Job | None) -> Future[bytes]:
    then = None if following is None else (following.student, following.folder)
    task = ("grade_job", terms, hand.cpus, job.student, job.folder, then)
    try:
        return hand.executor.submit(_in_worker, *task)
    except BrokenProcessPool:  # it died between two jobs
        crew.replace(hand)
        return hand.executor.submit(_in_worker, *task)


def _result(future: Future[bytes], job: Job) -> Graded | None:
    """What came of a job; None where its worker died."""
    try:
        graded = pickle.loads(future.result())
    except BrokenProcessPool:
        return None
    except Exception as error:  # noqa: BLE001 - whatever fails here fails for this job, never for the class
        return Graded(job.student, None, Outcome(broken=f"{type(error).__name__}: {error}"))
    assert isinstance(graded, Graded)
    return graded


def _in_worker(function: str, *arguments: Any) -> Any:
    """Call a function of `autograder.worker`, which brings NumPy and the engine along: for a worker alone."""
    return getattr(importlib.import_module("autograder.worker"), function)(*arguments)
