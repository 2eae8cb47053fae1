"""What only the instructor may see of a graded submission: kept under ``.autograder/``, never in what is handed out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Final

from autograder.engine.model import Outcome
from autograder.errors import GraderFailure
from autograder.settings import Settings
from autograder.writing import kept_file, put_file

DETAILS: Final = "details"


@dataclass(frozen=True, slots=True)
class Details:
    """What the last grading of a submission had to say to the instructor."""

    tests: dict[str, str] = field(default_factory=dict)
    """Test cell -> the failing call in full, with the test's own lines."""
    notes: tuple[str, ...] = ()
    """Every repair, and every cell that was stopped."""


def put_details(settings: Settings, assignment: str, student: str, notes: tuple[str, ...], outcome: Outcome) -> None:
    """Keep the details of a submission in place of those before.

    Raises:
        GraderFailure: they cannot be written.
    """
    tests = {key: test.detail for key, test in outcome.tests.items() if test.detail}
    path = kept_file(settings, DETAILS, assignment, student)
    if notes or tests:
        put_file(path, json.dumps({"student": student, "notes": notes, "tests": tests}).encode())
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise GraderFailure.cannot_write(path, error.strerror or error) from error


def get_details(settings: Settings, assignment: str, student: str) -> Details:
    """The details kept of a submission; empty where there are none."""
    try:
        kept = json.loads(kept_file(settings, DETAILS, assignment, student).read_bytes())
        return Details(dict(kept["tests"]), tuple(kept["notes"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Details()  # graded elsewhere, or before there were details: the page says how to get them
