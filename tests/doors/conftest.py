"""nbgrader's own commands in a small course, with the lines of this project's config that plug the engine in."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.course import CONFIG, RIGHT, Course, cell, make_course
from tests.support.scenarios import ROOT

PLUGS: Final = ("c.Autograde.", "c.GenerateFeedback.", "c.HTMLExporter.")
LATE: Final = {"double": "def double(a):\n    return a ** 2", "why": "YOUR ANSWER HERE"}
GRADES: Final = """
    SELECT a.student_id, c.name, g.auto_score, g.manual_score, g.needs_manual_grade FROM grade g
    JOIN base_cell c ON c.id = g.cell_id JOIN submitted_notebook n ON n.id = g.notebook_id
    JOIN submitted_assignment a ON a.id = n.assignment_id ORDER BY a.student_id, c.name"""
COMMENTS: Final = """
    SELECT a.student_id, c.name, m.auto_comment, m.manual_comment FROM comment m
    JOIN base_cell c ON c.id = m.cell_id JOIN submitted_notebook n ON n.id = m.notebook_id
    JOIN submitted_assignment a ON a.id = n.assignment_id ORDER BY a.student_id, c.name"""


def door_lines() -> str:
    """The lines of ``nbgrader_config.py`` that plug the doors in."""
    lines = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line.startswith(PLUGS)]
    assert len(found) == 5, found
    return "\n".join(found) + "\n"


def make_door_course(root: Path) -> Course:
    """The small course, with something of everything handed in; its secret lies beside it."""
    course = make_course(root, config=CONFIG + "c.Autograder.cell_seconds = 3\n" + door_lines())
    secret = root.parent / "secret.txt"
    secret.write_text("the instructor's own", encoding="utf-8")
    course.hand_in("right", course.answered(**RIGHT), timestamp_txt="2026-11-20 10:00:00 UTC", data_txt="mine")
    course.hand_in("late", course.answered(**(RIGHT | LATE)))
    course.hand_in("untouched", course.released())
    course.hand_in("endless", course.answered(**(RIGHT | {"add": "def add(a, b):\n    while True:\n        pass"})))
    course.hand_in("warns", course.answered(**(RIGHT | {"setup": "import sys\nprint('careful', file=sys.stderr)"})))
    twice = course.answered(**RIGHT)
    twice.insert(2, cell("code", "add", "def add(a, b):\n    return 0", dict(twice[2]["metadata"]["nbgrader"])))
    course.hand_in("twice", twice)
    folder = course.hand_in("linked", course.answered(**RIGHT))
    (folder / "data.txt").symlink_to(secret)
    (folder / "more").mkdir()
    (folder / "more" / "deep.txt").symlink_to(secret)
    course.hand_in("cut-off", b'{"cells": [')
    return course


def nbgrader(course: Course, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run an nbgrader command in the course, whatever comes of it."""
    environment = os.environ | {"PATH": path or f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-W", "ignore", "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=course.root, env=environment, capture_output=True, text=True, check=False)


def rows(course: Course, statement: str) -> list[tuple]:
    """What the gradebook says."""
    database = sqlite3.connect(course.root / "gradebook.db")
    try:
        return database.execute(statement).fetchall()
    finally:
        database.close()


def change(course: Course, statement: str) -> int:
    """Change the gradebook as a person's click does; give the number of rows."""
    database = sqlite3.connect(course.root / "gradebook.db")
    try:
        changed = database.execute(statement).rowcount
        database.commit()
        return changed
    finally:
        database.close()


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook that knows the assignment."""
    course = make_course(tmp_path_factory.mktemp("released") / "course")
    done = nbgrader(course, "generate_assignment", "sums", "--force")
    assert done.returncode == 0, done.stderr[-3000:]
    return course.root / "gradebook.db"
