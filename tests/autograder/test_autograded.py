"""The graded notebook and its folder."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.nbgraderformat import read as nbgrader_read
from nbgrader.utils import determine_grade, is_grade, is_solution

from autograder import submission
from autograder.autograded import autograded_folder, notebook_bytes, write_autograded
from autograder.errors import GraderFailure
from autograder.submission import Readable
from tests.support.course import NAME, RIGHT, Course, outcome


def write(course: Course, student: str = "s", add: float = 3.0, double: float = 2.0) -> Path:
    folder = course.folder(student)
    found = submission.read(folder, course.assignment, course.settings)
    assert isinstance(found, Readable)
    write_autograded(course.settings, course.assignment, student, folder, found, outcome(add, double))
    return autograded_folder(course.settings, student, NAME)


def test_nbgrader_reads_the_same_scores_from_it(course: Course) -> None:
    course.hand_in("s", course.answered(**RIGHT))
    place = write(course, add=0.0, double=1.5)
    with (place / f"{NAME}.ipynb").open(encoding="utf-8") as file:
        notebook = nbgrader_read(file, 4)
    nbformat.validate(notebook)
    log = logging.getLogger(__name__)
    graded = {cell.metadata.nbgrader.grade_id: determine_grade(cell, log) for cell in notebook.cells if is_grade(cell)}
    assert graded == {"test_add": (0, 3.0), "test_double": (1.5, 2.0), "why": (None, 4.0)}
    assert {cell.metadata.nbgrader.grade_id for cell in notebook.cells if is_solution(cell)} == {"add", "double", "why"}


def test_an_untouched_answer_is_zero_for_nbgrader_too(course: Course) -> None:
    course.hand_in("s", course.released())
    with (write(course) / f"{NAME}.ipynb").open(encoding="utf-8") as file:
        why = nbgrader_read(file, 4).cells[-1]
    assert determine_grade(why) == (0, 4.0)


def test_outputs_and_messages_are_shown(course: Course) -> None:
    course.hand_in("s", course.answered(**RIGHT))
    notebook = nbformat.read(write(course, add=0.0) / f"{NAME}.ipynb", 4)
    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert outputs["setup"] == [{"output_type": "stream", "name": "stdout", "text": "hello\nyou\n"}]
    assert outputs["test-add"][0].evalue == "add does not add (Looks like: adds wrongly.)"
    assert outputs["test-double"] == []


def test_the_students_files_come_along_and_links_do_not(course: Course, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = course.hand_in("s", course.answered(**RIGHT), data_txt="1", timestamp_txt="2026-11-30 12:00:00 UTC")
    (folder / "link.txt").symlink_to(tmp_path / "secret")
    (folder / "deep").mkdir()
    (folder / "deep" / "more.txt").write_text("2")
    place = write(course)
    files = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    assert files == {f"{NAME}.ipynb", "data.txt", "timestamp.txt", "deep/more.txt"}


def test_a_file_that_turned_into_a_link_is_left_out(course: Course, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = course.hand_in("s", course.answered(**RIGHT), data_txt="1")
    found = submission.read(folder, course.assignment, course.settings)
    assert isinstance(found, Readable)
    (folder / "data.txt").unlink()
    (folder / "data.txt").symlink_to(tmp_path / "secret")
    write_autograded(course.settings, course.assignment, "s", folder, found, outcome())
    assert not (autograded_folder(course.settings, "s", NAME) / "data.txt").exists()


def test_what_was_there_is_replaced_whole(course: Course) -> None:
    course.hand_in("s", course.answered(**RIGHT))
    place = write(course)
    (place / "old.txt").write_text("old")
    before = (place / f"{NAME}.ipynb").read_bytes()
    write(course)
    assert [path.name for path in place.iterdir()] == [f"{NAME}.ipynb"]
    assert (place / f"{NAME}.ipynb").read_bytes() == before
    assert [path.name for path in place.parent.iterdir()] == [NAME]


def test_nothing_is_written_through_a_link(course: Course, tmp_path: Path) -> None:
    course.hand_in("s", course.answered(**RIGHT))
    outside = tmp_path / "outside"
    outside.mkdir()
    course.settings.autograded.mkdir()
    (course.settings.autograded / "s").symlink_to(outside)
    with pytest.raises(GraderFailure, match="a link is in its place"):
        write(course)
    assert list(outside.iterdir()) == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_a_notebook_is_written_as_json_writes_it(value: object) -> None:
    made = {"cells": [{"source": "x\ny", "metadata": {"any": value}}], "metadata": {}}
    like = {"cells": [{"source": ["x\n", "y"], "metadata": {"any": value}}], "metadata": {}}
    expected = json.dumps(like, ensure_ascii=False, indent=1, sort_keys=True, separators=(",", ": ")) + "\n"
    assert notebook_bytes(made) == expected.encode()
