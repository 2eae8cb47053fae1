"""What an audit tries and what it finds out: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Why a candidate is tried."""

    SOLUTION = "solution"
    """The assignment's own solution: earns everything."""
    STUB = "stub"
    """The notebook as released: earns nothing."""
    RIGHT = "right"
    """A right answer, though unusual: earns everything."""
    MISTAKE = "mistake"
    """A known mistake: loses points."""
    MUTANT = "mutant"
    """The solution with one small change: loses points, unless it is equivalent."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What stands in one cell of a candidate: a solution cell by its ``grade_id``, or an ``extra`` one."""

    cell: str
    source: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One submission to try the tests on."""

    kind: Kind
    id: str
    """Unique among the candidates of its kind."""
    title: str
    """One line for people."""
    answers: tuple[Answer, ...] = ()
    """In the notebook's order."""
    complete: bool = False
    """True where a solution cell that has no answer stays as released; else it holds the solution."""
    mistake: str = ""
    """The id in the catalogue, for a known mistake."""
    function: str = ""
    """The function that is wrong, for a mistake or a mutant."""


@dataclass(frozen=True, slots=True)
class ScoredCell:
    """A test cell that gives points."""

    key: str
    points: float


@dataclass(frozen=True, slots=True)
class Trial:
    """What the tests made of a candidate."""

    candidate: Candidate
    scores: dict[str, float]
    """Points by test cell."""
    lost: frozenset[str]
    """The test cells that gave less than all of their points."""
    messages: dict[str, str]
    """By test cell: what a student would read there."""

    @property
    def caught(self) -> bool:
        """Whether any point was lost."""
        return bool(self.lost)
