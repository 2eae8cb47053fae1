"""What is done for one submission, in a fork of the worker: read it, grade it."""

from __future__ import annotations

import pickle
from pathlib import Path

from autograder.diagnosis import advise, diagnose
from autograder.engine.walk import grade
from autograder.job import Graded, Job
from autograder.sandbox.errors import SandboxGone
from autograder.sandbox.limits import MIB, Limits
from autograder.sandbox.sandbox import Sandbox
from autograder.settings import Settings
from autograder.submission import NeedsAttention, Readable, read
from autograder.submission.files import Refused, read_file

CHANGED = "the file {file} changed or went away while the submission was read, and was not laid beside the notebook"


def read_and_grade(job: Job, settings: Settings, sandbox: Sandbox, limits: Limits) -> bytes:
    """All that touches a student's file or code.

    Returns:
        A pickled `Graded`, made here of the grader's own objects alone; nothing where the sandbox died meanwhile.
    """
    graded = _read_and_grade(job, settings, sandbox, limits)
    return b"" if graded is None else pickle.dumps(graded)


def _read_and_grade(job: Job, settings: Settings, sandbox: Sandbox, limits: Limits) -> Graded | None:
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
