"""Grades submissions in a process of its own, with sandboxes that stay warm between them."""

from __future__ import annotations

import atexit
import gc
import importlib
import pickle
from contextlib import suppress
from functools import lru_cache
from multiprocessing.util import Finalize
from pathlib import Path

from autograder.assignment import Assignment, Kind
from autograder.diagnosis import warm_up
from autograder.engine.order import effects_of
from autograder.engine.program import program_of
from autograder.job import Job, Terms
from autograder.lane import Lane
from autograder.sandbox.errors import SandboxError
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import MIB, Limits
from autograder.sandbox.probe import Probe, choose, probe_in
from autograder.sandbox.sandbox import WARM_MODULES
from autograder.settings import Settings
from autograder.submission.model import squeezed


def limits_of(settings: Settings) -> Limits:
    """The sandbox's limits as the course sets them."""
    return Limits(
        cell_seconds=settings.cell_seconds,
        submission_seconds=settings.submission_seconds,
        memory=settings.memory_mib * MIB,
        output=settings.output_mib * MIB,
        reply=settings.reply_mib * MIB,
        file=settings.file_mib * MIB,
        tmp=settings.tmp_mib * MIB,
    )


class Worker:
    """Grades submissions side by side: of a call through the wall one side always waits for the other, and while one
    submission ends and the next is read, nothing of either runs in the sandbox."""

    def __init__(self, isolation: str, limits: Limits, cpus: tuple[int | None, ...] = (None,)) -> None:
        """Start a sandbox, and warm up meanwhile.

        Args:
            isolation: the name of an isolation that works here.
            limits: what a session may use.
            cpus: a processor for each submission that may be under way at the same time, or None where it need not
                keep to one; each is in a sandbox of its own.
        """
        self._free = [Lane(isolation, limits, cpu) for cpu in cpus]
        self._busy: dict[tuple[str, Path, int], Lane] = {}
        self._all_open = len(cpus) == 1
        self._prepared_for: Assignment | None = None
        self._free[-1].launch()
        warm_modules()
        warm_up()
        gc.freeze()  # looking through it again would copy the pages that the forks share

    def close(self) -> None:
        """End all that is under way, and the sandboxes."""
        for lane in (*self._free, *self._busy.values()):
            lane.close()

    def try_isolation(self) -> Probe:
        """Find out whether the isolation works, in a sandbox that is kept for the jobs."""
        return probe_in(self._free[-1].sandbox)

    def grade(self, job: Job, settings: Settings, following: Job | None = None) -> bytes:
        """Grade a submission; gives a pickled `Graded`. What fails on the grader's side is told in ``outcome.broken``.

        Args:
            job: the submission.
            settings: the course's.
            following: the next one, which is begun already where a sandbox is free for it.
        """
        if job.assignment is not self._prepared_for:
            prepare_cells(job.assignment)
            self._prepared_for = job.assignment
        if following is not None and not self._all_open and not self._busy:
            self._open_other_lanes()
        key = _key(job)
        try:
            lane = self._begin(job, settings)
            if following is not None and self._free and self._free[-1].warm:
                self._begin(following, settings)
            return lane.finish()
        finally:
            if key in self._busy:
                self._free.append(self._busy.pop(key))

    def _open_other_lanes(self) -> None:
        """Before any submission is under way: later, it would speak on the first sandbox's control channel, too."""
        *others, first = self._free
        with suppress(SandboxError):  # which is told by whatever job is begun in it, and tried again with the next
            first.sandbox.ready()
            self._all_open = all(lane.launch_beside(first) for lane in others)

    def _begin(self, job: Job, settings: Settings) -> Lane:
        """The lane in which a job is under way, be it from now on."""
        key = _key(job)
        lane = self._busy.get(key)
        if lane is None or lane.settings != settings:
            if lane is None and not self._free:  # taken by what was announced as following, and did not
                self._free.append(self._busy.popitem()[1])
            lane = lane or self._free.pop()
            self._busy[key] = lane
            lane.begin(job, settings)
        return lane


def _key(job: Job) -> tuple[str, Path, int]:
    return job.student, job.folder, id(job.assignment)


def warm_modules() -> None:
    """Import what the trusted cells of a submission are likely to, so that its fork finds it done."""
    for module in WARM_MODULES:
        importlib.import_module(module)


def prepare_cells(assignment: Assignment) -> None:
    """Do once, before the forks, what every submission needs. A cell that is not Python is told when it is run."""
    for cell in assignment.cells:
        squeezed(cell.released)
        squeezed(cell.source)
        if cell.kind in (Kind.TEST, Kind.LOCKED) and cell.cell_type == "code":
            effects_of(cell.source)
            with suppress(SyntaxError):
                program_of(cell.key, cell.source, assignment.functions)


@lru_cache(maxsize=4)
def _unpacked(assignment: bytes) -> Assignment:
    """The same object for every job, so that a fork finds ready what an earlier job prepared."""
    unpacked = pickle.loads(assignment)
    assert isinstance(unpacked, Assignment)
    return unpacked


_workers: dict[tuple[str, Limits, tuple[int, ...]], Worker] = {}
"""That of this process, by what it was made for."""


def _worker_of_this_process(isolation: str, limits: Limits, cpus: tuple[int, ...]) -> Worker:
    key = isolation, limits, cpus
    if key not in _workers:
        _close_worker()
        _workers[key] = Worker(isolation, limits, cpus)
        atexit.register(_close_worker)
        Finalize(None, _close_worker, exitpriority=1)  # a process of a pool does not come to atexit
    return _workers[key]


def _close_worker() -> None:
    while _workers:
        _workers.popitem()[1].close()


def find_isolation(wanted: str, settings: Settings, cpus: tuple[int, ...]) -> str:
    """The name of the isolation to use: ``wanted``, or for ``auto`` the first that works.

    The sandbox in which that was seen stays with this process, for its jobs.

    Raises:
        NoIsolation: it does not work, or none does.
    """

    def try_one(isolation: Isolation) -> Probe:
        worker = _worker_of_this_process(isolation.name, limits_of(settings), cpus)
        return worker.try_isolation()

    return choose(wanted, try_one).name


def grade_job(
    terms: Terms, cpus: tuple[int, ...], student: str, folder: Path, following: tuple[str, Path] | None = None
) -> bytes:
    """Grade a submission with the worker of this process; gives a pickled `Graded`.

    Everything it needs is in its arguments, so that any ``concurrent.futures.Executor`` can run it.

    Args:
        terms: those of the run.
        cpus: a processor for each submission that this process may have under way at the same time.
        student: whose submission it is.
        folder: where it lies.
        following: student and folder of what this process will be given next, if that is known.
    """
    worker = _worker_of_this_process(terms.isolation, limits_of(terms.settings), cpus)
    assignment = _unpacked(terms.assignment)
    then = None if following is None else Job(following[0], assignment, following[1])
    return worker.grade(Job(student, assignment, folder), terms.settings, then)
