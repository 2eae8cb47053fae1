"""Grades one submission after the other in a process of its own, with a sandbox that stays warm between them."""

from __future__ import annotations

import atexit
import importlib
import pickle
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.util import Finalize
from pathlib import Path

from autograder.assignment import Assignment, Kind
from autograder.diagnosis import advise, diagnose, warm_up
from autograder.engine.model import Outcome
from autograder.engine.order import effects_of
from autograder.engine.program import program_of
from autograder.engine.walk import grade
from autograder.forked import ForkEnded, ForkFailed, die_with_parent, in_fork
from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.limits import MIB, Limits
from autograder.sandbox.sandbox import GONE, WARM_MODULES, Sandbox, SandboxError, SandboxGone
from autograder.settings import Settings
from autograder.submission import NeedsAttention, Readable, read
from autograder.submission.files import Refused, read_file

READING_SECONDS = 60
TRIES = 3
CHANGED = "the file {file} changed or went away while the submission was read, and was not laid beside the notebook"


@dataclass(frozen=True, slots=True)
class Job:
    """One submission to grade."""

    student: str
    assignment: Assignment
    folder: Path


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of a job. ``outcome`` is None where a person must look at the submission instead."""

    student: str
    submission: Readable | NeedsAttention | None
    """None where the grader failed before it was read."""
    outcome: Outcome | None


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
    """Owns a sandbox; grades jobs in forks of itself."""

    def __init__(self, isolation: str, limits: Limits) -> None:
        self._limits = limits
        self._sandbox = Sandbox(ISOLATIONS[isolation], limits)
        with suppress(SandboxError):  # then the first job starts it, and says so
            self._sandbox.launch()
        warm_modules()
        warm_up()

    def close(self) -> None:
        """End the sandbox."""
        self._sandbox.close()

    def grade(self, job: Job, settings: Settings) -> Graded:
        """Grade a submission; what fails on the grader's side is told in ``outcome.broken``.

        A zygote or a fork that is killed on the way is started anew and the submission graded from the start:
        nobody's points depend on what killed it.
        """
        why = ""
        compile_trusted_cells(job.assignment)
        for _ in range(TRIES):
            try:
                self._sandbox.ready(settle=True)  # what the last one left must not be counted as this one
                graded = in_fork(
                    lambda: _read_and_grade(job, settings, self._sandbox, self._limits),
                    self._limits.submission_seconds + READING_SECONDS,
                )
            except (ForkEnded, SandboxError) as error:
                why = str(error)
            except ForkFailed as error:
                return Graded(job.student, None, Outcome(broken=str(error)))
            else:
                if graded is not None:
                    return graded
                why = GONE
        return Graded(job.student, None, Outcome(broken=why))


def _read_and_grade(job: Job, settings: Settings, sandbox: Sandbox, limits: Limits) -> Graded | None:
    """In the fork: all that touches a student's file or code. None where the sandbox died meanwhile."""
    submission = read(job.folder, job.assignment, settings)
    if isinstance(submission, NeedsAttention):
        return Graded(job.student, submission, None)
    files, changed = _contents(job.folder, submission, settings)
    try:
        outcome = grade(submission.task, sandbox.session, limits, files, diagnose, clock=sandbox.clock)
    except SandboxGone:
        return None
    outcome.notes += [CHANGED.format(file=name) for name in changed]
    outcome.advice = advise(submission.task)
    return Graded(job.student, submission, outcome)


def _contents(folder: Path, submission: Readable, settings: Settings) -> tuple[dict[str, bytes], list[str]]:
    """The files beside the notebook, and the names of those that became something else since they were listed."""
    files: dict[str, bytes] = {}
    changed: list[str] = []
    for file in submission.extra_files:
        if not file.own:
            files[file.name] = file.path.read_bytes()
            continue
        try:
            files[file.name] = read_file(folder, file.name, settings.file_mib * MIB)
        except (Refused, OSError):
            changed.append(file.name)
    return files, changed


def warm_modules() -> None:
    """Import what the trusted cells of a submission are likely to, so that its fork finds it done."""
    for module in WARM_MODULES:
        importlib.import_module(module)


def compile_trusted_cells(assignment: Assignment) -> None:
    """Do once, before the forks, what every submission needs. A cell that is not Python is told when it is run."""
    for cell in assignment.cells:
        if cell.kind in (Kind.TEST, Kind.LOCKED) and cell.cell_type == "code":
            effects_of(cell.source)
            with suppress(SyntaxError):
                program_of(cell.key, cell.source, assignment.functions)


@lru_cache(maxsize=1)
def _worker_of_this_process(isolation: str, limits: Limits) -> Worker:
    worker = Worker(isolation, limits)
    atexit.register(worker.close)
    Finalize(worker, worker.close, exitpriority=1)  # a process of a pool does not come to atexit
    return worker


def prepare_process() -> None:
    """What a worker process does first: it must not outlive the grader."""
    die_with_parent()


def packed(assignment: Assignment) -> bytes:
    """An assignment as `grade_job` takes it. It is a hundred times as large as what else a job takes along."""
    return pickle.dumps(assignment)


@lru_cache(maxsize=4)
def _unpacked(assignment: bytes) -> Assignment:
    """The same object for each job of an assignment, so that a fork finds ready what an earlier job prepared."""
    unpacked = pickle.loads(assignment)
    assert isinstance(unpacked, Assignment)
    return unpacked


def grade_job(student: str, assignment: bytes, folder: Path, settings: Settings, isolation: str) -> Graded:
    """Grade a submission with the worker of this process.

    Everything it needs is in its arguments, so that any ``concurrent.futures.Executor`` can run it.

    Args:
        student: whose it is.
        assignment: the assignment as `packed` gives it.
        folder: where the submission lies.
        settings: the course's.
        isolation: the name of an isolation that works here.
    """
    worker = _worker_of_this_process(isolation, limits_of(settings))
    return worker.grade(Job(student, _unpacked(assignment), folder), settings)
