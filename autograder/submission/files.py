"""The files of one student's folder, opened so that no link leads out of it."""

from __future__ import annotations

import errno
import itertools
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from autograder.settings import MIB, Settings
from autograder.submission.model import ExtraFile

TIMESTAMP_FILE: Final = "timestamp.txt"
TIMESTAMP_BYTES: Final = 4096
MAX_FILES: Final = 1000
MAX_DEPTH: Final = 6
KEPT_FILES: Final = 200
IGNORED_FOLDERS: Final = frozenset({".ipynb_checkpoints", "__pycache__", "__MACOSX", ".git", ".venv", "node_modules"})

LINK_REFUSED: Final = "The file {file} is a link and was not followed."
HARD_LINK_REFUSED: Final = "The file {file} is shared with a place outside this submission and was not read."
ODD_FILE_REFUSED: Final = "{file} is neither a file nor a folder and was not read."
ODD_NAME_REFUSED: Final = "The name of {file} is not readable text, and it was not read."
TOO_MANY_FILES: Final = "The folder holds more than {most} files; the rest was not looked at."
FILE_TOO_LARGE: Final = "The file {file} is larger than {most} MiB and was left out."
NAME_TAKEN: Final = "The file {file} has a path that a file of the assignment stands in, and was left out."
FILES_TOO_LARGE: Final = "The files beside the notebook exceed {most} MiB; {file} and later ones were left out."


class Refused(ValueError):
    """A file or folder that is not opened; the text is a sentence for the instructor."""


@dataclass(slots=True)
class Listing:
    """What lies in a submission's folder."""

    notebooks: list[str] = field(default_factory=list)
    """Relative names, those on top first."""
    others: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What was refused, in the order of names."""


def list_files(folder: Path) -> Listing:
    """Every regular file of the folder; links, shared files and special files are refused with a note."""
    listing = Listing()
    infos: dict[str, os.stat_result] = {}
    _walk(folder, PurePosixPath(), listing, infos, itertools.count())
    inside: dict[tuple[int, int], int] = {}
    for info in infos.values():
        inside[info.st_dev, info.st_ino] = inside.get((info.st_dev, info.st_ino), 0) + 1
    for name in sorted(infos, key=lambda name: (name.count("/"), name)):
        info = infos[name]
        if info.st_nlink > inside[info.st_dev, info.st_ino]:
            listing.notes.append(HARD_LINK_REFUSED.format(file=name))
            continue
        listing.sizes[name] = info.st_size
        (listing.notebooks if _is_named_notebook(name.rsplit("/", 1)[-1]) else listing.others).append(name)
    return listing


def _is_named_notebook(name: str) -> bool:
    return ".ipynb" in name.lower()


def _walk(
    folder: Path, relative: PurePosixPath, listing: Listing, infos: dict[str, os.stat_result], seen: Iterator[int]
) -> None:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: (not _is_named_notebook(entry.name), entry.name)):
            name = str(relative / entry.name)
            if entry.name in IGNORED_FOLDERS or entry.name.startswith("._"):
                continue
            if next(seen) >= MAX_FILES:  # folders and links count as well
                sentence = TOO_MANY_FILES.format(most=MAX_FILES)
                if sentence not in listing.notes:
                    listing.notes.append(sentence)
                return
            if not name.isprintable() and any("\ud800" <= letter <= "\udfff" for letter in name):
                shown = name.encode(errors="replace").decode()
                listing.notes.append(ODD_NAME_REFUSED.format(file=shown))
                continue
            info = entry.stat(follow_symlinks=False)
            if stat.S_ISLNK(info.st_mode):
                listing.notes.append(LINK_REFUSED.format(file=name))
            elif stat.S_ISREG(info.st_mode):
                infos[name] = info
            elif stat.S_ISDIR(info.st_mode):
                if len(relative.parts) < MAX_DEPTH:
                    _walk(folder / entry.name, relative / entry.name, listing, infos, seen)
            else:
                listing.notes.append(ODD_FILE_REFUSED.format(file=name))


def read_file(folder: Path, name: str, most: int) -> bytes:
    """The bytes of a file below ``folder``, without following a link at any step.

    Raises:
        Refused: it is a link, no regular file, or larger than ``most`` bytes.
        OSError: the system does not let it be read.
    """
    try:
        handle = _open_below(folder, name)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refused(LINK_REFUSED.format(file=name)) from error
        raise
    with os.fdopen(handle, "rb") as file:
        info = os.fstat(file.fileno())
        if not stat.S_ISREG(info.st_mode):
            raise Refused(ODD_FILE_REFUSED.format(file=name))
        if info.st_size > most:
            raise Refused(FILE_TOO_LARGE.format(file=name, most=most // MIB))
        return file.read(most + 1)[:most]


def _open_below(folder: Path, name: str) -> int:
    parts = PurePosixPath(name).parts
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        for part in parts[:-1]:
            deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=directory)
            os.close(directory)
            directory = deeper
        # not blocking: a pipe put in the file's place would otherwise wait for a writer for ever
        return os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory)
    finally:
        os.close(directory)


def extra_files(
    folder: Path, listing: Listing, notebook: str, beside: tuple[tuple[str, Path], ...], settings: Settings
) -> tuple[tuple[ExtraFile, ...], list[str]]:
    """The files that the notebook may need: the student's own, and over them those of the assignment.

    Args:
        folder: the submission.
        listing: what lies in it.
        notebook: the name under which the graded notebook will lie beside the files.
        beside: the assignment's files: name, place.
        settings: how large files may be.

    Returns:
        The files in the order of names, and notes on those left out.
    """
    notes: list[str] = []
    found = {name: ExtraFile(name, path, path.stat().st_size, own=False) for name, path in beside}
    total = 0
    taken = {notebook, TIMESTAMP_FILE, *found}
    names = [name for name in listing.others if name != TIMESTAMP_FILE and name not in found]
    for name in names[:KEPT_FILES]:
        size = listing.sizes[name]
        if _collides(name, taken):
            notes.append(NAME_TAKEN.format(file=name))
            continue
        if size > settings.file_mib * MIB:
            notes.append(FILE_TOO_LARGE.format(file=name, most=settings.file_mib))
            continue
        total += size
        if total > settings.tmp_mib * MIB:
            notes.append(FILES_TOO_LARGE.format(file=name, most=settings.tmp_mib))
            break
        found[name] = ExtraFile(name, folder / name, size, own=True)
    if len(names) > KEPT_FILES:
        notes.append(TOO_MANY_FILES.format(most=KEPT_FILES))
    return tuple(found[name] for name in sorted(found)), notes


def _collides(name: str, taken: set[str]) -> bool:
    """Whether one of these files would have to be a folder for a file of this name, or the other way round."""
    folders = {str(parent) for parent in PurePosixPath(name).parents}
    return not folders.isdisjoint(taken) or any(other.startswith(f"{name}/") for other in taken)
