"""What a worker is given to do, and what it gives back: plain data, for both ends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.assignment import Assignment
from autograder.engine.model import Outcome
from autograder.settings import Settings
from autograder.submission.model import NeedsAttention, Readable


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


@dataclass(frozen=True, slots=True)
class Terms:
    """What all jobs of a run have in common."""

    assignment: bytes
    """Pickled once: it is a hundred times as large as all else, and hardly looked at on the way."""
    settings: Settings
    isolation: str
    """The name of one that works here."""
