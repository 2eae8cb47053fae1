"""A student's submission: found, read whatever its state, and rebuilt on the source's skeleton."""

from __future__ import annotations

import os
import stat
from datetime import datetime
from pathlib import Path
from typing import Final

from autograder.assignment import Assignment, Kind
from autograder.settings import MIB, Settings
from autograder.submission.document import Document, UnreadableNotebook, read_document
from autograder.submission.files import (
    TIMESTAMP_BYTES,
    TIMESTAMP_FILE,
    Listing,
    Refused,
    extra_files,
    list_files,
    read_file,
)
from autograder.submission.match import is_released, likeness, match_cells
from autograder.submission.model import ExtraFile, NeedsAttention, Readable
from autograder.submission.rebuild import rebuild
from autograder.submission.timestamp import parse_timestamp

__all__ = ["ExtraFile", "NeedsAttention", "Readable", "read"]

LIKE_ENOUGH: Final = 0.5
MAX_CANDIDATES: Final = 4

NO_FOLDER: Final = "There is no submission: the folder is missing."
LINKED_FOLDER: Final = "The submission's folder is a link to another place and was not opened."
CANNOT_OPEN: Final = "The submission cannot be opened ({reason})."
NO_NOTEBOOK: Final = "The submission holds no notebook."
OTHER_NOTEBOOK: Final = "No notebook here is this assignment: none has its cells."
SEVERAL: Final = "Several notebooks could be the submission ({files}); keep one and grade again."
RENAMED: Final = "The notebook is named {file} instead of {right}; it was found by its cells."
CHOSEN: Final = "Of several notebooks the only one with changed solutions was taken: {file}."
OTHERS: Final = "Other notebooks in the folder were not graded: {files}."
BAD_TIME: Final = "The time stamp cannot be read, so no lateness was looked at."


def read(folder: Path, assignment: Assignment, settings: Settings) -> Readable | NeedsAttention:
    """Read the submission of one student.

    Args:
        folder: ``submitted/<student>/<assignment>``, which need not exist.

    Returns:
        The submission rebuilt for grading, or why a person must look at it. Never raises for what a student can do.
    """
    try:
        for place in (folder.parent, folder):
            if stat.S_ISLNK(os.lstat(place).st_mode):
                return NeedsAttention(LINKED_FOLDER)
        listing = list_files(folder)
    except (FileNotFoundError, NotADirectoryError):
        return NeedsAttention(NO_FOLDER)
    except OSError as error:
        return NeedsAttention(CANNOT_OPEN.format(reason=error.strerror))
    chosen = _choose(folder, listing, assignment, settings)
    if isinstance(chosen, NeedsAttention):
        return chosen
    document, found_notes = chosen
    rebuilt = rebuild(assignment, document)
    files, file_notes = extra_files(folder, listing, f"{assignment.notebook}.ipynb", assignment.files, settings)
    timestamp, time_notes = _timestamp(folder, listing)
    return Readable(
        task=rebuilt.task,
        notebook=rebuilt.notebook,
        keys=rebuilt.keys,
        notes=(*listing.notes, *found_notes, *rebuilt.notes, *file_notes, *time_notes),
        timestamp=timestamp,
        extra_files=files,
        untouched=rebuilt.untouched,
    )


def _open(folder: Path, name: str, settings: Settings) -> Document | str:
    """The notebook of that name, or a sentence on why it cannot be read."""
    try:
        return read_document(read_file(folder, name, settings.notebook_mib * MIB), name)
    except (Refused, UnreadableNotebook) as error:
        return str(error)
    except OSError as error:
        return CANNOT_OPEN.format(reason=error.strerror)


def _choose(
    folder: Path, listing: Listing, assignment: Assignment, settings: Settings
) -> tuple[Document, list[str]] | NeedsAttention:
    right = f"{assignment.notebook}.ipynb"
    notes = tuple(listing.notes)
    if not listing.notebooks:
        return NeedsAttention(NO_NOTEBOOK, notes)
    problems: list[str] = []
    if right in listing.notebooks:
        document = _open(folder, right, settings)
        others = [name for name in listing.notebooks if name != right]
        if isinstance(document, Document):
            return document, [OTHERS.format(files=", ".join(others))] if others else []
        problems.append(document)
    readable: dict[str, Document] = {}
    for name in [name for name in listing.notebooks if name != right][:MAX_CANDIDATES]:
        document = _open(folder, name, settings)
        if isinstance(document, str):
            problems.append(document)
        elif likeness(assignment, document.cells) >= LIKE_ENOUGH:
            readable[name] = document
    if not readable:
        return NeedsAttention(problems[0] if problems else OTHER_NOTEBOOK, notes)
    changed = [name for name, document in readable.items() if _has_answers(assignment, document)]
    if len(readable) > 1 and len(changed) != 1:
        return NeedsAttention(SEVERAL.format(files=", ".join(readable)), notes)
    name = changed[0] if len(readable) > 1 else next(iter(readable))
    found = CHOSEN.format(file=name) if len(readable) > 1 else RENAMED.format(file=name, right=right)
    return readable[name], [*problems, found]


def _has_answers(assignment: Assignment, document: Document) -> bool:
    matching = match_cells(assignment, document.cells)
    return any(
        cell.kind is Kind.SOLUTION
        and own in matching.pairs
        and not is_released(cell, document.cells[matching.pairs[own]].source)
        for own, cell in enumerate(assignment.cells)
    )


def _timestamp(folder: Path, listing: Listing) -> tuple[datetime | None, list[str]]:
    if TIMESTAMP_FILE not in listing.others:
        return None, []
    try:
        text = read_file(folder, TIMESTAMP_FILE, TIMESTAMP_BYTES).decode("utf-8-sig").strip()
        return (parse_timestamp(text) if text else None), []
    except (OSError, ValueError):
        return None, [BAD_TIME]
