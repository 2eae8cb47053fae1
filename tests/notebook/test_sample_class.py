"""The sample class is what students of this assignment would hand in, and its README says who did what."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from tests.support.scenarios import ASSIGNMENT, RELEASED, ROOT

EXAMPLES = ROOT / "examples"
UNREADABLE = {"oskar"}
FREE = {"scratch-concat", "scratch-attention"}
released = nbformat.read(RELEASED, as_version=4)
students = sorted(folder.name for folder in (EXAMPLES / "submitted").iterdir() if folder.is_dir())


def handed_in(student: str) -> Path:
    return EXAMPLES / "submitted" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"


def test_the_readme_names_every_student_once() -> None:
    rows = re.findall(r"^\| (\w+) \| .+ \| (\d+|–) \|$", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert [student for student, _ in rows] == students
    assert {student for student, score in rows if score == "–"} == UNREADABLE
    assert len(students) >= 12


@pytest.mark.parametrize("student", [student for student in students if student not in UNREADABLE])
def test_a_hand_in_is_the_student_version_filled_in(student: str) -> None:
    """Where the student version changes, the class must be handed in anew: only what is the student's may differ."""
    notebook = nbformat.read(handed_in(student), as_version=4)
    nbformat.validate(notebook)
    cells = {cell.id: cell for cell in notebook.cells}
    for given in released.cells:
        cell = cells[given.id]
        assert cell.metadata == given.metadata
        if given.id not in FREE and not given.metadata.get("nbgrader", {}).get("solution"):
            assert cell.source == given.source, given.id


@pytest.mark.parametrize("student", sorted(UNREADABLE))
def test_an_unreadable_file_is_no_json(student: str) -> None:
    with pytest.raises(ValueError, match="does not appear to be JSON"):
        nbformat.reads(handed_in(student).read_text(), as_version=4)


def test_jonas_changed_nothing() -> None:
    notebook = nbformat.read(handed_in("jonas"), as_version=4)
    assert [cell.source for cell in notebook.cells] == [cell.source for cell in released.cells]


def test_no_file_tells_where_it_was_made() -> None:
    for student in students:
        assert not re.search(r"/(home|root|tmp|work|Users)/", handed_in(student).read_text()), student
