"""Wrong solutions written without a look at hidden tests or catalogue: each loses points, and none is misnamed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from mha.attention import multi_head_attention_per_head, split_heads
from mha.mistakes import CATALOGUE
from mha.mistakes.probe import Probe

from autograder.job import Graded
from tests.mistakes import held_out
from tests.support.scenarios import Scenario, load_scenarios

FRESH = load_scenarios("fresh")
GIVEN = {"np": np, "split_heads": split_heads, "multi_head_attention_per_head": multi_head_attention_per_head}
TASKS = {"concat": "concat_heads", "attention": "multi_head_attention"}


def wrong_task(scenario: Scenario) -> str:
    return TASKS[scenario.name.partition("_")[0]]


def written(scenario: Scenario) -> Callable[..., Any]:
    """The wrong function, defined as in the notebook."""
    names: dict[str, Any] = dict(GIVEN)
    for cell in scenario.cells:
        exec(compile(cell.source, str(scenario), "exec"), names)  # the repository's own code
    function: Callable[..., Any] = names[wrong_task(scenario)]
    return function


@pytest.fixture(scope="module")
def unseen() -> Mapping[str, list[Probe]]:
    """By function: inputs that the matcher never uses."""
    return {task: held_out.probes(task) for task in TASKS.values()}


def test_there_are_enough_for_each_task() -> None:
    for task in TASKS.values():
        assert sum(wrong_task(scenario) == task for scenario in FRESH) >= 18


@pytest.mark.parametrize("scenario", FRESH, ids=str)
def test_it_loses_exactly_the_test_cells_that_it_should(scenario: Scenario, graded: Mapping[str, Graded]) -> None:
    outcome = graded[str(scenario)].outcome
    assert outcome is not None and outcome.broken is None, outcome and outcome.broken
    lost = {key for key, test in outcome.tests.items() if test.max_score and test.score == 0}
    assert lost and lost == scenario.lost
    assert all(test.score == test.max_score for key, test in outcome.tests.items() if key not in lost)
    assert all(bool(test.message) == (key in lost) for key, test in outcome.tests.items() if test.max_score)


@pytest.mark.parametrize("scenario", FRESH, ids=str)
def test_it_gets_the_name_that_a_reader_would_give_it_or_none(scenario: Scenario, graded: Mapping[str, Graded]) -> None:
    outcome = graded[str(scenario)].outcome
    assert outcome is not None
    assert {name: found.mistakes for name, found in outcome.found.items()} == {
        wrong_task(scenario): scenario.expected["named"]
    }
    for test in outcome.tests.values():
        assert test.mistakes in ([], scenario.expected["named"])


@pytest.mark.parametrize("scenario", [fresh for fresh in FRESH if fresh.expected["named"]], ids=str)
def test_what_it_is_named_does_the_same_on_inputs_that_the_matcher_never_saw(
    scenario: Scenario, unseen: Mapping[str, list[Probe]], capsys: pytest.CaptureFixture[str]
) -> None:
    task = wrong_task(scenario)
    for name in scenario.expected["named"]:
        known = CATALOGUE[name].for_contract(task)
        assert known is not None
        assert held_out.disagreement(written(scenario), known, unseen[task]) is None
    capsys.readouterr()  # one of them prints what it should return
