"""What the engine takes and what it gives back: plain data, so that it can cross processes and be stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """Who wrote a code cell, which decides where it runs."""

    STUDENT = "student"
    """A solution cell, or a cell of the student's own: runs in the sessions alone."""
    LOCKED = "locked"
    """Given code: runs on both sides (in the sessions alone where its top level uses a student name)."""
    TEST = "test"
    """A test cell: runs in the trusted process alone."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One code cell of a submission as it is to be graded."""

    key: str
    """Unique in the notebook: the grade_id where there is one, else a name given on reading."""
    role: Role
    source: str
    max_score: float = 0.0
    """Points of a test cell; 0 for every other cell."""
    attempted: bool = True
    """False for a solution cell that is still as released."""
    runs: bool = True
    """False for a cell that is not run when grading (tagged ``check``)."""
    defines: frozenset[str] = frozenset()
    """The student names that this solution cell binds in the source notebook."""


@dataclass(frozen=True, slots=True)
class Task:
    """All that the engine needs to grade one submission."""

    cells: tuple[Cell, ...]
    functions: frozenset[str]
    """Student names that are functions in the source: hidden tests reach them through proxies."""
    data: frozenset[str] = frozenset()
    """The other student names: hidden tests see their values, fetched afresh for each test cell."""


@dataclass(slots=True)
class TestOutcome:
    """What one test cell found."""

    score: float
    max_score: float
    message: str = ""
    """For the student: empty where all is well, and never a hidden line, input or expected value."""
    mistakes: list[str] = field(default_factory=list)
    """Ids from the catalogue of mistakes, the likeliest first."""
    detail: str = ""
    """For the instructor alone: the exception and its traceback as they came."""


@dataclass(slots=True)
class Found:
    """What the catalogue of mistakes says of a function."""

    mistakes: list[str] = field(default_factory=list)
    """Ids of the known mistakes that behave exactly like it, the likeliest first."""
    facts: list[str] = field(default_factory=list)
    """Sentences to the student on how it differs from a right function."""
    complete: bool = True
    """False where the search ended before its end: a slow machine may find less than another."""


@dataclass(slots=True)
class Outcome:
    """What grading one submission gave.

    ``broken`` is None where all went well. Else it is one sentence on what the grader itself could not do; then
    the scores do not count.
    """

    tests: dict[str, TestOutcome] = field(default_factory=dict)
    outputs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By cell key: nbformat outputs, all of them made before the session that made them saw a hidden call."""
    found: dict[str, Found] = field(default_factory=dict)
    """By student function that lost points: what the catalogue says of it."""
    advice: dict[str, list[str]] = field(default_factory=dict)
    """By key of a solution cell: what could be better about it, at no cost in points."""
    notes: list[str] = field(default_factory=list)
    broken: str | None = None
