"""Measures and removes a folder that a stranger filled: as deep, wide and locked as they liked.

Used on both sides of the wall, so standard library only.
"""

from __future__ import annotations

import itertools
import os
from contextlib import suppress
from pathlib import Path

OWN = 0o700
DEEP = 40


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, following no link.

    Folders are moved up before they are entered, so that neither a path nor a stack grows with their depth.
    """
    free = (folder / str(number) for number in itertools.count())
    with suppress(FileNotFoundError):
        while entries := list(folder.iterdir()):
            for entry in entries:
                if not _is_folder(entry):
                    entry.unlink()
                    continue
                entry.chmod(OWN)
                for inner in list(entry.iterdir()):
                    if _is_folder(inner):
                        inner.chmod(OWN)
                        inner.rename(next(path for path in free if not os.path.lexists(path)))
                    else:
                        inner.unlink()
                entry.rmdir()
        folder.rmdir()


def holds_more(folder: Path, size: int, files: int) -> bool:
    """Whether a folder holds more than so many bytes or files; folders nested beyond any use count as too many."""
    waiting = [(str(folder), 0)]
    while waiting:
        place, depth = waiting.pop()
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                with suppress(OSError):
                    size -= 512 * entry.stat(follow_symlinks=False).st_blocks
                files -= 1
                if size < 0 or files < 0 or depth > DEEP:
                    return True
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, depth + 1))
    return False


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
