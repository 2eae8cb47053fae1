"""Makes the student version of an assignment, and lets nothing out that students must not see.

The assignment is checked, nbgrader generates into a scratch folder, the result is searched for hidden lines and
solutions, and only then put in place. Where a step fails, nothing is written.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from autograder.assignment import (
    Assignment,
    Kind,
    assignment_folder,
    read_source,
    source_notebooks,
)
from autograder.errors import CourseError, GraderFailure, ReleaseError
from autograder.leaks import leaks_in, secrets_of
from autograder.settings import Settings
from autograder.stubs import hidden_lines
from autograder.writing import put_file

SAME_ID: Final = "{notebook}: {count} cells have the id '{cell}'"
BAD_POINTS: Final = "{notebook}: cell '{cell}' has {points} points"
NO_POINTS: Final = "{notebook}: its test cells give no points"
EMPTY_TEST: Final = "{notebook}: test cell '{cell}' hides nothing, though it gives points"
WRONG_TOTAL: Final = "{notebook}: its test cells give {points:g} points, and the settings say {wanted:g}"
SOLUTION_LEFT: Final = "{notebook}: solution cell '{cell}' is released with its solution"
CHANGEABLE: Final = "{notebook}: {problem} in a locked cell; one that students may change does not count"


@dataclass(frozen=True, slots=True)
class Released:
    """What a release wrote."""

    paths: tuple[Path, ...]
    """Every file of the student version."""
    changed: frozenset[Path]
    """Those that were not there before, byte for byte."""


def release_assignment(settings: Settings, name: str, *, audited: bool = True) -> Released:
    """Check the assignment and put its student version in place.

    Args:
        settings: the course.
        name: the assignment.
        audited: try its tests first, in the sandbox: the solution must earn all, the stub nothing, and where
            ``audits/<name>.toml`` says so, no known mistake and no mutant may get away.

    Raises:
        CourseError: no such assignment, or a source notebook that cannot be read.
        ReleaseError: it is not fit to be released; nothing was written.
        AutograderError: a place cannot be written.
    """
    folder = assignment_folder(settings, name)
    notebooks = source_notebooks(folder)
    if not notebooks:
        raise CourseError.no_notebook(folder)
    assignments = [read_source(settings, name, path) for path in notebooks]
    problems = [problem for assignment in assignments for problem in preflight(settings, assignment)]
    if not problems and audited:
        problems = _faults(settings, assignments)
    if problems:
        raise ReleaseError.refused(name, problems)
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        from autograder.generate import generate

        made = generate(settings, name, Path(scratch))
        secrets = [secret for assignment in assignments for secret in secrets_of(settings, assignment)]
        leaks = list(leaks_in(made, secrets))
        if leaks:
            raise ReleaseError.refused(name, leaks)
        _save_rows(settings, assignments)
        return _put_in_place(settings, name, made)


def _faults(settings: Settings, assignments: list[Assignment]) -> list[str]:
    from autograder.audit.gate import release_gate

    return [fault.rstrip(".") for assignment in assignments for fault in release_gate(settings, assignment)]


def preflight(settings: Settings, assignment: Assignment) -> Iterator[str]:
    """What is wrong with a source notebook, one clause each."""
    from autograder.engine.names import authoring_errors
    from autograder.submission.document import Document
    from autograder.submission.model import StudentCell
    from autograder.submission.rebuild import rebuild

    notebook = assignment.notebook
    for cell_id, count in Counter(cell.cell_id for cell in assignment.cells).items():
        if count > 1:
            yield SAME_ID.format(notebook=notebook, cell=cell_id, count=count)
    for cell in assignment.cells:
        if not (math.isfinite(cell.points) and cell.points >= 0):
            yield BAD_POINTS.format(notebook=notebook, cell=cell.key, points=cell.points)
        version = settings.student_version
        if cell.kind is Kind.SOLUTION and cell.source.strip() and cell.stub == cell.source:
            yield SOLUTION_LEFT.format(notebook=notebook, cell=cell.key)
        if cell.kind is Kind.TEST and cell.points and cell.cell_type == "code":
            hidden = hidden_lines(cell.source, version.begin_hidden, version.end_hidden)
            if not any(line.strip() for line in hidden):
                yield EMPTY_TEST.format(notebook=notebook, cell=cell.key)
    if assignment.test_cells and not assignment.max_score:
        yield NO_POINTS.format(notebook=notebook)
    wanted = settings.points.get(assignment.name)
    if wanted is not None and not math.isclose(wanted, assignment.max_score):
        yield WRONG_TOTAL.format(notebook=notebook, points=assignment.max_score, wanted=wanted)
    solved = tuple(
        StudentCell(cell.cell_type, cell.source, cell.key if cell.marked else "", cell.cell_id, {})
        for cell in assignment.cells
    )
    task = rebuild(assignment, Document(solved, "python3", ())).task
    problems = authoring_errors(task)
    yield from (f"{notebook}: {problem}" for problem in problems)
    open_cells = {cell.key for cell in assignment.cells if cell.kind is Kind.GIVEN}
    lasting = replace(task, cells=tuple(cell for cell in task.cells if cell.key not in open_cells))
    # what a student has changed runs on the student's side alone, and a test cannot see it any more
    yield from (
        CHANGEABLE.format(notebook=notebook, problem=problem)
        for problem in authoring_errors(lasting)
        if problem not in problems
    )


def _save_rows(settings: Settings, assignments: list[Assignment]) -> None:
    """Tell the gradebook of the assignment, as nbgrader does on release, so that formgrader shows it."""
    from autograder.gradebook.book import Gradebook

    siblings = frozenset(assignment.notebook for assignment in assignments)
    for assignment in assignments:
        Gradebook(settings, assignment, siblings).close()


def _put_in_place(settings: Settings, name: str, made: Path) -> Released:
    files = sorted(path.relative_to(made) for path in made.rglob("*") if path.is_file())
    target = settings.release / name
    wanted = {target / file: made / file for file in files}
    stale = [path for path in target.rglob("*") if path.is_file() and path not in wanted] if target.is_dir() else []
    copies = settings.root / settings.copies[name] if name in settings.copies else None
    if copies is not None and copies.is_dir():
        wanted |= {copies / file: made / file for file in files if file.suffix == ".ipynb"}
    changed = set()
    try:
        for path, new in wanted.items():
            if not path.is_file() or path.read_bytes() != new.read_bytes():
                put_file(path, new.read_bytes())
                changed.add(path)
        for path in stale:
            path.unlink()
    except OSError as error:
        raise GraderFailure.cannot_write(target, error.strerror or error) from error
    return Released(tuple(wanted), frozenset(changed))
