"""Spreads the submissions of a class over workers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from autograder import fork_server
from autograder.engine.model import Outcome
from autograder.settings import Settings
from autograder.worker import Graded, Job, grade_job, packed, prepare_process

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
    """Grade every job and give the results as they come.

    A worker that dies costs no submission: what it did not finish is graded by a new one.

    Args:
        jobs: the submissions.
        isolation: the name of an isolation that works here.
        workers: how many submissions are graded at the same time.
    """
    left = {job.student: job for job in jobs}
    packs = {key: packed(one) for key, one in {id(job.assignment): job.assignment for job in left.values()}.items()}
    rounds = 0
    while left and rounds < ROUNDS_WITHOUT_PROGRESS:
        rounds += 1
        with local_executor(min(workers, len(left))) as executor:
            futures = {
                executor.submit(grade_job, student, packs[id(job.assignment)], job.folder, settings, isolation): student
                for student, job in left.items()
            }
            try:
                for future in as_completed(futures):
                    graded = future.result()
                    del left[futures[future]]
                    rounds = 0
                    yield graded
            except BrokenProcessPool:
                continue
    for student in left:
        yield Graded(student, None, Outcome(broken=WORKERS_DIE))
