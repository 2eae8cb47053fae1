"""What this machine can do, and what is missing: found out by trying, not by looking for files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.errors import AutograderError, GradebookError
from autograder.results import versions
from autograder.settings import Settings, load_settings

MIN_PYTHON: Final = (3, 11)
STOCK_TAKES_NOT: Final = "stock nbgrader cannot grade these (grade them with 'autograder grade'): {names}"
INSTALL_BUBBLEWRAP: Final = "on Debian and Ubuntu: apt-get install bubblewrap"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    what: str
    ok: bool
    detail: str = ""
    needed: bool = True
    """Whether grading is impossible where this is not ok."""


def examine(course_dir: Path | str = ".") -> list[Finding]:
    """Look at the machine, then at the course."""
    return [*_machine(), *_isolations(), *_course(course_dir)]


def _machine() -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("Python 3.11 or newer", sys.version_info[:2] >= MIN_PYTHON, python)
    for package, version in versions().items():
        if package != "python":
            yield Finding(package, version != "none", version)
    with_bin = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    alembic = shutil.which("alembic", path=with_bin)
    yield Finding("alembic (makes the gradebook)", alembic is not None, alembic or "reinstall nbgrader")


def _isolations() -> Iterator[Finding]:
    from autograder.sandbox.probe import AUTO_ORDER, probe_all

    probes = probe_all()
    usable = [probe.name for probe in probes if probe.works and probe.name in AUTO_ORDER]
    for probe in probes:
        detail = f"{probe.milliseconds:.0f} ms from nothing to the first answer" if probe.works else probe.why
        if probe.gives_up:
            detail += f"; {probe.gives_up}"
        yield Finding(f"isolation {probe.name}", probe.works, detail, needed=False)
    yield Finding("an isolation for --isolation auto", bool(usable), ", ".join(usable) or INSTALL_BUBBLEWRAP)


def _course(course_dir: Path | str) -> Iterator[Finding]:
    try:
        settings = load_settings(course_dir)
    except AutograderError as error:
        yield Finding("course folder", False, str(error))
        return
    yield Finding("course folder", True, str(settings.root))
    yield _gradebook(settings)
    for folder in sorted(path for path in settings.source.iterdir() if path.is_dir() and path.name[0] != "."):
        yield from _assignment(settings, folder.name)


def _gradebook(settings: Settings) -> Finding:
    from sqlalchemy import create_engine, inspect

    from autograder.gradebook.address import address_of, in_use, reason_of, shown

    what = "gradebook"
    try:
        url = address_of(settings)
        if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
            folder = Path(url.database).parent
            return Finding(what, os.access(folder, os.W_OK), f"not there yet; it will be made in {folder}")
        with in_use(url):
            tables = inspect(create_engine(url)).get_table_names()
    except GradebookError as error:
        return Finding(what, False, reason_of(error.__cause__ or error))
    return Finding(what, True, f"{shown(url)}, {len(tables)} tables")


def _assignment(settings: Settings, name: str) -> Iterator[Finding]:
    from autograder.assignment import read_assignment

    what = f"assignment {name}"
    try:
        assignment = read_assignment(settings, name)
    except AutograderError as error:
        yield Finding(what, False, str(error), needed=False)
        return
    detail = f"{len(assignment.test_cells)} test cells, {assignment.max_score:g} points"
    yield Finding(what, True, detail)
    odd = stock_cannot_take(settings, name, assignment.notebook)
    if odd:
        yield Finding(f"submissions of {name}", False, STOCK_TAKES_NOT.format(names=", ".join(odd)), needed=False)


def stock_cannot_take(settings: Settings, assignment: str, notebook: str) -> list[str]:
    """The students whose submission stock nbgrader passes over: no file of the right name, or one that is a link."""
    if not settings.submitted.is_dir():
        return []
    odd = []
    for entry in sorted(settings.submitted.iterdir()):
        folder = entry / assignment
        if entry.name.startswith(".") or not os.path.lexists(folder):
            continue
        file = folder / f"{notebook}.ipynb"
        if not file.is_file() or file.is_symlink() or folder.is_symlink() or entry.is_symlink():
            odd.append(entry.name)
    return odd
