"""Reading a source notebook, and its equality with what nbgrader makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from autograder.assignment import Kind, read_assignment, read_source, source_notebooks
from autograder.errors import CourseError
from autograder.generate import generate
from autograder.settings import load_settings
from tests.support.course import NAME, Course, cell, make_course, marks, notebook, source_cells

ROOT = Path(__file__).resolve().parents[2]


def test_roles_points_and_names(course: Course) -> None:
    assignment = course.assignment
    kinds = {own.key: own.kind for own in assignment.cells}
    assert kinds == {
        "title": Kind.GIVEN,
        "setup": Kind.LOCKED,
        "add": Kind.SOLUTION,
        "try-add": Kind.GIVEN,
        "check_add": Kind.LOCKED,
        "test_add": Kind.TEST,
        "double": Kind.SOLUTION,
        "test_double": Kind.TEST,
        "why": Kind.SOLUTION,
    }
    assert assignment.functions == {"add", "double"}
    assert assignment.data == frozenset()
    assert assignment.max_score == 5
    assert [own.key for own in assignment.cells if own.by_hand] == ["why"]
    assert next(own for own in assignment.cells if own.key == "check_add").tags == {"check"}


def test_names_of_every_binding(tmp_path: Path) -> None:
    source = "import os\nfrom a import b\nanswer = 42\nsquare = lambda x: x * x\nfor i in range(3):\n    pass\n"
    source += "class Thing:\n    inside = 1\n[j for j in range(3)]\n(first, *rest) = 1, 2\n"
    cells = [*source_cells(), cell("code", "more", source, marks("more", solution=True))]
    assignment = make_course(tmp_path, cells).assignment
    assert assignment.functions == {"add", "double", "square"}
    assert assignment.data == {"answer", "i", "Thing", "first", "rest"}


@pytest.mark.parametrize("name", ["small", *sorted(path.name for path in (ROOT / "source").iterdir())])
def test_what_a_student_gets_is_what_nbgrader_releases(tmp_path: Path, course: Course, name: str) -> None:
    settings = course.settings if name == "small" else load_settings(ROOT)
    name = NAME if name == "small" else name
    made = generate(settings, name, tmp_path)
    for path in source_notebooks(settings.source / name):
        assignment = read_source(settings, name, path)
        released = nbformat.read(made / path.name, 4)
        assert [own.released for own in assignment.cells] == [cell.source for cell in released.cells]
        assert [own.cell_type for own in assignment.cells] == [cell.cell_type for cell in released.cells]
        assert [own.cell_id for own in assignment.cells] == [cell.id for cell in released.cells]
        for own, theirs in zip(assignment.cells, released.cells, strict=True):
            expected = json.loads(json.dumps(theirs.metadata))
            found = json.loads(json.dumps(own.metadata))
            if own.stub != own.released:  # the checksum of a test is that of its full text, as in the database
                expected["nbgrader"].pop("checksum")
                found["nbgrader"].pop("checksum")
            assert found == expected, own.key
        assert assignment.metadata == json.loads(json.dumps(released.metadata))


def test_no_such_assignment_names_those_there_are(course: Course) -> None:
    with pytest.raises(CourseError, match=r"There is no assignment 'sum' in .*; there are: sums\."):
        read_assignment(course.settings, "sum")


@pytest.mark.parametrize("name", ["", "..", "a/b", "../source/sums", "a+b"])
def test_a_name_that_is_none(course: Course, name: str) -> None:
    with pytest.raises(CourseError, match="cannot be an assignment's name"):
        read_assignment(course.settings, name)


def test_no_notebook_and_several(course: Course) -> None:
    (course.root / "source" / "empty").mkdir()
    with pytest.raises(CourseError, match="holds no notebook"):
        read_assignment(course.settings, "empty")
    course.source.with_name("again.ipynb").write_text(course.source.read_text())
    with pytest.raises(CourseError, match=r"holds 2 notebooks \(again.ipynb, sums.ipynb\)"):
        read_assignment(course.settings, NAME)


FORMAT = '"nbformat": 4, "nbformat_minor": 5'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"cells": 3}',
        '{"cells": [], "nbformat": 3, "nbformat_minor": 0}',
        f'{{"cells": {{}}, {FORMAT}}}',
        f'{{"cells": [1], {FORMAT}}}',
        f'{{"cells": [], "metadata": null, {FORMAT}}}',
        f'{{"cells": [{{"metadata": {{"nbgrader": [1]}}}}], {FORMAT}}}',
    ],
)
def test_a_source_that_cannot_be_read(course: Course, text: str) -> None:
    course.source.write_text(text)
    with pytest.raises(CourseError, match="cannot be read"):
        read_assignment(course.settings, NAME)


@pytest.mark.parametrize(
    ("source", "nbgrader", "said"),
    [
        ("x = 1", marks("add", solution=True), "two cells have this grade_id"),
        ("x = 1", marks("", solution=True), "grade_id is empty"),
        ("### BEGIN SOLUTION\nx = 1", marks("x", solution=True), "has no end"),
        ("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", marks("x", locked=True), "not a solution cell"),
        ("### BEGIN HIDDEN TESTS\n### BEGIN HIDDEN TESTS", marks("x", grade=True, points=1), "begins inside another"),
        ("### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS", marks("x", locked=True), "not a test cell"),
        ("x = (", marks("x", solution=True), "not plain Python"),
        ("assert 1", marks("x", grade=True, points="many"), "many"),
    ],
)
def test_a_cell_that_makes_no_sense(course: Course, source: str, nbgrader: dict, said: str) -> None:
    cells = [*source_cells(), cell("code", "odd", source, nbgrader)]
    course.source.write_text(json.dumps(notebook(cells)))
    with pytest.raises(CourseError, match=said):
        read_assignment(course.settings, NAME)


def test_the_fingerprint_follows_the_notebook_and_the_files_beside_it(course: Course) -> None:
    first = course.assignment.fingerprint
    (course.source.parent / "data.csv").write_text("1,2")
    second = course.assignment.fingerprint
    (course.source.parent / "data.csv").write_text("1,3")
    third = course.assignment.fingerprint
    assert len({first, second, third}) == 3
    assert [name for name, _ in course.assignment.files] == ["data.csv"]
