"""nbgrader's own database: one writer, one commit and a few statements for many submissions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Table, bindparam, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from autograder.assignment import Assignment
from autograder.errors import GradebookError
from autograder.gradebook.address import address_of, in_use, reason_of, shown
from autograder.gradebook.nbgrader_api import Assignment as AssignmentRow
from autograder.gradebook.nbgrader_api import (
    Comment,
    Grade,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    new_uuid,
    open_gradebook,
)
from autograder.gradebook.penalties import LatePenalties
from autograder.gradebook.record import Record
from autograder.gradebook.structure import Rows, ensure_rows
from autograder.settings import Settings

DEFAULT_COURSE: Final = "default_course"
"""nbgrader's own name for a course that has none."""
OLD_DATABASE: Final = "it was made by another version of nbgrader; run 'nbgrader db upgrade'"


class Gradebook:
    """A course's gradebook, open for one notebook of an assignment; ``siblings`` are the assignment's other notebooks.

    Raises:
        GradebookError: on opening, where the database cannot be used.
    """

    def __init__(self, settings: Settings, assignment: Assignment, siblings: frozenset[str] = frozenset()) -> None:
        address = address_of(settings)
        self.url = shown(address)
        self._penalties = LatePenalties(settings.root)
        with in_use(address):
            self._book = open_gradebook(settings.db_url, settings.course_id or DEFAULT_COURSE)
        self._session = self._book.db
        try:
            self._rows: Rows = ensure_rows(self._book, self.url, assignment, siblings)
        except SQLAlchemyError as error:
            self.close()
            raise GradebookError.unusable(self.url, f"{OLD_DATABASE} ({reason_of(error)})") from error
        except GradebookError:
            self.close()
            raise

    def __enter__(self) -> Gradebook:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; what was not committed is gone."""
        self._book.close()

    def record(self, records: Sequence[Record]) -> None:
        """Write these submissions in one transaction; scores and comments given by hand stay as they are.

        Raises:
            SQLAlchemyError: nothing of them was written.
        """
        if not records:
            return
        try:
            submitted = self._submitted(records)
            notebooks = self._notebooks({student: row["id"] for student, row in submitted.items()})
            totals = self._write_grades(records, notebooks)
            self._write_comments(records, notebooks)
            self._write_penalties(submitted, notebooks, totals)
            self._session.commit()
        except BaseException:  # Ctrl-C too: half a batch must not stay in the session
            self._session.rollback()
            raise

    def _submitted(self, records: Sequence[Record]) -> dict[str, dict[str, Any]]:
        students = [record.student for record in records]
        known = set(self._session.scalars(select(Student.id).where(Student.id.in_(students))))
        self._insert(Student, [{"id": student} for student in students if student not in known])
        columns = (
            SubmittedAssignment.student_id,
            SubmittedAssignment.id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
        )
        statement = select(*columns).where(
            SubmittedAssignment.assignment_id == self._rows.assignment_id, SubmittedAssignment.student_id.in_(students)
        )
        found = {
            student: {"id": key, "timestamp": timestamp, "extension": extension}
            for student, key, timestamp, extension in self._session.execute(statement)
        }
        new: list[dict[str, Any]] = []
        later: list[dict[str, Any]] = []
        for record in records:
            if record.student not in found:
                found[record.student] = {"id": new_uuid(), "timestamp": record.timestamp, "extension": None}
                row = {"id": found[record.student]["id"], "assignment_id": self._rows.assignment_id}
                new.append(row | {"student_id": record.student, "timestamp": record.timestamp})
            elif record.timestamp is not None and record.timestamp != found[record.student]["timestamp"]:
                found[record.student]["timestamp"] = record.timestamp
                later.append({"key": found[record.student]["id"], "timestamp": record.timestamp})
        self._insert(SubmittedAssignment, new)
        self._update(SubmittedAssignment, ("timestamp",), later)
        return found

    def _notebooks(self, submitted: Mapping[str, str]) -> dict[str, str]:
        statement = select(SubmittedNotebook.assignment_id, SubmittedNotebook.id).where(
            SubmittedNotebook.notebook_id == self._rows.notebook_id,
            SubmittedNotebook.assignment_id.in_(list(submitted.values())),
        )
        found = {row.assignment_id: row.id for row in self._session.execute(statement)}
        new = [
            {"id": new_uuid(), "assignment_id": owner, "notebook_id": self._rows.notebook_id, "flagged": False}
            for owner in submitted.values()
            if owner not in found
        ]
        self._insert(SubmittedNotebook, new)
        found |= {row["assignment_id"]: row["id"] for row in new}
        return {student: found[owner] for student, owner in submitted.items()}

    def _write_grades(self, records: Sequence[Record], notebooks: Mapping[str, str]) -> dict[str, float]:
        statement = select(
            Grade.notebook_id,
            Grade.cell_id,
            Grade.id,
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
        ).where(Grade.notebook_id.in_(list(notebooks.values())))
        found = {(row.notebook_id, row.cell_id): row for row in self._session.execute(statement)}
        new: list[dict[str, Any]] = []
        changed: list[dict[str, Any]] = []
        totals: dict[str, float] = {}
        for record in records:
            notebook, total = notebooks[record.student], 0.0
            for name, cell_id in self._rows.grades.items():
                row = found.get((notebook, cell_id))
                auto = record.scores.get(name)
                if row is None:
                    values = {"id": new_uuid(), "notebook_id": notebook, "cell_id": cell_id}
                    new.append(values | {"auto_score": auto, "needs_manual_grade": auto is None})
                    total += auto or 0.0
                    continue
                total += (row.manual_score if row.manual_score is not None else auto) or 0.0
                total += row.extra_credit or 0.0
                needs = _needs_a_person(auto, row.manual_score, bool(row.needs_manual_grade), record.changed)
                if (auto, needs) != (row.auto_score, row.needs_manual_grade):
                    changed.append({"key": row.id, "auto_score": auto, "needs_manual_grade": needs})
            totals[record.student] = total
        self._insert(Grade, new)
        self._update(Grade, ("auto_score", "needs_manual_grade"), changed)
        return totals

    def _write_comments(self, records: Sequence[Record], notebooks: Mapping[str, str]) -> None:
        statement = select(Comment.notebook_id, Comment.cell_id, Comment.id, Comment.auto_comment).where(
            Comment.notebook_id.in_(list(notebooks.values()))
        )
        found = {(row.notebook_id, row.cell_id): row for row in self._session.execute(statement)}
        new: list[dict[str, Any]] = []
        changed: list[dict[str, Any]] = []
        for record in records:
            for name, cell_id in self._rows.comments.items():
                row = found.get((notebooks[record.student], cell_id))
                said = record.comments.get(name)
                if row is None:
                    values = {"id": new_uuid(), "notebook_id": notebooks[record.student], "cell_id": cell_id}
                    new.append(values | {"auto_comment": said})
                elif row.auto_comment != said:
                    changed.append({"key": row.id, "auto_comment": said})
        self._insert(Comment, new)
        self._update(Comment, ("auto_comment",), changed)

    def _write_penalties(
        self, submitted: Mapping[str, Mapping[str, Any]], notebooks: Mapping[str, str], totals: Mapping[str, float]
    ) -> None:
        duedate = self._session.scalar(
            select(AssignmentRow.duedate).where(AssignmentRow.id == self._rows.assignment_id)
        )
        rows = []
        for student, notebook in notebooks.items():
            row = submitted[student]
            penalty = self._penalties.penalty(student, totals[student], row["timestamp"], duedate, row["extension"])
            rows.append({"key": notebook, "late_submission_penalty": penalty})
        self._update(SubmittedNotebook, ("late_submission_penalty",), rows)

    def _insert(self, model: type, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._session.execute(insert(_table(model)), rows)

    def _update(self, model: type, columns: Sequence[str], rows: list[dict[str, Any]]) -> None:
        if rows:
            table = _table(model)
            values = {name: bindparam(name) for name in columns}
            connection = self._session.connection()
            connection.execute(update(table).where(table.c.id == bindparam("key")).values(values), rows)


def _table(model: type) -> Table:
    return model.__table__


def _needs_a_person(auto: float | None, manual: float | None, needed: bool, changed: bool) -> bool:
    """nbgrader marks a cell for a look where there is no automatic score, or where a person scored what was then
    handed in anew; a mere regrade leaves the mark as the person left it."""
    if manual is not None:
        return True if changed else needed
    return auto is None
