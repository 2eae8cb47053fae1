"""What is broken in good faith is graded as well as can be, with a note; what cannot be read waits for a person."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from tests.support.scenarios import SCENARIOS, SOURCE, Scenario, load_scenario, load_scenarios, write_submission

from .conftest import Graded, grade, hand_in, make_course, submission_folder

BROKEN = load_scenarios("broken")
READABLE = [scenario for scenario in BROKEN if scenario.expected["status"] == "graded"]
UNREADABLE = [scenario for scenario in BROKEN if scenario.expected["status"] == "needs_attention"]
WITH_CODE = [scenario for scenario in BROKEN if scenario.cells]
NEED_ATTENTION = 3
ITEMS = {
    "missing notebook",
    "renamed",
    "two candidates: exact name",
    "two candidates: one changed",
    "two candidates: needs attention",
    "0 bytes",
    "truncated JSON",
    "[]",
    "HTML saved as .ipynb",
    "an old or newer nbformat: old",
    "an old or newer nbformat: newer",
    "a byte-order mark",
    "another encoding",
    "a deleted test cell",
    "deleted, duplicated, split or moved solution cell: deleted",
    "deleted, duplicated, split or moved solution cell: duplicated",
    "deleted, duplicated, split or moved solution cell: split",
    "deleted, duplicated, split or moved solution cell: moved",
    "an untouched stub below an extra cell that holds the answer",
    "a solution cell turned to markdown",
    "locked cells edited",
    "metadata stripped or edited: stripped",
    "metadata stripped or edited: edited",
    "cells with unknown ids",
    "duplicate cell ids",
    "another kernel's name or none",
    "input()",
    "a very large output already in the file",
    "answers written in an extra cell",
    "a syntax error in one cell",
    "%timeit, !ls, display(...), plt.show()",
    "warnings and prints to stderr",
    "an unreadable time stamp",
}
"""Every way to be broken that fits in a folder; the rest stands in ``test_sizes_and_names``."""


def check(scenario: Scenario, graded: Graded) -> None:
    found = graded.submissions[scenario.name]
    assert found["status"] == scenario.expected["status"], found["notes"]
    notes = "\n".join(found["notes"])
    for note in scenario.expected["notes"]:
        assert note in notes
    lost = {key for key, cell in found["cells"].items() if cell["max_score"] and not cell["score"]}
    assert lost == scenario.lost
    assert all(cell["score"] == cell["max_score"] for key, cell in found["cells"].items() if key not in lost)


@pytest.mark.parametrize("scenario", BROKEN, ids=lambda scenario: scenario.name)
def test_gets_what_its_answers_earn(scenario: Scenario, graded: Graded) -> None:
    check(scenario, graded)


def test_whichever_isolation_runs_it(graded_by_another: Graded) -> None:
    assert set(graded_by_another.submissions) == {scenario.name for scenario in WITH_CODE}
    for scenario in WITH_CODE:
        check(scenario, graded_by_another)


def test_the_run_ends_and_says_that_some_need_attention(graded: Graded) -> None:
    assert set(graded.submissions) == {scenario.name for scenario in BROKEN}
    assert graded.status == NEED_ATTENTION


def test_what_cannot_be_read_has_no_score(graded: Graded) -> None:
    for scenario in UNREADABLE:
        found = graded.submissions[scenario.name]
        assert (found["score"], found["cells"]) == (None, {})
        assert found["notes"][0].endswith(".")


def test_the_gradebook_has_a_row_for_each_that_was_graded(graded: Graded) -> None:
    with closing(sqlite3.connect(graded.root / "gradebook.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = database.execute("SELECT student_id, count(*) FROM submitted_assignment GROUP BY student_id").fetchall()
        scores = database.execute(
            """SELECT submitted_assignment.student_id, sum(grade.auto_score) FROM grade
            JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
            JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
            JOIN base_cell ON base_cell.id = grade.cell_id WHERE base_cell.name LIKE 'test_%'
            GROUP BY submitted_assignment.student_id"""
        ).fetchall()
    assert dict(rows) == {scenario.name: 1 for scenario in READABLE}
    assert dict(scores) == {scenario.name: graded.submissions[scenario.name]["score"] for scenario in READABLE}


@pytest.mark.parametrize("scenario", READABLE, ids=lambda scenario: scenario.name)
def test_the_graded_notebook_is_a_sound_one(scenario: Scenario, graded: Graded) -> None:
    notebook = nbformat.from_dict(json.loads(graded.notebook(scenario.name).read_bytes()))
    nbformat.validate(notebook)
    assert _marks(notebook) == _marks(nbformat.read(SOURCE, as_version=4))


def test_what_cannot_be_read_leaves_no_graded_notebook(graded: Graded) -> None:
    assert not [scenario.name for scenario in UNREADABLE if graded.notebook(scenario.name).exists()]


def test_an_unreadable_resubmission_keeps_the_earlier_grade(tmp_path: Path) -> None:
    root = make_course(tmp_path / "course")
    right = load_scenario(SCENARIOS / "honest" / "concat_swapaxes")
    for scenario in UNREADABLE:
        write_submission(right, submission_folder(root, scenario.name))
    first = grade(root, "--workers", "2")
    assert first.status == 0
    before = _grades(root)
    assert len({student for student, *_ in before}) == len(UNREADABLE)
    shutil.rmtree(root / "submitted")
    hand_in(root, UNREADABLE)
    again = grade(root, "--workers", "2")
    assert again.status == NEED_ATTENTION
    assert {found["status"] for found in again.submissions.values()} == {"needs_attention"}
    assert _grades(root) == before
    assert all(again.notebook(scenario.name).exists() for scenario in UNREADABLE)


def test_every_way_to_be_broken_has_a_scenario() -> None:
    assert {scenario.expected["item"] for scenario in BROKEN} == ITEMS


def _marks(notebook: NotebookNode) -> list[str]:
    return [cell.metadata["nbgrader"]["grade_id"] for cell in notebook.cells if "nbgrader" in cell.metadata]


def _grades(root: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(root / "gradebook.db")) as database:
        return database.execute(
            """SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score, grade.needs_manual_grade
            FROM grade JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
            JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
            JOIN base_cell ON base_cell.id = grade.cell_id ORDER BY 1, 2"""
        ).fetchall()
