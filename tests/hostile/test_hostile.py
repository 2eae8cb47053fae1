"""Nothing that a submission does wins a point, reads a secret, harms a neighbour or stays."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from autograder.assignment import Assignment
from autograder.submission import Readable
from tests.support.scenarios import ROOT, Scenario, load_scenarios

from .conftest import NEIGHBOURS, Class

HOSTILE = load_scenarios("hostile")
SEEDS = {100: (2, 3, 4, 5), 200: (1, 2, 3, 4), 300: (2, 1, 2, 1), 500: (2, 3, 2, 2), 700: (2, 5, 12), 800: (1, 1, 5)}
"""Some of the hidden tests' draws: seed and shape."""


def hidden_numbers() -> list[str]:
    """The first digits of numbers that only a hidden test hands over."""
    drawn = (np.random.default_rng(seed).standard_normal(shape).ravel() for seed, shape in SEEDS.items())
    return [repr(float(number))[:10] for numbers in drawn for number in numbers[:8]]


def hidden_lines(assignment: Assignment) -> set[str]:
    """What stands in a test cell and was not given to the students."""
    found = set()
    for cell in assignment.test_cells:
        found |= {line.strip() for line in cell.source.splitlines()} - {
            line.strip() for line in cell.released.splitlines()
        }
    return {line for line in found if len(line) > 15 and not line.startswith("def concat_heads")}


def shown(found: Class, name: str) -> str:
    """All that anybody but the instructor is shown of a submission."""
    graded = found.graded[name]
    assert graded.outcome is not None
    assert isinstance(graded.submission, Readable)
    tests = {key: (test.score, test.message, test.mistakes) for key, test in graded.outcome.tests.items()}
    return repr((tests, graded.outcome.outputs, graded.outcome.notes, graded.outcome.found, graded.submission.notes))


@pytest.mark.parametrize("scenario", HOSTILE, ids=str)
class TestEachSubmission:
    def test_gets_what_it_earned_and_no_more(self, scenario: Scenario, graded_class: Class):
        outcome = graded_class.graded[scenario.name].outcome
        assert outcome is not None
        assert outcome.broken is None
        lost = {key for key, test in outcome.tests.items() if test.max_score and test.score == 0}
        assert lost == scenario.lost
        assert all(test.score == test.max_score for key, test in outcome.tests.items() if key not in lost)
        assert set(outcome.tests) == {cell.key for cell in graded_class.assignment.test_cells}

    def test_is_told_so(self, scenario: Scenario, graded_class: Class):
        graded = graded_class.graded[scenario.name]
        assert graded.outcome is not None
        assert isinstance(graded.submission, Readable)
        notes = "\n".join((*graded.submission.notes, *graded.outcome.notes))
        for note in scenario.expected.get("notes", []):
            assert note in notes
        for key in scenario.lost:
            assert graded.outcome.tests[key].message

    def test_did_what_it_is_here_for(self, scenario: Scenario, graded_class: Class):
        outputs = repr(graded_class.graded[scenario.name].outcome.outputs)
        for text in scenario.expected.get("shown", []):
            assert text in outputs

    def test_learns_no_secret(self, scenario: Scenario, graded_class: Class):
        words = shown(graded_class, scenario.name)
        assert not [canary for canary in graded_class.canaries if canary in words]
        assert not [number for number in hidden_numbers() if number in words]
        assert not [
            line for line in hidden_lines(graded_class.assignment) if line in words or repr(line)[1:-1] in words
        ]
        assert not [place for place in (str(ROOT), sys.prefix, str(graded_class.root)) if place in words]


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_neighbours_lose_nothing(neighbour: str, graded_class: Class):
    outcome = graded_class.graded[neighbour].outcome
    assert outcome is not None
    assert sum(test.score for test in outcome.tests.values()) == graded_class.assignment.max_score
    assert outcome.notes == []


def test_everybody_is_graded(graded_class: Class):
    assert set(graded_class.graded) == {*NEIGHBOURS, *(scenario.name for scenario in HOSTILE)}


def test_nothing_is_left_and_nothing_is_changed(graded_class: Class):
    before, after = graded_class.before, graded_class.after
    assert after.files == before.files
    assert after.mounts == before.mounts
    assert after.folders <= before.folders
    assert after.processes <= before.processes


def test_every_section_has_its_scenarios():
    sections = {scenario.expected["section"] for scenario in HOSTILE}
    assert sections == {"scores", "secrets", "forgery", "machine", "neighbours", "wire", "inventions"}
