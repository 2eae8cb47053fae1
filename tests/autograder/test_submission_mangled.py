"""However a right notebook is mangled: while its answers are still in it, they are graded, each before its tests."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.submission.document import read_document
from autograder.submission.rebuild import rebuild
from tests.support.course import RIGHT, Course, cell, notebook

Cells = list[dict[str, Any]]
ANSWERS = {RIGHT["add"], RIGHT["double"]}


def delete(cells: Cells, at: int) -> None:
    if cells[at]["source"] not in ANSWERS:
        del cells[at]


def duplicate(cells: Cells, at: int) -> None:
    cells.insert(at, copy.deepcopy(cells[at]))


def move(cells: Cells, at: int) -> None:
    cells.insert((at * 7 + 3) % len(cells), cells.pop(at))


def strip(cells: Cells, at: int) -> None:
    cells[at]["metadata"] = {}


def rename(cells: Cells, at: int) -> None:
    cells[at]["id"] = f"other{at}"


def turn_to_text(cells: Cells, at: int) -> None:
    if "nbgrader" in cells[at]["metadata"]:
        cells[at]["cell_type"] = "raw"


def edit_marks(cells: Cells, at: int) -> None:
    cells[at]["metadata"].get("nbgrader", {}).update(points=100, locked=False, grade=not at % 2)


def scribble(cells: Cells, at: int) -> None:
    cells.insert(at, cell("code", f"own{at}", "print('a thought')"))


def put_stub_back(cells: Cells, at: int) -> None:
    """The answer goes to a cell of the student's own, below a stub that is as released."""
    found = cells[at]
    if found["source"] == RIGHT["add"] and "nbgrader" in found["metadata"]:
        stub = copy.deepcopy(found)
        stub["source"] = 'def add(a, b):\n    """The sum."""\n    # YOUR CODE HERE\n    ...'
        found["metadata"], found["id"] = {}, f"own-answer{at}"
        cells.insert(at, stub)


EDITS = (delete, duplicate, move, strip, rename, turn_to_text, edit_marks, scribble, put_stub_back)


@example([(duplicate, 3), (strip, 2), (strip, 9), (duplicate, 9)])
@given(st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 1000)), max_size=12))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_answers_survive(course: Course, edits: list[tuple[Callable[[Cells, int], None], int]]) -> None:
    cells = course.answered(**RIGHT)
    for edit, at in edits:
        edit(cells, at % len(cells))
    present = {own["source"] for own in cells if own["cell_type"] == "code" or "nbgrader" in own["metadata"]}
    assignment = course.assignment
    rebuilt = rebuild(assignment, read_document(json.dumps(notebook(cells)).encode(), "the file"))
    sources = {own.key: own.source for own in rebuilt.task.cells}
    keys = list(sources)
    for name in ("add", "double"):
        if RIGHT[name] in present:
            assert sources[name] == RIGHT[name]
            assert name not in rebuilt.untouched
        assert keys.index(name) < keys.index(f"test_{name}")
    tests = {own.key: (own.source, own.max_score) for own in rebuilt.task.cells if own.role == "test"}
    assert tests == {own.key: (own.source, own.points) for own in assignment.test_cells}
