"""A small class that was graded, in which a person has marked something."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from autograder.grading import grade_assignment, plan
from tests.feedback.hostile import CODE, MARKDOWN, RAW
from tests.support.course import NAME, RIGHT, Course, cell, make_course

WRONG = {
    "add": "def add(a, b):\n    return a - b",
    "double": "def double(a):\n    raise KeyError(f'carried out: {a}')",
    "why": "I do not know.",
}
COMMENT = "<b>Well put</b>\nSecond line."


@pytest.fixture(scope="session")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Graded once; shared by tests that only read."""
    course = make_course(tmp_path_factory.mktemp("marked"))
    course.hand_in("right", course.answered(**RIGHT))
    course.hand_in("wrong", [*course.answered(**WRONG), cell("code", "own", "import numpy\nnumpy.zeros(-1)")])
    course.hand_in("idle", course.released())
    course.hand_in(
        "hostile",
        [
            *course.answered(**(RIGHT | {"why": MARKDOWN})),
            cell("code", "acts", CODE),
            cell("markdown", "acts-too", MARKDOWN),
            cell("raw", "acts-raw", RAW),
        ],
    )
    grade_assignment(plan(course.settings, NAME, workers=2))
    with sqlite3.connect(course.root / "gradebook.db") as database:
        grade = """UPDATE grade SET manual_score = 3, needs_manual_grade = 0 WHERE cell_id IN
            (SELECT id FROM base_cell WHERE name = 'why') AND notebook_id IN (SELECT n.id FROM submitted_notebook n
            JOIN submitted_assignment a ON a.id = n.assignment_id WHERE a.student_id = 'right')"""
        assert database.execute(grade).rowcount == 1
        comment = """UPDATE comment SET manual_comment = ? WHERE cell_id IN
            (SELECT id FROM base_cell WHERE name = 'why') AND notebook_id IN (SELECT n.id FROM submitted_notebook n
            JOIN submitted_assignment a ON a.id = n.assignment_id WHERE a.student_id = 'right')"""
        assert database.execute(comment, [COMMENT]).rowcount == 1
        late = """UPDATE submitted_notebook SET late_submission_penalty = 0.5 WHERE assignment_id IN
            (SELECT id FROM submitted_assignment WHERE student_id = 'right')"""
        assert database.execute(late).rowcount == 1
    database.close()
    return course


@pytest.fixture
def own_copy(marked: Course, tmp_path: Path) -> Course:
    """The same, for a test that changes something."""
    shutil.copytree(marked.root, tmp_path / "course", symlinks=True)
    return Course(tmp_path / "course")


def graded_notebook(course: Course, student: str) -> dict:
    """The notebook in ``autograded/``."""
    return json.loads((course.root / "autograded" / student / NAME / f"{NAME}.ipynb").read_bytes())
