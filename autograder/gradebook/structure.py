"""The assignment's rows in nbgrader's database, as its own generate_assignment makes them from the source."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from autograder.assignment import Assignment, Kind
from autograder.errors import GradebookError
from autograder.gradebook.nbgrader_api import Assignment as AssignmentRow
from autograder.gradebook.nbgrader_api import (
    BaseCell,
    Comment,
    Grade,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
    TaskCell,
)
from autograder.gradebook.nbgrader_api import Gradebook as NbgraderGradebook
from autograder.stubs import is_locked

OTHER_NOTEBOOK: Final = (
    "assignment '{assignment}' has grades for the notebook '{notebook}', which its source does not have any more"
)
MARKED_BY_HAND: Final = (
    "cell '{cell}' of '{assignment}' is gone from the source, but has scores or comments given by hand; put it back"
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The ids of an assignment's rows."""

    assignment_id: str
    notebook_id: str
    grades: dict[str, str]
    """Name -> id of the cells that have points: test cells, answers marked by hand, tasks."""
    comments: dict[str, str]
    """Name -> id of the cells that carry a comment: solutions and tasks."""


def ensure_rows(
    book: NbgraderGradebook, url: str, assignment: Assignment, siblings: frozenset[str] = frozenset()
) -> Rows:
    """Make the database say what the source says, and commit.

    Cells that are new get rows; a cell that is gone loses them, unless a person gave it a score or a comment.

    Raises:
        GradebookError: a person's work would be lost.
    """
    row = book.update_or_create_assignment(assignment.name)
    session = book.db
    notebook = _notebook(book, url, row, assignment, siblings)
    notebook.kernelspec = json.dumps(assignment.metadata.get("kernelspec", {}))
    grades, comments = _cells(session, url, notebook, assignment)
    _source_cells(session, notebook, assignment)
    session.commit()
    return Rows(
        row.id,
        notebook.id,
        {name: cell.id for name, cell in grades.items()},
        {name: cell.id for name, cell in comments.items()},
    )


def _notebook(
    book: NbgraderGradebook, url: str, row: AssignmentRow, assignment: Assignment, siblings: frozenset[str]
) -> Notebook:
    for other in list(row.notebooks):
        if other.name == assignment.notebook or other.name in siblings:
            continue
        if other.submissions:
            reason = OTHER_NOTEBOOK.format(assignment=assignment.name, notebook=other.name)
            raise GradebookError.unusable(url, reason)
        book.remove_notebook(other.name, assignment.name)
    try:
        return book.find_notebook(assignment.notebook, assignment.name)
    except MissingEntry:
        return book.add_notebook(assignment.notebook, assignment.name)


def _cells(
    session: Session, url: str, notebook: Notebook, assignment: Assignment
) -> tuple[dict[str, BaseCell], dict[str, BaseCell]]:
    existing = {(type(cell), cell.name): cell for cell in notebook._base_cells}
    grades: dict[str, BaseCell] = {}
    comments: dict[str, BaseCell] = {}
    wanted: set[tuple[type, str]] = set()
    for cell in assignment.cells:
        marks = cell.metadata.get("nbgrader", {})
        points: dict[str, Any] = {"max_score": cell.points, "cell_type": cell.cell_type}
        kinds: list[tuple[type[BaseCell], dict[str, Any]]] = []
        if cell.marked and marks.get("grade"):
            kinds.append((GradeCell, points))
        if cell.kind is Kind.SOLUTION:
            kinds.append((SolutionCell, {}))
        if cell.kind is Kind.TASK:
            kinds.append((TaskCell, points))
        for kind, values in kinds:
            row = existing.get((kind, cell.key))
            if row is None:
                row = kind(name=cell.key, notebook=notebook, **values)
                session.add(row)
            for name, value in values.items():
                setattr(row, name, value)
            wanted.add((kind, cell.key))
            if kind is not SolutionCell:
                grades[cell.key] = row
            if kind is not GradeCell:
                comments[cell.key] = row
    for (kind, name), row in existing.items():
        if (kind, name) not in wanted:
            _remove(session, url, row, assignment)
    session.flush()
    return grades, comments


def _remove(session: Session, url: str, row: BaseCell, assignment: Assignment) -> None:
    scored = select(Grade.id).where(
        Grade.cell_id == row.id, or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None))
    )
    said = select(Comment.id).where(Comment.cell_id == row.id, Comment.manual_comment.is_not(None))
    if session.execute(scored).first() or session.execute(said).first():
        raise GradebookError.unusable(url, MARKED_BY_HAND.format(cell=row.name, assignment=assignment.name))
    session.execute(delete(Grade).where(Grade.cell_id == row.id))
    session.execute(delete(Comment).where(Comment.cell_id == row.id))
    session.delete(row)


def _source_cells(session: Session, notebook: Notebook, assignment: Assignment) -> None:
    existing = {cell.name: cell for cell in notebook.source_cells}
    for cell in assignment.cells:
        if not cell.marked:
            continue
        marks = cell.metadata["nbgrader"]
        row = existing.pop(cell.key, None)
        if row is None:
            row = SourceCell(name=cell.key, notebook=notebook, cell_type=cell.cell_type, locked=is_locked(marks))
            session.add(row)
        row.cell_type = cell.cell_type
        row.locked = is_locked(marks)
        row.source = cell.stub
        row.checksum = marks.get("checksum")
    for row in existing.values():
        session.delete(row)
