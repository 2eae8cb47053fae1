"""The zip for students: all that they need and nothing that they must not have."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.kit import write_kit
from autograder.settings import load_settings
from tests.support.scenarios import ROOT


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("kit") / "mha-course.zip"
    write_kit(load_settings(ROOT), target)
    return target


def test_it_holds_the_lessons_the_package_and_the_student_versions(kit: Path) -> None:
    names = set(zipfile.ZipFile(kit).namelist())
    notebooks = {
        path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("course/*.ipynb"), *ROOT.glob("release/*/*")]
    }
    assert {f"mha-course/{name}" for name in notebooks} <= names
    assert {"mha-course/README.md", "mha-course/requirements.txt", "mha-course/course/mha/attention.py"} <= names


def test_it_holds_no_source_no_grader_and_no_hidden_test(kit: Path) -> None:
    with zipfile.ZipFile(kit) as archive:
        for name in archive.namelist():
            assert name.split("/")[1] in {"README.md", "requirements.txt", "course", "release"}
            text = archive.read(name).decode("utf-8", "replace")
            assert "BEGIN HIDDEN TESTS" not in text and "BEGIN SOLUTION" not in text
            assert "import autograder" not in text and "from autograder" not in text


def test_the_same_course_gives_the_same_bytes(kit: Path, tmp_path: Path) -> None:
    again = tmp_path / kit.name
    write_kit(load_settings(ROOT), again)
    assert again.read_bytes() == kit.read_bytes()


def test_a_course_without_student_versions_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "course").mkdir()
    with pytest.raises(CourseError, match="make the student versions first"):
        write_kit(load_settings(tmp_path), tmp_path / "kit.zip")
