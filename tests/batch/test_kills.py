"""``kill -9`` in the middle of a batch: whatever is killed, the class gets the grades of an undisturbed run."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tests.support.scenarios import ASSIGNMENT, ROOT

STUDENTS = ("ada", "bela", "chen", "emil", "goran", "jonas", "kofi", "lena", "mateo", "nadia", "oskar")
CONFIG = """
c.Autograder.cell_seconds = 1
"""
TRIES = 3000
NEEDS_ATTENTION = 3


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a class that has every kind of submission in it, one that never ends among them."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "source" / ASSIGNMENT, course / "source" / ASSIGNMENT)
    (course / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text() + CONFIG)
    for student in STUDENTS:
        shutil.copytree(ROOT / "examples" / "submitted" / student, course / "submitted" / student)
    return course


@pytest.fixture(scope="module")
def undisturbed(handed_in: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    course = tmp_path_factory.mktemp("undisturbed") / "course"
    shutil.copytree(handed_in, course)
    grading = _start(course)
    assert grading.wait(120) == NEEDS_ATTENTION
    return _result(course)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_worker_loses_no_submission(
    handed_in: Path, undisturbed: dict[str, object], tmp_path: Path, workers: int
) -> None:
    course = shutil.copytree(handed_in, tmp_path / "course")
    grading = _start(course, workers)
    _wait_for(lambda: any((course / "autograded").glob("*")), grading)
    _kill_one(grading, _is_worker)
    assert grading.wait(120) == NEEDS_ATTENTION
    assert _result(course) == undisturbed
    _check_gradebook(course)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_zygote_costs_nobody_a_point(
    handed_in: Path, undisturbed: dict[str, object], tmp_path: Path, workers: int
) -> None:
    course = shutil.copytree(handed_in, tmp_path / "course")
    grading = _start(course, workers)
    _wait_for(lambda: any((course / "autograded").glob("*")), grading)
    _kill_one(grading, _is_zygote)
    assert grading.wait(120) == NEEDS_ATTENTION
    assert _result(course) == undisturbed
    _check_gradebook(course)


@pytest.mark.parametrize("wanted", ["worker", "zygote"])
def test_what_is_killed_while_the_isolation_is_tried_is_tried_again(
    handed_in: Path, undisturbed: dict[str, object], tmp_path: Path, wanted: str
) -> None:
    course = shutil.copytree(handed_in, tmp_path / "course")
    grading = _start(course, 1)
    _kill_one(grading, {"worker": _is_worker, "zygote": _is_zygote}[wanted])
    assert grading.wait(120) == NEEDS_ATTENTION
    assert _result(course) == undisturbed


def test_a_killed_grader_leaves_nothing_behind_and_can_be_run_again(
    handed_in: Path, undisturbed: dict[str, object], tmp_path: Path
) -> None:
    course = shutil.copytree(handed_in, tmp_path / "course")
    grading = _start(course)
    _wait_for(lambda: any((course / "autograded").glob("*")), grading)
    family = psutil.Process(grading.pid).children(recursive=True)
    grading.send_signal(signal.SIGKILL)
    grading.wait(10)
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive
    again = _start(course)
    assert again.wait(120) == NEEDS_ATTENTION
    assert _result(course) == undisturbed
    _check_gradebook(course)


def _start(course: Path, workers: int = 2) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "autograder", "grade", ASSIGNMENT, "--json", "results.json"]
    command += ["--workers", str(workers)]
    return subprocess.Popen(command, cwd=course, stdout=subprocess.DEVNULL)


def _result(course: Path) -> dict[str, object]:
    return dict(json.loads((course / "results.json").read_text()))


def _kill_one(grading: subprocess.Popen[bytes], wanted: Callable[[psutil.Process], bool]) -> None:
    """Kill the first process below ``grading`` that is wanted, as soon as there is one."""
    found: list[psutil.Process] = []

    def look() -> bool:
        for process in psutil.Process(grading.pid).children(recursive=True):
            try:
                if wanted(process):
                    found.append(process)
            except psutil.NoSuchProcess:
                continue
        return bool(found)

    _wait_for(look, grading)
    found[0].kill()


def _wait_for(condition: Callable[[], bool], grading: subprocess.Popen[bytes]) -> None:
    for _ in range(TRIES):
        if condition():
            return
        try:
            grading.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
        pytest.fail("the grader was done before what should happen on the way")
    pytest.fail("what should happen on the way did not happen")


def _is_worker(process: psutil.Process) -> bool:
    """A worker is forked from the fork server and owns a sandbox."""
    from_fork_server = "multiprocessing.forkserver" in " ".join(process.cmdline())
    return from_fork_server and any("bwrap" in child.name() for child in process.children())


def _is_zygote(process: psutil.Process) -> bool:
    """The first Python behind a worker's wall."""
    above = process.parents()
    inside = "python" in process.name() and len(above) > 3 and "bwrap" in above[0].name()
    return inside and any(_is_worker(ancestor) for ancestor in above[:4])


def _check_gradebook(course: Path) -> None:
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = database.execute("SELECT student_id, count(*) FROM submitted_assignment GROUP BY student_id").fetchall()
    readable = sorted(student for student in STUDENTS if student != "oskar")
    assert sorted(rows) == [(student, 1) for student in readable]
