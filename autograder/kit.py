"""One zip with all that a student gets, so that an instructor can keep source/ to themselves."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from autograder.assignment import LEAVINGS
from autograder.errors import CourseError
from autograder.settings import Settings
from autograder.writing import check_target, put_file

COURSE: Final = "course"
MOMENT: Final = (2026, 1, 1, 0, 0, 0)
"""Every file's time, so that the same course gives the same bytes."""

REQUIREMENTS: Final = """\
# What the lessons and the graded notebook need. Every line installs without a compiler.
jupyterlab>=4.6,<5
numpy>=2.1,<3
matplotlib>=3.9,<4
nbgrader>=0.9.6,<0.10  # the Validate button
-e ./course
"""

README: Final = """\
# Multi-head attention

Five lessons and a graded notebook. You need Python 3.11 or newer.

Linux and macOS:

    python3 -m venv .venv
    .venv/bin/pip install -r requirements.txt
    .venv/bin/jupyter lab

Windows (PowerShell):

    py -m venv .venv
    .venv\\Scripts\\pip install -r requirements.txt
    .venv\\Scripts\\jupyter lab

Start with `course/README.md`: it is the map of the lessons. What you hand in lies in `release/`.
"""


def write_kit(settings: Settings, target: Path) -> list[str]:
    """Write the zip and give the names of what is in it.

    Args:
        settings: the course.
        target: the zip file; its folder is made where it is missing.

    Raises:
        CourseError: there are no lessons or no student version to pack.
        AutograderError: the zip cannot be written.
    """
    check_target(target)
    folders = [settings.root / COURSE, settings.release]
    for folder in folders:
        if not folder.is_dir():
            raise CourseError.nothing_to_pack(folder)
    top = Path(target.stem)
    texts = {top / "README.md": README, top / "requirements.txt": REQUIREMENTS}
    files = {top / path.relative_to(settings.root): path for folder in folders for path in _files(folder)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted([*texts, *files]):
            content = texts[name].encode() if name in texts else files[name].read_bytes()
            entry = zipfile.ZipInfo(name.as_posix(), MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    put_file(target, packed.getvalue())
    return [name.as_posix() for name in sorted([*texts, *files])]


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part in LEAVINGS or part.endswith(".egg-info") for part in path.relative_to(folder).parts)
        if path.is_file() and not path.is_symlink() and not hidden:
            yield path
