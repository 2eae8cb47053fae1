"""The gradebook's address, and what is said where the database behind it cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import SubprocessError
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from autograder.errors import GradebookError
from autograder.settings import Settings

AS_SET: Final = "of c.CourseDirectory.db_url"
"""Shown in place of an address that is none: it may hold a password, and nobody can tell where."""


def address_of(settings: Settings) -> URL:
    """The address that the settings give.

    Raises:
        GradebookError: it is no address.
    """
    try:
        return make_url(settings.db_url)
    except ArgumentError as error:
        raise GradebookError.unusable(AS_SET, reason_of(error)) from error


def shown(address: URL) -> str:
    """The address as it may be shown: without a password."""
    return address.render_as_string(hide_password=True)


def reason_of(error: BaseException) -> str:
    """The database's own words, without SQLAlchemy's statement and links around them."""
    return str(getattr(error, "orig", None) or error)


@contextmanager
def in_use(address: URL) -> Iterator[None]:
    """What goes wrong with the database meanwhile becomes one sentence: no such place, driver or right, no alembic.

    Raises:
        GradebookError: whatever SQLAlchemy, its driver or nbgrader's migration complains of.
    """
    try:
        yield
    except (SQLAlchemyError, ImportError, OSError, SubprocessError) as error:
        raise GradebookError.unusable(shown(address), reason_of(error)) from error
