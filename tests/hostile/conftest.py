"""A course with secrets in every corner, in which every hostile scenario is graded beside honest neighbours."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from autograder.assignment import Assignment, read_assignment
from autograder.batch import grade_class
from autograder.job import Graded, Job
from autograder.sandbox.headcount import descendants
from autograder.settings import load_settings
from tests.support.isolations import working
from tests.support.scenarios import ASSIGNMENT, ROOT, load_scenario, load_scenarios, write_submission

NEIGHBOURS = ("neighbour_first", "neighbour_between", "neighbour_last")
HONEST = ROOT / "tests" / "scenarios" / "honest" / "concat_swapaxes"
CONFIG = """
c.Autograder.cell_seconds = 2
c.Autograder.submission_seconds = 40
"""


@dataclass(frozen=True)
class Surroundings:
    """What a stranger must leave as it is."""

    files: Mapping[str, bytes]
    mounts: str
    folders: frozenset[str]
    processes: frozenset[str]


@dataclass(frozen=True)
class Class:
    """A graded class."""

    graded: Mapping[str, Graded]
    assignment: Assignment
    canaries: tuple[str, ...]
    root: Path
    before: Surroundings
    after: Surroundings


@pytest.fixture(scope="session", params=working())
def graded_class(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """All hostile scenarios and their neighbours, graded in one run by one isolation."""
    root = tmp_path_factory.mktemp("course")
    canaries = tuple(f"canary{secrets.token_hex(16)}" for _ in range(7))
    _make_course(root, canaries)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GRADER_SECRET", canaries[0])
        settings = load_settings(root)
        assignment = read_assignment(settings, ASSIGNMENT)
        jobs = [Job(name, assignment, settings.submitted / name / ASSIGNMENT) for name in _hand_in(root, canaries[1])]
        before = _surroundings(root)
        found = grade_class(jobs, settings=settings, isolation=request.param, workers=2)
        graded = {result.student: result for result in found}
    yield Class(graded, assignment, canaries, root, before, _surroundings(root))


def _make_course(root: Path, canaries: tuple[str, ...]) -> None:
    source = root / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    notebook = json.loads((ROOT / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text())
    hide = f'### BEGIN HIDDEN TESTS\nhidden_canary = "{canaries[2]}"  # {canaries[3]}\n'
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        cell["source"] = text.replace("### BEGIN HIDDEN TESTS\n", hide, 1)
    (source / f"{ASSIGNMENT}.ipynb").write_text(json.dumps(notebook))
    (root / "source" / "other").mkdir()
    (root / "source" / "other" / "secret.txt").write_text(canaries[4])
    (root / "secret.txt").write_text(canaries[5])
    (root / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text() + CONFIG)
    with closing(sqlite3.connect(root / "gradebook.db")) as database, database:
        database.execute("CREATE TABLE grade (auto_score REAL, secret TEXT)")
        database.execute("INSERT INTO grade VALUES (1, ?)", (canaries[6],))


def _hand_in(root: Path, canary: str) -> list[str]:
    """Lay out the class; the honest stand before, among and after the others."""
    submitted = root / "submitted"
    honest = load_scenario(HONEST)
    for name in NEIGHBOURS:
        folder = submitted / name / ASSIGNMENT
        path = write_submission(honest, folder)
        path.write_text(path.read_text().replace("def concat_heads", f"# {canary}\\ndef concat_heads", 1))
        (folder / "notes.txt").write_text(canary)
    hostile = load_scenarios("hostile")
    for scenario in hostile:
        folder = submitted / scenario.name / ASSIGNMENT
        write_submission(scenario, folder)
        if linked := scenario.expected.get("hard_link"):  # no repository can keep one
            (folder / linked).hardlink_to(root / "secret.txt")
    names = [scenario.name for scenario in hostile]
    middle = len(names) // 2
    return [NEIGHBOURS[0], *names[:middle], NEIGHBOURS[1], *names[middle:], NEIGHBOURS[2]]


def _surroundings(root: Path) -> Surroundings:
    files = {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file() and not path.is_symlink()}
    for place in (ROOT / "autograder", ROOT / "course", Path(np.__file__).parent):
        planted = (path for name in ("planted*", "sitecustomize.py", "flood-*") for path in place.rglob(name))
        files |= {str(path): b"" for path in planted}
    for place in (Path("/"), Path("/var/tmp"), Path("/dev/shm"), Path.home()):
        files |= {str(path): b"" for path in place.glob("planted*")}
    # a folder has its owner's process id in its name: those of graders that are still at work are theirs
    named = (path.name for path in Path(tempfile.gettempdir()).glob("autograder-*-*"))
    folders = {name for name in named if not Path("/proc", name.split("-")[1]).exists()}
    commands = (Path("/proc", str(pid), "cmdline").read_bytes() for pid in descendants(os.getpid()))
    # the fork server belongs to multiprocessing and to this process; it stays for the next class
    processes = {command.decode() for command in commands if b"multiprocessing" not in command}
    return Surroundings(files, Path("/proc/mounts").read_text(), frozenset(folders), frozenset(processes))


@pytest.fixture(scope="session", autouse=True)
def _no_leftovers() -> Iterator[None]:
    yield
    for planted in Path(tempfile.gettempdir()).glob("planted-by-a-stranger"):
        shutil.rmtree(planted)
