"""One audit of the real assignment, and one each of a small assignment whose tests are good and weak."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.audit.audit import audit
from autograder.audit.report import AuditReport
from autograder.settings import load_settings
from tests.audit.small import good_course, weak_course
from tests.support.course import Course
from tests.support.scenarios import ASSIGNMENT, ROOT


@pytest.fixture(scope="session")
def real() -> AuditReport:
    return audit(load_settings(ROOT), ASSIGNMENT)


@pytest.fixture(scope="session")
def good(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    with _importable(good_course(tmp_path_factory.mktemp("good"))) as course:
        yield course


@pytest.fixture(scope="session")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    with _importable(weak_course(tmp_path_factory.mktemp("weak"))) as course:
        yield course


@contextmanager
def _importable(course: Course) -> Iterator[Course]:
    """The course's own catalogue is a package that must be found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(course.root))
        yield course


@pytest.fixture(scope="session")
def good_report(good: Course) -> AuditReport:
    return audit(good.settings, "sums", workers=2)


@pytest.fixture(scope="session")
def weak_report(weak: Course) -> AuditReport:
    return audit(weak.settings, "sums", workers=2)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return tmp_path / "pages"
