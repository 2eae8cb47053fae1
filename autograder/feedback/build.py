"""A student's page, from the assignment, the graded notebook and the gradebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from autograder.assignment import Assignment, Kind, SourceCell, text_of
from autograder.autograded import FINDINGS
from autograder.feedback.details import Details
from autograder.feedback.marks import Marks
from autograder.feedback.model import Page, PageCell
from autograder.feedback.outputs import outputs_of
from autograder.feedback.questions import questions_of, readings_of, title_of
from autograder.feedback.scrub import plain
from autograder.feedback.text import code_html, prose_html
from autograder.settings import Settings

MOST_CELLS: Final = 300
ANSWER: Final = "Your answer: {key}"
OWN: Final = "A cell of your own"
CHANGED: Final = "A given cell that you changed"
GIVEN: Final = "Given: {key}"
TEST: Final = "Test, as you got it: {key}"
TEST_IN_FULL: Final = "Test, with what is hidden: {key}"
MORE: Final = "{count} more cells are not shown"


def build_page(
    settings: Settings,
    assignment: Assignment,
    student: str,
    notebook: Mapping[str, Any],
    marks: Marks,
    details: Details | None = None,
) -> Page:
    """The page of one student.

    Args:
        notebook: the student's notebook in ``autograded/``, in nbformat 4.
        marks: what the gradebook says of it.
        details: makes it the instructor's preview, which shows hidden tests.
    """
    cells = [cell for cell in notebook["cells"] if isinstance(cell, Mapping)]
    by_key = {key: cell for cell in cells if (key := _key(cell))}
    found = notebook.get("metadata", {}).get(FINDINGS, {})
    questions = questions_of(settings, assignment, by_key, found.get("facts", {}), marks, details or Details())
    waiting = sum(question.most for question in questions if question.score is None)
    return Page(
        title=title_of(assignment),
        assignment=assignment.name,
        student=plain(student),
        score=sum(question.score or 0.0 for question in questions),
        most=sum(question.most for question in questions) - waiting,
        waiting=waiting,
        penalty=marks.penalty,
        questions=questions,
        readings=readings_of(questions),
        cells=_cells(settings, assignment, cells, with_hidden=details is not None),
        is_preview=details is not None,
        notes=details.notes if details else (),
    )


def _key(cell: Mapping[str, Any]) -> str:
    marks = cell.get("metadata", {}).get("nbgrader")
    return str(marks.get("grade_id", "")) if isinstance(marks, Mapping) else ""


def _cells(
    settings: Settings, assignment: Assignment, cells: list[Mapping[str, Any]], with_hidden: bool
) -> tuple[PageCell, ...]:
    marked = {cell.key: cell for cell in assignment.cells if cell.marked}
    by_id = {cell.cell_id: cell for cell in assignment.cells if not cell.marked}
    shown: list[PageCell] = []
    for cell in cells:
        source = marked.get(_key(cell)) or by_id.get(str(cell.get("id", "")))
        page_cell = _cell(settings, source, cell, with_hidden)
        if page_cell is not None:
            shown.append(page_cell)
    if len(shown) > MOST_CELLS:
        more = PageCell(MORE.format(count=len(shown) - MOST_CELLS), prose_html(""), False, (), False)
        return (*shown[:MOST_CELLS], more)
    return tuple(shown)


def _cell(settings: Settings, source: SourceCell | None, cell: Mapping[str, Any], with_hidden: bool) -> PageCell | None:
    """The cell as the page shows it; None for the course's own texts, which the student has."""
    text = text_of(cell.get("source", ""))
    is_code = cell.get("cell_type") == "code"
    folded = False
    raw_outputs = cell.get("outputs", []) if is_code else []
    if source is None:
        label = OWN
    elif source.kind is Kind.TEST:
        # the cell in autograded/ holds the hidden part, and its outputs are what the questions say
        label = (TEST_IN_FULL if with_hidden else TEST).format(key=source.key)
        text, raw_outputs, folded = (source.source if with_hidden else source.released), [], True
    elif source.kind is Kind.SOLUTION:
        label = ANSWER.format(key=source.key)
    elif source.kind is Kind.GIVEN and text.strip() != source.released.strip():
        label = CHANGED
    elif is_code and source.kind is Kind.LOCKED:
        label, text, folded = GIVEN.format(key=source.key), source.released, True
    elif not raw_outputs:
        return None
    else:
        label = OWN
    if not text.strip() and not raw_outputs:
        return None
    body = code_html(text) if is_code else prose_html(text)
    return PageCell(label, body, is_code, outputs_of(raw_outputs, settings), folded)
