"""The settings of a course."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.errors import WRONG_USE, AutograderError, CourseError, SettingsError
from autograder.settings import load_settings
from tests.support.course import CONFIG, Course, make_course


def test_defaults_are_those_of_the_design(tmp_path: Path) -> None:
    settings = make_course(tmp_path, config="").settings
    assert settings.limits == {
        "cell_seconds": 10,
        "submission_seconds": 60,
        "memory_mib": 1024,
        "output_mib": 1,
        "reply_mib": 64,
        "file_mib": 10,
        "tmp_mib": 64,
        "notebook_mib": 200,
    }
    assert settings.workers == 0
    assert settings.isolation == "auto"
    assert settings.db_url == f"sqlite:///{tmp_path / 'gradebook.db'}"


def test_values_of_both_sections_are_read(tmp_path: Path) -> None:
    config = CONFIG + "c.Autograder.cell_seconds = 3\nc.CourseDirectory.submitted_directory = 'in'\n"
    config += "c.CourseDirectory.db_url = 'postgresql://me:word@db/book'\nc.Autograder.copies = {'a': 'b'}\n"
    settings = make_course(tmp_path, config=config).settings
    assert settings.cell_seconds == 3
    assert settings.submitted == tmp_path / "in"
    assert settings.db_url == "postgresql://me:word@db/book"
    assert settings.copies == {"a": "b"}
    assert settings.course_id == "small"
    assert settings.student_version.code_stub == "# YOUR CODE HERE\n..."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("c.Autograder.cell_seconds = 0", "cell_seconds"),
        ("c.Autograder.cell_seconds = 'long'", "cell_seconds"),
        ("c.Autograder.isolation = 'hope'", "isolation"),
        ("c.Autograder.cell_second = 5", "there is no setting c.Autograder.cell_second"),
        ("c.CourseDirectory.directory_structure = '{student_id}'", "directory_structure"),
        ("c.ClearSolutions.code_stub = {'R': 'fail()'}", "code_stub"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("def", "SyntaxError"),
    ],
)
def test_a_bad_value_is_one_sentence(tmp_path: Path, line: str, said: str) -> None:
    course = make_course(tmp_path, config=f"{CONFIG}\n{line}\n")
    with pytest.raises(SettingsError) as caught:
        load_settings(course.root)
    assert said in str(caught.value)
    assert str(course.root / "nbgrader_config.py") in str(caught.value)
    assert caught.value.status == WRONG_USE


def test_a_folder_without_sources_is_no_course(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="is not a course folder"):
        load_settings(tmp_path)


def test_errors_survive_the_way_from_a_worker(course: Course) -> None:
    import pickle

    error = pickle.loads(pickle.dumps(AutograderError("Clear.", 1)))
    assert (str(error), error.status) == ("Clear.", 1)
