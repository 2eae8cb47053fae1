"""What the sandboxed grader gives right answers in unusual shapes, and what it takes from wrong ones."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from autograder.assignment import Assignment
from autograder.job import Graded
from tests.support.scenarios import Scenario, load_scenarios


@pytest.mark.parametrize("scenario", [*load_scenarios("honest"), *load_scenarios("mistaken")], ids=str)
def test_exactly_the_expected_test_cells_are_lost(
    scenario: Scenario, graded: Mapping[str, Graded], assignment: Assignment
) -> None:
    outcome = graded[str(scenario)].outcome
    assert outcome is not None and outcome.broken is None, outcome and outcome.broken
    lost = {key for key, test in outcome.tests.items() if test.max_score and test.score == 0}
    assert lost == scenario.lost
    assert all(test.score == test.max_score for key, test in outcome.tests.items() if key not in lost)
    assert set(outcome.tests) == {cell.key for cell in assignment.test_cells}


@pytest.mark.parametrize("scenario", load_scenarios("mistaken"), ids=str)
def test_every_lost_point_comes_with_a_word_to_the_student(scenario: Scenario, graded: Mapping[str, Graded]) -> None:
    outcome = graded[str(scenario)].outcome
    assert outcome is not None
    for key, test in outcome.tests.items():
        assert bool(test.message) == (test.score < test.max_score or key in scenario.lost), key
