"""One run of the real grader over every honest, mistaken and fresh scenario, shared by the tests here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.assignment import Assignment, read_assignment
from autograder.batch import grade_class
from autograder.job import Graded, Job
from autograder.sandbox.probe import choose
from autograder.settings import Settings, cores, load_settings
from tests.support.scenarios import ASSIGNMENT, ROOT, load_scenarios, write_submission

KINDS = ("honest", "mistaken", "fresh")


@pytest.fixture(scope="session")
def settings() -> Settings:
    return load_settings(ROOT)


@pytest.fixture(scope="session")
def assignment(settings: Settings) -> Assignment:
    return read_assignment(settings, ASSIGNMENT)


@pytest.fixture(scope="session")
def graded(
    settings: Settings, assignment: Assignment, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Graded]:
    """By scenario, as ``kind/name``: what the grader made of it."""
    submitted: Path = tmp_path_factory.mktemp("submitted")
    jobs = []
    for kind in KINDS:
        for scenario in load_scenarios(kind):
            folder = submitted / kind / scenario.name
            write_submission(scenario, folder)
            jobs.append(Job(str(scenario), assignment, folder))
    isolation = choose("auto").name
    found = grade_class(jobs, settings=settings, isolation=isolation, workers=cores())
    return {result.student: result for result in found}
