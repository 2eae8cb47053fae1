"""Files of the grader's own: put in place in one step, and refused before the work is done that would fill them."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Final

from autograder.errors import GraderFailure, SettingsError
from autograder.settings import Settings

FOLDER: Final = ".autograder"
"""What the grader keeps of a course for itself; nothing in it is handed out."""
LINKED: Final = "a link is in its place"
IS_A_FOLDER: Final = "it is a folder"
NO_FOLDER: Final = "{folder} is no folder"
NO_RIGHT: Final = "you may not write there"


def put_file(path: Path, content: bytes) -> None:
    """Write a file so that whoever reads it meanwhile finds the old one or the new one, never half of one.

    Raises:
        GraderFailure: it cannot be written.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(content)
        new.replace(path)
    except OSError as error:
        raise GraderFailure.cannot_write(path, error.strerror or error) from error


def refuse_links(*places: Path) -> None:
    """See to it that what is written below these places lands there; those that are not there yet are fine.

    Raises:
        GraderFailure: a link stands in the place of one.
    """
    for place in places:
        if os.path.lexists(place) and stat.S_ISLNK(os.lstat(place).st_mode):
            raise GraderFailure.cannot_write(place, LINKED)


def check_target(path: Path) -> None:
    """Complain of a file that somebody asked for and that cannot be written, before the work begins.

    Raises:
        SettingsError: it cannot.
    """
    if os.path.isdir(path):  # noqa: PTH112 - unlike pathlib's, this one raises for no path at all
        raise SettingsError.bad_target(path, IS_A_FOLDER)
    folder = next(parent for parent in path.absolute().parents if os.path.lexists(parent))
    if not folder.is_dir():
        raise SettingsError.bad_target(path, NO_FOLDER.format(folder=folder))
    if not os.access(path if os.path.lexists(path) else folder, os.W_OK):
        raise SettingsError.bad_target(path, NO_RIGHT)


def kept_file(settings: Settings, what: str, assignment: str, student: str) -> Path:
    """Where the grader keeps ``what`` of a submission: a student's id may be any text, a file's name may not."""
    name = hashlib.sha256(student.encode(errors="surrogateescape")).hexdigest()[:32]
    return settings.root / FOLDER / what / assignment / f"{name}.json"
