"""nbgrader's own database: same rows as its own programs make, and nobody's work lost."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from mha.mistakes import CATALOGUE
from nbgrader.api import Gradebook as NbgraderGradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import event

from autograder.errors import GradebookError
from autograder.gradebook.book import Gradebook
from autograder.gradebook.comments import comments
from autograder.gradebook.comments import tests_of as cells_about
from autograder.gradebook.record import Record
from autograder.gradebook.scores import stored_scores
from autograder.results import CellResult
from autograder.settings import load_config
from tests.support.course import CONFIG, NAME, Course, cell, make_course, marks, notebook, source_cells

NOON = datetime(2026, 11, 30, 12)
RIGHT = {"test_add": 3.0, "test_double": 2.0, "why": None}


def record(student: str = "s01", **more: Any) -> Record:
    values: dict[str, Any] = {
        "timestamp": None,
        "scores": RIGHT,
        "comments": {"add": None, "double": None, "why": None},
    }
    return Record(student, **values | more)


def write(course: Course, *records: Record) -> None:
    with Gradebook(course.settings, course.assignment) as book:
        book.record(records)


def theirs(course: Course) -> NbgraderGradebook:
    return NbgraderGradebook(course.settings.db_url, "small")


def rows(course: Course) -> dict[str, Any]:
    """All that the database says of the assignment, without the ids, which are random."""
    with theirs(course) as book:
        assignment = book.find_assignment(NAME)
        found = book.find_notebook(NAME, NAME)
        return {
            "course": assignment.course_id,
            "notebooks": [own.name for own in assignment.notebooks],
            "kernelspec": json.loads(found.kernelspec),
            "grade": {own.name: (own.max_score, own.cell_type) for own in found.grade_cells},
            "solution": {own.name for own in found.solution_cells},
            "task": {own.name: (own.max_score, own.cell_type) for own in found.task_cells},
            "source": {own.name: (own.cell_type, own.locked, own.source, own.checksum) for own in found.source_cells},
        }


def stock_release(course: Course) -> None:
    config = load_config(course.root)
    coursedir = CourseDirectory(config=config)
    coursedir.root, coursedir.assignment_id = str(course.root), NAME
    converter = GenerateAssignment(coursedir=coursedir, config=config)
    converter.force = True
    converter.start()


@pytest.fixture
def course(course_with_database: Course) -> Course:
    return course_with_database


@pytest.fixture
def with_task(tmp_path: Path) -> Course:
    task = marks("free", locked=True) | {"task": True, "points": 6}
    return make_course(tmp_path / "task", [*source_cells(), cell("markdown", "free", "Do something.", task)])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_rows_are_those_that_nbgrader_makes(with_task: Course, tmp_path: Path) -> None:
    write(with_task)
    ours = rows(with_task)
    other = make_course(tmp_path / "stock", json.loads(with_task.source.read_text())["cells"])
    with theirs(other):  # makes the database with alembic on PATH
        stock_release(other)
    assert ours == rows(other)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_nbgrader_releases_again_over_our_rows_and_we_write_over_its(course: Course) -> None:
    write(course, record())
    before = rows(course)
    stock_release(course)
    assert rows(course) == before
    write(course, record(scores=RIGHT | {"test_add": 1.0}))
    with theirs(course) as book:
        assert book.find_submission(NAME, "s01").score == 3.0


def test_what_is_recorded_is_what_nbgrader_reads(course: Course) -> None:
    said = {"add": "test_add (1 of 3): no", "double": None, "why": "No response."}
    write(
        course,
        record("s01", scores=RIGHT | {"test_add": 1.0}, comments=said, timestamp=NOON),
        record("s02", scores=RIGHT | {"why": 0.0}),
    )
    with theirs(course) as book:
        first, second = book.find_submission(NAME, "s01"), book.find_submission(NAME, "s02")
        assert (first.score, first.max_score, first.code_score) == (3.0, 9.0, 3.0)
        assert (first.timestamp, first.needs_manual_grade) == (NOON, True)
        assert (second.score, second.timestamp, second.needs_manual_grade) == (5.0, None, False)
        assert book.find_comment("add", NAME, NAME, "s01").comment == said["add"]
        assert book.find_comment("double", NAME, NAME, "s01").comment is None
        assert {own["student"]: own["score"] for own in book.notebook_submission_dicts(NAME, NAME)} == {
            "s01": 3.0,
            "s02": 5.0,
        }
    assert stored_scores(course.settings, course.assignment) == {
        "s01": RIGHT | {"test_add": 1.0},
        "s02": RIGHT | {"why": 0.0},
    }


def by_hand(course: Course, **values: Any) -> None:
    with theirs(course) as book:
        grade = book.find_grade("why", NAME, NAME, "s01")
        grade.manual_score, grade.needs_manual_grade, grade.extra_credit = 4.0, False, 0.5
        book.find_comment("add", NAME, NAME, "s01").manual_comment = "Well done."
        book.db.commit()


def test_what_a_person_gave_survives_a_regrade(course: Course) -> None:
    write(course, record())
    by_hand(course)
    write(course, record(changed=False, comments={"add": "machine", "double": None, "why": None}))
    with theirs(course) as book:
        grade = book.find_grade("why", NAME, NAME, "s01")
        assert (grade.manual_score, grade.auto_score, grade.extra_credit) == (4.0, None, 0.5)
        assert grade.needs_manual_grade is False
        comment = book.find_comment("add", NAME, NAME, "s01")
        assert (comment.manual_comment, comment.auto_comment, comment.comment) == (
            "Well done.",
            "machine",
            "Well done.",
        )
        assert book.find_submission(NAME, "s01").score == 9.5


def test_a_resubmission_marks_what_a_person_scored(course: Course) -> None:
    write(course, record())
    by_hand(course)
    write(course, record(changed=True))
    with theirs(course) as book:
        grade = book.find_grade("why", NAME, NAME, "s01")
        assert (grade.manual_score, grade.needs_manual_grade) == (4.0, True)


def test_many_submissions_take_few_statements_and_one_commit(course: Course) -> None:
    statements: list[str] = []
    commits: list[object] = []
    with Gradebook(course.settings, course.assignment) as book:
        engine = book._book.engine
        event.listen(engine, "before_cursor_execute", lambda *call: statements.append(call[2]))
        event.listen(engine, "commit", commits.append)
        book.record([record(f"s{number}") for number in range(30)])
        first = len(statements)
        book.record([record(f"s{number}", scores=RIGHT | {"test_add": 0.0}) for number in range(30)])
    assert first <= 15
    assert len(statements) - first <= 15
    assert len(commits) == 2


def test_one_that_is_refused_leaves_nothing_behind(course: Course) -> None:
    from sqlalchemy.exc import SQLAlchemyError

    with Gradebook(course.settings, course.assignment) as book:
        with pytest.raises(SQLAlchemyError):
            book.record([record("s01"), record("s02", comments={"add": object()})])
        book.record([record("s03")])
    assert set(stored_scores(course.settings, course.assignment)) == {"s03"}


@pytest.mark.parametrize(
    ("method", "late", "penalty"), [("zero", 60, 5.0), ("zero", -60, None), ("zero", 0, None), ("none", 60, None)]
)
def test_late_penalties_are_nbgraders(
    tmp_path: Path, blank_database: Path, method: str, late: int, penalty: float | None
) -> None:
    course = make_course(tmp_path, config=CONFIG + f"c.LateSubmissionPlugin.penalty_method = {method!r}\n")
    shutil.copy(blank_database, course.root / "gradebook.db")
    write(course)
    with theirs(course) as book:
        book.update_or_create_assignment(NAME, duedate=NOON.isoformat())
    write(course, record(timestamp=NOON + timedelta(seconds=late)))
    with theirs(course) as book:
        assert book.find_submission_notebook(NAME, NAME, "s01").late_submission_penalty == penalty


def test_an_extension_is_granted_and_a_penalty_taken_back(tmp_path: Path, blank_database: Path) -> None:
    course = make_course(tmp_path, config=CONFIG + "c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    shutil.copy(blank_database, course.root / "gradebook.db")
    write(course)
    with theirs(course) as book:
        book.update_or_create_assignment(NAME, duedate=NOON.isoformat())
    late = record(timestamp=NOON + timedelta(hours=1))
    write(course, late)
    with theirs(course) as book:
        assert book.find_submission_notebook(NAME, NAME, "s01").late_submission_penalty == 5.0
        book.grant_extension(NAME, "s01", hours=2)
    write(course, late)
    with theirs(course) as book:
        assert book.find_submission_notebook(NAME, NAME, "s01").late_submission_penalty is None


def test_a_new_test_cell_gets_its_rows(course: Course) -> None:
    write(course, record())
    cells = [*source_cells(), cell("code", "more", "assert add", marks("more", grade=True, points=1))]
    course.source.write_text(json.dumps(notebook(cells)))
    write(course, record(scores=RIGHT | {"more": 1.0}))
    with theirs(course) as book:
        assert book.find_submission(NAME, "s01").score == 6.0


def test_a_cell_that_is_gone_loses_its_rows_unless_a_person_scored_it(course: Course) -> None:
    write(course, record())
    by_hand(course)
    cells = [own for own in source_cells() if own["id"] not in {"test-double", "why"}]
    course.source.write_text(json.dumps(notebook(cells)))
    with pytest.raises(GradebookError, match="cell 'why' of 'sums' is gone"):
        write(course)
    course.source.write_text(json.dumps(notebook([*cells, source_cells()[-1]])))
    write(course)
    assert set(rows(course)["grade"]) == {"test_add", "why"}
    assert set(stored_scores(course.settings, course.assignment)["s01"]) == {"test_add", "why"}


def test_grades_of_another_notebook_are_not_thrown_away(course: Course) -> None:
    write(course, record())
    course.source.rename(course.source.with_name("renamed.ipynb"))
    with pytest.raises(GradebookError, match="has grades for the notebook 'sums'"):
        write(course)


@pytest.mark.parametrize(
    "url",
    ["sqlite:////nowhere/at/all/gradebook.db", "nodb://x", "secret", "sqlite+nodriver:///x", "oracle://u:secret@x"],
)
def test_a_database_that_cannot_be_used(tmp_path: Path, url: str) -> None:
    course = make_course(tmp_path, config=CONFIG + f"c.CourseDirectory.db_url = {url!r}\n")
    with pytest.raises(GradebookError, match="cannot be used"):
        write(course)
    with pytest.raises(GradebookError, match="cannot be used") as caught:
        stored_scores(course.settings, course.assignment)
    assert "secret@" not in str(caught.value)


def test_a_gradebook_may_lie_elsewhere(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    course = make_course(tmp_path / "course", config=CONFIG + f"c.CourseDirectory.db_url = {url!r}\n")
    write(course, record())
    assert set(stored_scores(course.settings, course.assignment)) == {"s01"}
    assert not (course.root / "gradebook.db").exists()


def test_a_file_that_is_no_database(course: Course) -> None:
    (course.root / "gradebook.db").write_text("no database " * 100)
    with pytest.raises(GradebookError, match="file is not a database"):
        write(course)


def test_each_test_cell_belongs_to_one_solution(course: Course) -> None:
    assert cells_about(course.assignment) == {"add": ["test_add"], "double": ["test_double"], "why": []}


def test_advice_is_given_where_nothing_is_wrong(course: Course) -> None:
    cells = {"test_add": CellResult(1.0, 3.0, "add does not add."), "test_double": CellResult(2.0, 2.0)}
    said = comments(course.assignment, cells, frozenset(), {"add": ["Shorter."], "double": ["One loop less."]})
    assert said["add"] == "test_add (1 of 3): add does not add."
    assert said["double"] == "One loop less."


def test_comments_say_what_the_tests_said(course: Course) -> None:
    known = next(iter(CATALOGUE))
    cells = {
        "test_add": CellResult(1.0, 3.0, "add does not\0 add.", (known.id, "adds_wrongly")),
        "test_double": CellResult(2.0, 2.0),
    }
    assert comments(course.assignment, cells, frozenset({"why"}), {}) == {
        "add": f"test_add (1 of 3): add does not add. (Looks like: {known.title.rstrip('.')} · adds wrongly.)",
        "double": None,
        "why": "No response.",
    }


LATER = """
import sys
from autograder.gradebook.book import Gradebook
brought = {"nbformat", "requests", "setuptools", "jupyter_server", "nbgrader.server_extensions.formgrader"}
assert not brought & set(sys.modules), brought & set(sys.modules)
import nbgrader, nbgrader.utils, nbformat, setuptools.archive_util
from nbgrader.auth import jupyterhub
from nbgrader.converters import Autograde
assert nbformat.v4.new_notebook().nbformat == 4
assert jupyterhub.requests.request.__module__ == "requests.api"
nbgrader.utils.unpack_archive(sys.argv[1], sys.argv[2])
try:
    nbgrader.load_formgrader(None)
except AttributeError as error:
    assert "nbgrader.server_extensions.formgrader" in sys.modules, error
"""


def test_what_the_database_leaves_out_is_there_for_whoever_needs_it(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file.txt").write_text("all there")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "in")
    command = [sys.executable, "-W", "ignore", "-c", LATER, packed, str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "file.txt").read_text() == "all there"
