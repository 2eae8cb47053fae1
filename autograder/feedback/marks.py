"""What the gradebook says of a class: scores by cell, comments, and what is taken off for lateness. Read only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Select, select

from autograder.assignment import Assignment
from autograder.errors import GradebookError
from autograder.gradebook.address import address_of, in_use, shown
from autograder.gradebook.book import DEFAULT_COURSE
from autograder.gradebook.nbgrader_api import Assignment as AssignmentRow
from autograder.gradebook.nbgrader_api import (
    BaseCell,
    Comment,
    Grade,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    open_gradebook,
)
from autograder.settings import Settings

NO_DATABASE = "it is not there yet; grade the assignment first"


@dataclass(frozen=True, slots=True)
class Mark:
    """The score of one cell."""

    auto: float | None
    manual: float | None
    extra: float
    waiting: bool
    """Whether a person has to look at it."""

    @property
    def score(self) -> float | None:
        """As nbgrader reckons it: a person's score stands in place of the automatic one, extra credit comes on top.

        None where there is neither, or where a person has yet to look.
        """
        base = self.manual if self.manual is not None else self.auto
        return None if base is None else base + self.extra


@dataclass(slots=True)
class Marks:
    """What the gradebook says of one student's notebook."""

    grades: dict[str, Mark] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    """Only what a person wrote: the automatic comment repeats what the tests say."""
    penalty: float = 0.0


def read_marks(settings: Settings, assignment: Assignment, students: Sequence[str]) -> dict[str, Marks]:
    """Student -> marks, for those of ``students`` whom the gradebook knows.

    Raises:
        GradebookError: there is no gradebook yet, or it cannot be read.
    """
    address = address_of(settings)
    if address.get_backend_name() == "sqlite" and address.database and not Path(address.database).exists():
        raise GradebookError.unusable(shown(address), NO_DATABASE)
    wanted = set(students)
    found: dict[str, Marks] = {}
    course = settings.course_id or DEFAULT_COURSE
    with in_use(address), open_gradebook(settings.db_url, course) as book:
        columns = (Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade)
        for student, penalty in book.db.execute(_rows(assignment, SubmittedNotebook.late_submission_penalty)):
            if student in wanted:
                found[student] = Marks(penalty=penalty or 0.0)
        statement = _rows(assignment, BaseCell.name, *columns)
        statement = statement.join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        for student, name, *row in book.db.execute(statement.join(BaseCell, BaseCell.id == Grade.cell_id)):
            if student in found:
                auto, manual, extra, waiting = row
                found[student].grades[name] = Mark(auto, manual, extra or 0.0, bool(waiting))
        statement = _rows(assignment, BaseCell.name, Comment.manual_comment)
        statement = statement.join(Comment, Comment.notebook_id == SubmittedNotebook.id)
        for student, name, said in book.db.execute(statement.join(BaseCell, BaseCell.id == Comment.cell_id)):
            if student in found and said:
                found[student].comments[name] = said
    return found


def _rows(assignment: Assignment, *columns: object) -> Select:
    """The submitted notebooks of the assignment, each with its student."""
    return (
        select(SubmittedAssignment.student_id, *columns)
        .select_from(SubmittedNotebook)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(AssignmentRow, AssignmentRow.id == Notebook.assignment_id)
        .where(AssignmentRow.name == assignment.name, Notebook.name == assignment.notebook)
    )
