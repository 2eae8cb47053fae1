"""Courses in which broken submissions are graded by the command, as an instructor would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.isolations import working
from tests.support.scenarios import ASSIGNMENT, ROOT, Scenario, load_scenarios, write_submission


@dataclass(frozen=True)
class Graded:
    """A course after a run of the grader."""

    root: Path
    isolation: str
    status: int
    """The command's exit status."""
    results: Mapping[str, Any]
    """What ``--json`` wrote."""

    @property
    def submissions(self) -> dict[str, dict[str, Any]]:
        return {submission["student"]: submission for submission in self.results["submissions"]}

    def notebook(self, student: str) -> Path:
        """Where the graded notebook of a student lies."""
        return self.root / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"


def make_course(root: Path, config: str = "") -> Path:
    """A course with the graded assignment, this project's settings and ``config``."""
    shutil.copytree(ROOT / "source" / ASSIGNMENT, root / "source" / ASSIGNMENT)
    (root / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text() + config)
    return root


def submission_folder(root: Path, student: str) -> Path:
    return root / "submitted" / student / ASSIGNMENT


def grade(root: Path, *options: str, environment: Mapping[str, str] | None = None) -> Graded:
    """Run ``autograder grade`` in a course, whatever comes of it."""
    command = [sys.executable, "-m", "autograder", "grade", ASSIGNMENT, "--json", "results.json", *options]
    done = subprocess.run(
        command, cwd=root, env=os.environ | (environment or {}), capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    results = json.loads((root / "results.json").read_text())
    return Graded(root, results["isolation"], done.returncode, results)


def hand_in(root: Path, scenarios: Iterable[Scenario]) -> None:
    """Lay the scenarios out in a course, each as the submission of a student of its name."""
    for scenario in scenarios:
        write_submission(scenario, submission_folder(root, scenario.name))


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """All broken submissions, graded in one run in the isolation that ``auto`` takes."""
    root = make_course(tmp_path_factory.mktemp("broken") / "course")
    hand_in(root, load_scenarios("broken"))
    return grade(root, "--isolation", working()[0], "--workers", "2")


@pytest.fixture(scope="session", params=working()[1:])
def graded_by_another(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Those with code of their own, by each other isolation: how a file is read does not depend on it."""
    root = make_course(tmp_path_factory.mktemp(request.param) / "course")
    hand_in(root, (scenario for scenario in load_scenarios("broken") if scenario.cells))
    return grade(root, "--isolation", request.param, "--workers", "2")
