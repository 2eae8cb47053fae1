"""A small course for every test that asks for one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.gradebook.book import Gradebook
from tests.support.course import Course, make_course


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return make_course(tmp_path / "course")


@pytest.fixture(scope="session")
def blank_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new gradebook: nbgrader starts a process to make one, which takes seconds."""
    made = make_course(tmp_path_factory.mktemp("blank"))
    Gradebook(made.settings, made.assignment).close()
    return made.root / "gradebook.db"


@pytest.fixture
def course_with_database(course: Course, blank_database: Path) -> Course:
    shutil.copy(blank_database, course.root / "gradebook.db")
    return course
