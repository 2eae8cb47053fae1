"""Reads the automatic scores back without nbgrader, whose import would take longer than all else of a run that has
nothing new to grade."""

from __future__ import annotations

from sqlalchemy import column, create_engine, inspect, select, table

from autograder.assignment import Assignment
from autograder.gradebook.address import address_of, in_use
from autograder.settings import Settings

_assignment = table("assignment", column("id"), column("name"))
_notebook = table("notebook", column("id"), column("name"), column("assignment_id"))
_cell = table("base_cell", column("id"), column("name"))
_submitted = table("submitted_assignment", column("id"), column("student_id"), column("assignment_id"))
_submitted_notebook = table("submitted_notebook", column("id"), column("notebook_id"), column("assignment_id"))
_grade = table("grade", column("notebook_id"), column("cell_id"), column("auto_score"))


def stored_scores(settings: Settings, assignment: Assignment) -> dict[str, dict[str, float | None]]:
    """Student -> cell -> automatic score, as the database has it; empty where there is no database yet.

    Raises:
        GradebookError: the database cannot be read.
    """
    address = address_of(settings)
    statement = (
        select(_submitted.c.student_id, _cell.c.name, _grade.c.auto_score)
        .select_from(_grade)
        .join(_cell, _cell.c.id == _grade.c.cell_id)
        .join(_submitted_notebook, _submitted_notebook.c.id == _grade.c.notebook_id)
        .join(_submitted, _submitted.c.id == _submitted_notebook.c.assignment_id)
        .join(_notebook, _notebook.c.id == _submitted_notebook.c.notebook_id)
        .join(_assignment, _assignment.c.id == _notebook.c.assignment_id)
        .where(_assignment.c.name == assignment.name, _notebook.c.name == assignment.notebook)
    )
    found: dict[str, dict[str, float | None]] = {}
    with in_use(address):
        engine = create_engine(address)
        with engine.connect() as connection:
            if inspect(connection).has_table("grade"):
                for student, cell, score in connection.execute(statement):
                    found.setdefault(student, {})[cell] = score
        engine.dispose()
    return found
