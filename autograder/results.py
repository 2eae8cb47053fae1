"""The result of grading as a document: what ``--json`` writes and ``autograder.grade`` returns."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from autograder.engine.model import Outcome, TestOutcome

RECORDED_PACKAGES: Final = ("mha-autograder", "mha-course", "nbgrader", "numpy", "ipython")
MOST_NOTES: Final = 100
MOST_CHARACTERS: Final = 1000
"""Of one note; a path alone may take four thousand."""
MORE_NOTES: Final = "And {count} more notes."


class Status(StrEnum):
    """What became of a submission."""

    GRADED = "graded"
    NEEDS_ATTENTION = "needs_attention"
    """Nothing of the grader's doing: there is no readable notebook, say."""
    GRADER_ERROR = "grader_error"
    """The grader broke: says nothing about the submission."""


@dataclass(frozen=True, slots=True)
class CellResult:
    """One test cell."""

    score: float
    max_score: float
    message: str = ""
    mistakes: tuple[str, ...] = ()

    @classmethod
    def of(cls, outcome: TestOutcome) -> CellResult:
        return cls(float(outcome.score), float(outcome.max_score), outcome.message, tuple(outcome.mistakes))


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's submission. ``score`` is None and ``cells`` empty unless it was graded."""

    student: str
    status: Status
    score: float | None
    max_score: float
    notes: tuple[str, ...] = ()
    cells: dict[str, CellResult] = field(default_factory=dict)

    @classmethod
    def graded(cls, student: str, outcome: Outcome, max_score: float, notes: Iterable[str] = ()) -> Submission:
        """From what the engine gave; ``notes`` come before the engine's own."""
        cells = {key: CellResult.of(test) for key, test in outcome.tests.items()}
        score = float(sum(cell.score for cell in cells.values()))
        return cls(student, Status.GRADED, score, max_score, _bounded((*notes, *outcome.notes)), cells)

    @classmethod
    def open(cls, student: str, status: Status, max_score: float, notes: Iterable[str]) -> Submission:
        """One whose score stays open."""
        return cls(student, status, None, max_score, _bounded(tuple(notes)))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Submission:
        cells = {
            key: CellResult(cell["score"], cell["max_score"], cell["message"], tuple(cell["mistakes"]))
            for key, cell in data["cells"].items()
        }
        return cls(
            data["student"], Status(data["status"]), data["score"], data["max_score"], tuple(data["notes"]), cells
        )


def _bounded(notes: tuple[str, ...]) -> tuple[str, ...]:
    """As many notes as a person reads: a student can make a folder or a notebook that gives any number."""
    kept = [note if len(note) <= MOST_CHARACTERS else f"{note[:MOST_CHARACTERS]} …" for note in notes[:MOST_NOTES]]
    return (*kept, *([MORE_NOTES.format(count=len(notes) - MOST_NOTES)] if len(notes) > MOST_NOTES else []))


@dataclass(frozen=True, slots=True)
class Results:
    """A whole run. It holds no times, so that grading the same again gives the same document."""

    assignment: str
    isolation: str
    versions: dict[str, str]
    submissions: tuple[Submission, ...]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Results:
        data = json.loads(text)
        submissions = tuple(Submission.from_dict(submission) for submission in data["submissions"])
        return cls(data["assignment"], data["isolation"], data["versions"], submissions)


@cache
def versions() -> dict[str, str]:
    """The versions that a result may depend on."""
    found = {"python": platform.python_version()}
    for package in RECORDED_PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "none"
    return found
