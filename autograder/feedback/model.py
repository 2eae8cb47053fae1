"""A feedback page before it is HTML: plain values, all of them still to be escaped unless they are `Markup`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from markupsafe import Markup


class State(StrEnum):
    """How a test went."""

    PASSED = "passed"
    PARTLY = "partly"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Reading:
    """A place in the course that helps."""

    lesson: str
    """The lesson's file name without its ending."""
    section: str

    @property
    def title(self) -> str:
        """The lesson as a person would call it: ``03_concat`` is lesson 3, concat."""
        number, _, words = self.lesson.partition("_")
        return f"Lesson {int(number)}, {words.replace('_', ' ')}" if number.isdigit() else self.lesson


@dataclass(frozen=True, slots=True)
class NamedMistake:
    """A known mistake that behaves exactly like the student's function."""

    title: str
    message: str
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class TestLine:
    """One test cell's result."""

    key: str
    title: str
    score: float
    most: float
    message: str
    mistakes: tuple[NamedMistake, ...]
    by_person: bool
    """A person's score stands in place of the test's."""
    detail: str = ""
    """For the instructor's preview alone: the failing call in full."""

    @property
    def state(self) -> State:
        if self.score >= self.most:
            return State.PASSED
        return State.PARTLY if self.score > 0 else State.FAILED


@dataclass(frozen=True, slots=True)
class Question:
    """What one solution cell earned, by its tests or by hand."""

    anchor: str
    title: str
    name: str
    score: float | None
    """None where a person has yet to mark it."""
    most: float
    tests: tuple[TestLine, ...]
    untouched: bool
    comment: str
    """What a person wrote."""
    facts: tuple[str, ...] = ()
    """How the function differs from a right one, where no known mistake says it better."""

    @property
    def mistakes(self) -> tuple[NamedMistake, ...]:
        """Those of all its tests, each once."""
        return tuple(dict.fromkeys(mistake for test in self.tests for mistake in test.mistakes))


@dataclass(frozen=True, slots=True)
class Output:
    """Something that a cell printed, showed or raised: a text, or a picture."""

    label: str
    text: str = ""
    image: str = ""
    """A ``data:`` address."""
    cut: int = 0
    """Characters that are not shown."""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class PageCell:
    """A cell of the notebook."""

    label: str
    body: Markup
    is_code: bool
    outputs: tuple[Output, ...]
    folded: bool
    """Whether it is the course's own and shown only on demand."""


@dataclass(frozen=True, slots=True)
class Page:
    """All that a feedback page shows."""

    title: str
    assignment: str
    student: str
    score: float
    most: float
    """Of what is marked already."""
    waiting: float
    """Points that a person has yet to give."""
    penalty: float
    questions: tuple[Question, ...]
    readings: tuple[Reading, ...]
    cells: tuple[PageCell, ...]
    is_preview: bool = False
    notes: tuple[str, ...] = field(default=())
    """For the instructor's preview alone."""

    @property
    def lacks_details(self) -> bool:
        """Whether a preview has failed tests and no failing call to show: it was graded on another machine, say."""
        tests = [test for question in self.questions for test in question.tests]
        failed = any(test.state is not State.PASSED for test in tests)
        return self.is_preview and failed and not any(test.detail for test in tests)

    @property
    def final(self) -> float:
        return max(self.score - self.penalty, 0.0)
