"""A class of 60, a third of it hostile and a third broken: the honest third gets what it gets alone, nothing stays."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from autograder.settings import load_settings
from tests.support.isolations import working
from tests.support.scenarios import Scenario, load_scenarios, write_submission

from .conftest import Graded, grade, make_course, submission_folder

A_THIRD: Final = 20
WORKERS: Final = 2
START_SECONDS: Final = 60
"""For starting the command, the workers and their sandboxes, and for its end."""
LIMITS: Final = """
c.Autograder.cell_seconds = 1
c.Autograder.submission_seconds = 10
"""
ENDING_SECONDS: Final = 10
"""For the helpers of Python's own pools, which end when they see that their user has."""
PR_SET_CHILD_SUBREAPER: Final = 36
NEED_ATTENTION: Final = 3


@dataclass(frozen=True)
class Surroundings:
    """What a run must leave as it was."""

    processes: frozenset[psutil.Process]
    """Below this one; what loses its parent comes to this one, too."""
    mounts: str
    folders: frozenset[str]


@dataclass(frozen=True)
class Class:
    """A class that was graded among strangers, and its honest third that was graded by itself."""

    mixed: Graded
    alone: Graded
    honest: tuple[str, ...]
    seconds: float
    before: Surroundings
    after: Surroundings


@pytest.fixture(scope="module", params=working())
def graded_class(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    root = tmp_path_factory.mktemp(f"class-{request.param}")
    honest = _some("honest")
    alone = make_course(root / "alone", LIMITS)
    mixed = make_course(root / "mixed", LIMITS)
    for scenario in honest:
        write_submission(scenario, submission_folder(alone, _student(scenario)))
    for scenario in (*honest, *_some("hostile"), *_some("broken")):
        write_submission(scenario, submission_folder(mixed, _student(scenario)))
    temporary = root / "temporary"
    temporary.mkdir()
    options = ("--isolation", request.param, "--workers", str(WORKERS))
    with _orphans_come_here():
        first = grade(alone, *options)
        before = _surroundings(temporary)
        started = time.monotonic()
        second = grade(mixed, *options, environment={"TMPDIR": str(temporary)})
        seconds = time.monotonic() - started
        after = _surroundings(temporary, before.processes, ENDING_SECONDS)
    yield Class(second, first, tuple(map(_student, honest)), seconds, before, after)


def test_everybody_has_a_result(graded_class: Class) -> None:
    submissions = graded_class.mixed.results["submissions"]
    assert len(submissions) == len({one["student"] for one in submissions}) == 3 * A_THIRD
    assert {one["status"] for one in submissions} == {"graded", "needs_attention"}
    assert graded_class.mixed.status == NEED_ATTENTION


def test_the_honest_get_what_they_get_alone(graded_class: Class) -> None:
    alone, mixed = graded_class.alone.submissions, graded_class.mixed.submissions
    assert set(alone) == set(graded_class.honest)
    for student in graded_class.honest:
        assert mixed[student] == alone[student]
        assert mixed[student]["score"] == mixed[student]["max_score"]


def test_nobody_wins_a_point_that_was_not_earned(graded_class: Class) -> None:
    for scenario in (*_some("hostile"), *_some("broken")):
        cells: dict[str, Any] = graded_class.mixed.submissions[_student(scenario)]["cells"]
        assert not [key for key in scenario.lost if cells and cells[key]["score"]]


def test_the_class_takes_no_longer_than_its_budget(graded_class: Class) -> None:
    settings = load_settings(graded_class.mixed.root)
    assert settings.submission_seconds == 10
    assert graded_class.seconds <= 3 * A_THIRD * settings.submission_seconds / WORKERS + START_SECONDS


def test_nothing_is_left(graded_class: Class) -> None:
    before, after = graded_class.before, graded_class.after
    assert after.processes <= before.processes
    assert after.mounts == before.mounts
    assert after.folders == before.folders == frozenset()


@cache
def _some(kind: str) -> Sequence[Scenario]:
    """A third of the class, spread over all scenarios of the kind."""
    scenarios = load_scenarios(kind)
    return [scenarios[number * len(scenarios) // A_THIRD] for number in range(A_THIRD)]


def _student(scenario: Scenario) -> str:
    """A name by which kinds alternate in the order of grading."""
    place = [one.name for one in _some(scenario.kind)].index(scenario.name)
    return f"{place:02}-{scenario.kind}-{scenario.name}"


def _surroundings(temporary: Path, known: frozenset[psutil.Process] = frozenset(), seconds: float = 0) -> Surroundings:
    """What there is now; a process that is not among the known ones and is about to end is given time to do so."""
    processes = frozenset(psutil.Process().children(recursive=True))
    _, alive = psutil.wait_procs(processes - known, timeout=seconds)
    folders = frozenset(path.name for path in temporary.iterdir())
    return Surroundings(processes & known | frozenset(alive), Path("/proc/self/mounts").read_text(), folders)


@contextmanager
def _orphans_come_here() -> Iterator[None]:
    """A process that outlives its parent becomes a child of this one, so that it is seen."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    try:
        yield
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
