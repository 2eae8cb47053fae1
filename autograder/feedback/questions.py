"""What each question earned, why, and what helps: put together from the gradebook and the graded notebook."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mha.mistakes import CATALOGUE

from autograder.assignment import Assignment, Kind, SourceCell
from autograder.autograded import FINDINGS
from autograder.feedback.details import Details
from autograder.feedback.marks import Mark, Marks
from autograder.feedback.model import NamedMistake, Question, Reading, State, TestLine
from autograder.feedback.scrub import scrubbed
from autograder.gradebook.comments import tests_of
from autograder.settings import Settings

_POINTS = re.compile(r"^[\d.]+ points?:\s*", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,2} +(?P<words>.+?)\s*#*$", re.MULTILINE)
NO_MARK: Final = Mark(None, None, 0.0, True)
STILL_RELEASED: Final = "Not attempted"
TASK_NAME: Final = "done in cells of your own"


def title_of(assignment: Assignment) -> str:
    """The first heading of the source notebook."""
    for cell in assignment.cells:
        if cell.cell_type == "markdown" and (heading := _HEADING.search(cell.source)):
            return heading["words"]
    return assignment.name.replace("_", " ")


def questions_of(
    settings: Settings,
    assignment: Assignment,
    cells: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Sequence[str]],
    marks: Marks,
    details: Details,
) -> tuple[Question, ...]:
    """The questions in the order of the notebook.

    Args:
        cells: the graded notebook's cells by ``grade_id``.
        facts: by function, how it differs from a right one.
        details: of each failing call; empty for a page that a student gets.
    """
    about = tests_of(assignment)
    by_key = {cell.key: cell for cell in assignment.cells}
    found: list[Question] = []
    heading = ""
    for cell in assignment.cells:
        if cell.cell_type == "markdown" and (headings := _HEADING.findall(cell.released)):
            heading = headings[-1]
        if cell.kind is not Kind.SOLUTION and cell.kind is not Kind.TASK:
            continue
        tests = tuple(
            _test(settings, by_key[key], cells.get(key, {}), marks.grades.get(key, NO_MARK), details)
            for key in about.get(cell.key, ())
            if by_key[key].points or _said(cells.get(key, {})).get("message")
        )
        mark = marks.grades.get(cell.key, NO_MARK) if cell.by_hand else None
        found.append(
            Question(
                anchor=f"question-{len(found) + 1}",
                title=heading or cell.key,
                name=TASK_NAME if cell.kind is Kind.TASK else cell.key,
                score=_score(tests, mark),
                most=sum(test.most for test in tests) + (cell.points if cell.by_hand else 0.0),
                tests=tests,
                untouched=_is_untouched(tests, mark),
                comment=marks.comments.get(cell.key, ""),
                facts=_facts(cell, tests, facts),
            )
        )
    return tuple(question for question in found if question.most or question.tests or question.comment)


def _score(tests: Iterable[TestLine], mark: Mark | None) -> float | None:
    by_tests = sum(test.score for test in tests)
    if mark is None:
        return by_tests
    return None if mark.score is None else by_tests + mark.score


def _is_untouched(tests: Iterable[TestLine], mark: Mark | None) -> bool:
    """Whether the tests say so; nbgrader gives an answer that is as released its 0 without asking a person."""
    left = mark is not None and mark.manual is None and mark.auto == 0
    return left or any(test.message.startswith(STILL_RELEASED) for test in tests)


def _facts(cell: SourceCell, tests: Iterable[TestLine], facts: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """What helps where no mistake has a name. The engine asks no function that heard a hidden call."""
    if any(test.mistakes for test in tests):
        return ()
    return tuple(str(fact) for name in sorted(cell.names.functions) for fact in facts.get(name, ()))


def _said(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    said = cell.get("metadata", {}).get(FINDINGS)
    return said if isinstance(said, Mapping) else {}


def _test(settings: Settings, source: SourceCell, cell: Mapping[str, Any], mark: Mark, details: Details) -> TestLine:
    said = _said(cell)
    return TestLine(
        key=source.key,
        title=test_title(source),
        score=mark.score or 0.0,
        most=source.points,
        message=scrubbed(str(said.get("message", "")), settings),
        mistakes=tuple(named(str(mistake)) for mistake in said.get("mistakes", ())),
        by_person=mark.manual is not None,
        detail=details.tests.get(source.key, ""),
    )


def test_title(source: SourceCell) -> str:
    """What a test is about: the first comment in what the student sees of it."""
    for line in source.released.splitlines():
        if words := _POINTS.sub("", line.lstrip("# ")) if line.lstrip().startswith("#") else "":
            first = words.split()[0]
            return words if "_" in first or "(" in first else words[:1].upper() + words[1:]
    return source.key.replace("_", " ")


def named(mistake_id: str) -> NamedMistake:
    """A mistake of the catalogue; of one that it no longer has, the name."""
    if mistake_id not in CATALOGUE:
        return NamedMistake(mistake_id.replace("_", " ").capitalize(), "", None)
    mistake = CATALOGUE[mistake_id]
    return NamedMistake(mistake.title, mistake.message, Reading(mistake.lesson, mistake.section))


def readings_of(questions: Iterable[Question]) -> tuple[Reading, ...]:
    """What to read next, without repeats: where named mistakes are taught, else where the function is."""
    found: dict[Reading, None] = {}
    for question in questions:
        lost = [test for test in question.tests if test.state is not State.PASSED]
        readings = [mistake.reading for test in lost for mistake in test.mistakes if mistake.reading is not None]
        if lost and not readings:
            readings = _taught(question.name)
        found |= dict.fromkeys(readings)
    return tuple(found)


def _taught(function: str) -> list[Reading]:
    places = Counter(Reading(mistake.lesson, mistake.section) for mistake in CATALOGUE if mistake.contract == function)
    return [place for place, _ in places.most_common(1)]
