"""``autograder feedback``: the pages of a class."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import typer

from autograder.assignment import Assignment, read_assignment
from autograder.autograded import autograded_folder
from autograder.errors import ALL_GRADED, SOME_NEED_ATTENTION, CourseError
from autograder.feedback.build import build_page
from autograder.feedback.details import get_details
from autograder.feedback.marks import Marks, read_marks
from autograder.feedback.render import render
from autograder.settings import Settings, load_settings
from autograder.students import chosen, handed_in
from autograder.writing import put_file, refuse_links

PREVIEWS: Final = Path("reports", "preview")
NOTHING: Final = "Nothing of '{assignment}' is graded{who} yet: run 'autograder grade {assignment}' first."
MATCHING: Final = " that matches --student '{pattern}'"
NO_GRADES: Final = "{student}: no page, the gradebook has no grades; run 'autograder grade {assignment}'."
NOT_GRADED: Final = "{student}: no page, the submission is not graded; 'autograder grade {assignment}' says why."
UNREADABLE: Final = "{student}: no page, {path} cannot be read ({reason}); grade it again."
WROTE: Final = "{count} pages in {folder}"
WROTE_ONE: Final = "1 page: {path}"
SECRET: Final = "These previews show hidden tests: they are for the instructor alone."


def run(course_dir: Path, assignment: str, student: str = "*", preview: bool = False) -> int:
    """Write the pages of the students who match, and say where.

    Args:
        course_dir: the course folder.
        assignment: the name of a folder in ``source/``.
        student: a pattern; a name that equals it is meant, whatever it looks like as a pattern.
        preview: write the instructor's version, with every failing call in full, under ``reports/`` instead.

    Returns:
        The exit status: 0 where all have their page, 3 where some have none.

    Raises:
        AutograderError: no such assignment, nothing graded, no gradebook, or a folder that cannot be written.
    """
    settings = load_settings(course_dir)
    read = read_assignment(settings, assignment)
    graded = graded_students(settings, read, student)
    marks = read_marks(settings, read, graded)
    written: list[Path] = []
    for name in graded:
        notebook = _notebook(settings, read, name)
        if isinstance(notebook, str) or name not in marks:
            complaint = notebook if isinstance(notebook, str) else NO_GRADES.format(student=name, assignment=assignment)
            typer.echo(complaint, err=True)
            continue
        written.append(_write(settings, read, name, notebook, marks[name], preview))
    if written:
        folder = settings.root / (PREVIEWS if preview else settings.feedback_directory)
        only = WROTE_ONE.format(path=written[0])
        typer.echo(only if len(written) == 1 else WROTE.format(count=len(written), folder=folder))
        if preview:
            typer.echo(SECRET)
    left = _not_graded(settings, assignment, student, graded)
    for name in left:
        typer.echo(NOT_GRADED.format(student=name, assignment=assignment), err=True)
    return ALL_GRADED if len(written) == len(graded) and not left else SOME_NEED_ATTENTION


def _not_graded(settings: Settings, assignment: str, pattern: str, graded: list[str]) -> list[str]:
    try:
        return [handed.student for handed in handed_in(settings, assignment, pattern) if handed.student not in graded]
    except CourseError:  # submissions may have been moved away since they were graded
        return []


def graded_students(settings: Settings, assignment: Assignment, pattern: str) -> list[str]:
    """Those who match and have a graded notebook, in the order of names.

    Raises:
        CourseError: nobody.
    """
    name = f"{assignment.notebook}.ipynb"
    everyone = sorted(
        entry.name
        for entry in (settings.autograded.iterdir() if settings.autograded.is_dir() else ())
        if (autograded_folder(settings, entry.name, assignment.name) / name).is_file()
    )
    found = chosen(everyone, pattern)
    if not found:
        who = MATCHING.format(pattern=pattern) if everyone else ""
        raise CourseError(NOTHING.format(assignment=assignment.name, who=who))
    return found


def feedback_page(settings: Settings, assignment: Assignment, student: str, preview: bool = False) -> Path:
    """Where a student's page lies; the instructor's preview lies where nothing is handed out from."""
    folder = settings.root / (PREVIEWS if preview else settings.feedback_directory)
    return folder / student / assignment.name / f"{assignment.notebook}.html"


def _notebook(settings: Settings, assignment: Assignment, student: str) -> Mapping[str, Any] | str:
    """The graded notebook, or a sentence on why there is none to be had."""
    path = autograded_folder(settings, student, assignment.name) / f"{assignment.notebook}.ipynb"
    try:
        notebook = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        return UNREADABLE.format(student=student, path=path, reason=type(error).__name__)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        return UNREADABLE.format(student=student, path=path, reason="it is no notebook")
    return notebook


def _write(
    settings: Settings, assignment: Assignment, student: str, notebook: Mapping[str, Any], marks: Marks, preview: bool
) -> Path:
    details = get_details(settings, assignment.name, student) if preview else None
    html = render(build_page(settings, assignment, student, notebook, marks, details))
    path = feedback_page(settings, assignment, student, preview)
    refuse_links(path.parent.parent, path.parent)
    put_file(path, html.encode(errors="replace"))
    return path
