"""The release gate: nothing unfit gets out, and the same source gives the same bytes."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook as NbgraderGradebook

from autograder.errors import CourseError, ReleaseError
from autograder.leaks import leaks_in, secrets_of
from autograder.release import preflight, release_assignment
from tests.support.course import CONFIG, NAME, TEST_ADD, Course, cell, marks, notebook, source_cells


@pytest.fixture
def course(course_with_database: Course) -> Course:
    return course_with_database


def test_it_is_released_once_and_then_unchanged(course: Course) -> None:
    released = course.settings.release / NAME / f"{NAME}.ipynb"
    first = release_assignment(course.settings, NAME)
    assert (first.paths, first.changed) == ((released,), frozenset({released}))
    before = (released.read_bytes(), released.stat().st_mtime_ns)
    assert release_assignment(course.settings, NAME).changed == frozenset()
    assert (released.read_bytes(), released.stat().st_mtime_ns) == before
    text = released.read_text()
    assert "total_of_both" not in text
    assert "large numbers" not in text
    nbformat.validate(nbformat.read(released, 4))
    with NbgraderGradebook(course.settings.db_url) as book:
        assert book.find_assignment(NAME).max_score == 9.0


def test_files_come_along_and_stale_ones_go(course: Course) -> None:
    (course.source.parent / "data.csv").write_text("1,2")
    release_assignment(course.settings, NAME)
    target = course.settings.release / NAME
    assert {path.name for path in target.iterdir()} == {"data.csv", f"{NAME}.ipynb"}
    (course.source.parent / "data.csv").unlink()
    release_assignment(course.settings, NAME)
    assert {path.name for path in target.iterdir()} == {f"{NAME}.ipynb"}


def test_a_copy_where_its_folder_is(course: Course) -> None:
    (course.root / "nbgrader_config.py").write_text(CONFIG + "c.Autograder.copies = {'sums': 'lessons'}\n")
    assert len(release_assignment(course.settings, NAME).paths) == 1
    (course.root / "lessons").mkdir()
    release_assignment(course.settings, NAME)
    released = course.settings.release / NAME / f"{NAME}.ipynb"
    assert (course.root / "lessons" / f"{NAME}.ipynb").read_bytes() == released.read_bytes()


def test_several_notebooks(course: Course) -> None:
    other = [cell("code", "other", "def other():\n    return 'a long answer'", marks("other", solution=True))]
    course.source.with_name("more.ipynb").write_text(json.dumps(notebook(other)))
    names = [path.name for path in release_assignment(course.settings, NAME).paths]
    assert names == ["more.ipynb", f"{NAME}.ipynb"]
    with NbgraderGradebook(course.settings.db_url) as book:
        assert [own.name for own in book.find_assignment(NAME).notebooks] == ["more", NAME]


def refused(course: Course, cells: list[dict], config: str = CONFIG) -> str:
    """Why this source is not released; nothing must have been written."""
    (course.root / "nbgrader_config.py").write_text(config)
    release_assignment(course.settings, NAME)
    target = course.settings.release / NAME / f"{NAME}.ipynb"
    before = target.read_bytes()
    course.source.write_text(json.dumps(notebook(cells)))
    with pytest.raises((ReleaseError, CourseError)) as caught:
        release_assignment(course.settings, NAME)
    assert target.read_bytes() == before
    return str(caught.value)


def test_a_name_in_a_test_that_nobody_defines(course: Course) -> None:
    cells = source_cells()
    cells[5]["source"] = TEST_ADD.replace("add(40, 2)", "ad(40, 2)")
    said = refused(course, cells)
    assert "'sums' was not released" in said
    assert "'ad'" in said
    assert "'test_add'" in said


def test_a_name_in_a_test_that_only_a_cell_open_to_changes_defines(course: Course) -> None:
    """A student who edits that cell would lose the points of a test that their answer passes."""
    cells = source_cells()
    cells[3]["source"] = "import fractions"
    cells[5]["source"] = TEST_ADD.replace("add(40, 2) == 42", "fractions.Fraction(add(40, 2)) == 42")
    said = refused(course, cells)
    assert "test cell 'test_add' uses 'fractions'" in said
    assert "one that students may change does not count" in said


def test_ids_that_are_there_twice(course: Course) -> None:
    cells = source_cells()
    cells[3]["id"] = "setup"
    assert "2 cells have the id 'setup'" in refused(course, cells)


def test_points_that_do_not_sum(course: Course) -> None:
    config = CONFIG + "c.Autograder.points = {'sums': 5}\n"
    cells = source_cells()
    cells[5]["metadata"]["nbgrader"]["points"] = 4
    assert "give 6 points, and the settings say 5" in refused(course, cells, config)


@pytest.mark.parametrize("points", [-1, float("nan")])
def test_points_that_are_none(course: Course, points: float) -> None:
    cells = source_cells()
    cells[5]["metadata"]["nbgrader"]["points"] = points
    assert "cell 'test_add' has" in refused(course, cells)


def test_a_test_that_hides_nothing(course: Course) -> None:
    cells = source_cells()
    cells[5]["source"] = "assert add(1, 2) == 3"
    assert "'test_add' hides nothing" in refused(course, cells)


def test_a_test_that_the_solution_fails(course: Course) -> None:
    cells = source_cells()
    cells[5]["source"] = TEST_ADD.replace("== 42", "== 43")
    assert "test_add" in refused(course, cells)


def test_a_test_that_the_untouched_stub_passes(course: Course) -> None:
    cells = source_cells()
    cells[5]["source"] = TEST_ADD.replace("add(1, 2) == 3", "True").replace(
        "add(40, 2) == 42", "add(40, 2) is None or 1"
    )
    assert "test_add" in refused(course, cells)


def test_a_region_without_an_end(course: Course) -> None:
    cells = source_cells()
    cells[5]["source"] = TEST_ADD.replace("### END HIDDEN TESTS", "")
    assert "has no end" in refused(course, cells)


def test_a_hidden_line_in_a_neighbour_file(course: Course) -> None:
    (course.source.parent / "notes.txt").write_text(TEST_ADD)
    with pytest.raises(ReleaseError, match=r"notes.txt shows a hidden line of cell 'test_add'"):
        release_assignment(course.settings, NAME)
    assert not (course.settings.release / NAME).exists()


def test_a_solution_line_in_another_cells_metadata(course: Course, tmp_path: Path) -> None:
    cells = course.released()
    cells[0]["metadata"]["draft"] = "    total_of_both = a + b  # as in the solution"
    cells[4]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "2"}]
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "a.ipynb").write_text(json.dumps(notebook(cells)))
    secrets = [*secrets_of(course.settings, course.assignment)]
    assert list(leaks_in(tmp_path / "made", secrets)) == [
        "a.ipynb keeps an output of cell 5",
        "a.ipynb shows a line of the solution of cell 'add': total_of_both = a + b",
    ]


def test_every_secret_line_is_found_wherever_it_stands(course: Course, tmp_path: Path) -> None:
    secrets = list(secrets_of(course.settings, course.assignment))
    assert {"total_of_both = a + b", "return add(a, a) + 0 * 1"} <= {secret.line for secret in secrets}
    for number, secret in enumerate(secrets):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.ipynb").write_text(json.dumps(notebook([cell("markdown", "a", f"Look:\n    {secret.line}\n")])))
        assert any(secret.line[:60] in leak for leak in leaks_in(folder, [secret])), secret


def test_the_right_notebook_has_no_problem(course: Course) -> None:
    assert list(preflight(course.settings, course.assignment)) == []
