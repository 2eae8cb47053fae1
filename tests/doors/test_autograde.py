"""``nbgrader autograde`` grades as ``autograder grade`` does, and in the same gradebook."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from autograder.feedback.command import run
from autograder.grading import grade_assignment, plan
from autograder.results import Results
from tests.doors.conftest import COMMENTS, GRADES, change, make_door_course, nbgrader, rows
from tests.support.course import NAME, Course

GRADED = ("endless", "late", "linked", "right", "twice", "untouched", "warns")
BY_HAND = """UPDATE grade SET manual_score = 3.5, needs_manual_grade = 0 WHERE cell_id IN
    (SELECT id FROM base_cell WHERE name = 'why')"""
SAID = "UPDATE comment SET manual_comment = 'Well put' WHERE cell_id IN (SELECT id FROM base_cell WHERE name = 'why')"


@dataclass(frozen=True)
class Pair:
    """The same submissions through both doors."""

    door: Course
    """Graded by ``nbgrader autograde``."""
    log: str
    status: int
    own: Course
    """Graded by ``autograder grade``."""
    results: Results


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, released: Path) -> Pair:
    own = make_door_course(tmp_path_factory.mktemp("own") / "course")
    shutil.copy(released, own.root / "gradebook.db")
    results = grade_assignment(plan(own.settings, NAME, workers=2))
    door = make_door_course(tmp_path_factory.mktemp("door") / "course")
    shutil.copy(released, door.root / "gradebook.db")
    done = nbgrader(door, "autograde", NAME)
    return Pair(door, done.stderr, done.returncode, own, results)


def test_scores_and_comments_are_the_same(both: Pair) -> None:
    for statement in (GRADES, COMMENTS):
        # nbgrader makes empty rows for a student before it looks at the file
        assert [row for row in rows(both.door, statement) if row[0] in GRADED] == rows(both.own, statement)
    scores = {(student, name): score for student, name, score, *_ in rows(both.door, GRADES)}
    assert {scores[student, "test_double"] for student in GRADED} == {0.0, 2.0}
    assert [scores[student, "test_add"] for student in ("right", "twice", "endless")] == [3.0, 3.0, 0.0]


def test_the_graded_notebooks_are_the_same(both: Pair) -> None:
    for student in GRADED:
        name = f"autograded/{student}/{NAME}/{NAME}.ipynb"
        assert (both.door.root / name).read_bytes() == (both.own.root / name).read_bytes()
        nbformat.validate(nbformat.read(both.door.root / name, as_version=4))


def test_one_file_that_cannot_be_parsed_stops_nobody(both: Pair) -> None:
    assert both.status == 1
    assert "'sums' for student 'cut-off'" in both.log
    assert not (both.door.root / "autograded" / "cut-off" / NAME).exists()
    assert {row[0] for row in rows(both.door, GRADES) if row[2] is not None} == set(GRADED)


def test_repairs_are_logged(both: Pair) -> None:
    for found in both.results.submissions:
        for note in found.notes if found.student in GRADED else ():
            assert f"{found.student}: {note}" in both.log
    assert "data.txt is a link and was not followed" in both.log


def test_no_link_is_followed_into_autograded(both: Pair) -> None:
    for course in (both.door, both.own):
        files = {path.relative_to(course.root / "autograded"): path for path in course.root.rglob("autograded/*/*/*")}
        assert not [path for path in files if path.parts[0] == "linked" and path.suffix == ".txt"]
        assert files[Path("right", NAME, "data.txt")].read_text() == "mine"
        for path in course.root.rglob("autograded/**/*"):
            assert not path.is_symlink()
            assert path.is_dir() or "the instructor's own" not in path.read_text()


def test_the_feedback_is_the_same(both: Pair, tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    shutil.copytree(both.door.root, course.root, symlinks=True)
    done = nbgrader(course, "generate_feedback", NAME, "--student", "late")
    assert done.returncode == 0, done.stderr[-3000:]
    page = course.root / "feedback" / "late" / NAME / f"{NAME}.html"
    theirs = page.read_bytes()
    page.unlink()
    assert run(course.root, NAME, "late") == 0
    assert page.read_bytes() == theirs
    assert b"double(21)" not in theirs


def test_both_doors_share_a_gradebook(both: Pair, tmp_path: Path) -> None:
    course = Course(tmp_path / "course")
    shutil.copytree(both.door.root, course.root, symlinks=True)
    assert change(course, BY_HAND) == change(course, SAID) == len(GRADED) + 1
    before = rows(course, GRADES), rows(course, COMMENTS)
    results = grade_assignment(plan(course.settings, NAME, workers=2))
    assert (rows(course, GRADES), rows(course, COMMENTS)) == before
    assert {found.student for found in results.submissions if found.score is not None} == set(GRADED)
    done = nbgrader(course, "autograde", NAME, "--force", "--student", "right")
    assert done.returncode == 0, done.stderr[-3000:]
    assert (rows(course, GRADES), rows(course, COMMENTS)) == before


def test_without_isolation_nothing_runs(released: Path, tmp_path: Path) -> None:
    course = make_door_course(tmp_path / "course")
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text() + 'c.Autograder.isolation = "bubblewrap"\n')
    shutil.copy(released, course.root / "gradebook.db")
    marker = tmp_path / "ran"
    course.hand_in(
        "right", course.answered(add=f"open({str(marker)!r}, 'w').close()\ndef add(a, b):\n    return a + b")
    )
    programs = str(Path(sys.executable).parent)
    done = nbgrader(course, "autograde", NAME, "--student", "right", path=programs)
    assert done.returncode == 1
    assert "The isolation 'bubblewrap' does not work on this machine: bwrap is not installed" in done.stderr
    assert not marker.exists()
    assert not (course.root / "autograded" / "right" / NAME).exists()
    assert all(row[2] is None for row in rows(course, GRADES))
