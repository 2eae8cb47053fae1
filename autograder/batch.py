"""Spreads the submissions of a class over workers."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any

from autograder import fork_server
from autograder.engine.model import Outcome
from autograder.settings import Settings, cores
from autograder.worker import Graded, Job, Terms, grade_job, packed, prepare_process

ABREAST = 2
"""Submissions that a worker has under way where there are cores for them."""
ROUNDS_WITHOUT_PROGRESS = 3
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
    pool = _Pool(workers, fork_server.start(), prepare_process)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def grade_class(jobs: Iterable[Job], *, settings: Settings, isolation: str, workers: int) -> Iterator[Graded]:
    """Grade every job of one assignment and give the results as they come.

    A worker that dies costs no submission: what it did not finish is graded by a new one.

    Args:
        jobs: the submissions.
        isolation: the name of an isolation that works here.
        workers: how many processes grade. Where there are cores to spare, each has two submissions under way.
    """
    left = {job.student: job for job in jobs}
    if not left:
        return
    assignment = packed(next(iter(left.values())).assignment)
    terms = Terms(assignment, settings, isolation, ABREAST if cores() >= ABREAST * workers else 1)
    rounds = 0
    while left and rounds < ROUNDS_WITHOUT_PROGRESS:
        rounds += 1
        with ExitStack() as stack:
            crew = [stack.enter_context(local_executor(1)) for _ in range(min(workers, len(left)))]
            try:
                for graded in _spread(crew, deque(left.values()), terms):
                    del left[graded.student]
                    rounds = 0
                    yield graded
            except BrokenProcessPool:
                continue
    for student in left:
        yield Graded(student, None, Outcome(broken=WORKERS_DIE))


def _spread(crew: Sequence[Executor], waiting: deque[Job], terms: Terms) -> Iterator[Graded]:
    """Give each worker the next job before it is done with the last, and tell it which comes then.

    Raises:
        BrokenProcessPool: a worker died.
    """
    announced: dict[Executor, Job] = {}
    given: dict[Future[Graded], Executor] = {}

    def give(worker: Executor) -> None:
        job = announced.pop(worker, None) or (waiting.popleft() if waiting else None)
        if job is None:
            return
        following = None
        if terms.abreast > 1 and waiting:
            announced[worker] = following = waiting.popleft()
        then = None if following is None else (following.student, following.folder)
        given[worker.submit(grade_job, terms, job.student, job.folder, then)] = worker

    for worker in (*crew, *crew):
        give(worker)
    while given:
        done, _ = wait(given, return_when=FIRST_COMPLETED)
        for future in done:
            give(given.pop(future))
            yield future.result()
