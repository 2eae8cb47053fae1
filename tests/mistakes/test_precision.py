"""A name is right only where the function and the named mistake agree on inputs that the matcher never uses."""

from __future__ import annotations

import itertools

import pytest
from mha.mistakes import CATALOGUE, diagnose
from mha.mistakes._known import seen_of
from mha.mistakes.probe import same

from tests.mistakes import held_out

CONTRACTS = list(CATALOGUE.contracts)
ILL_CONDITIONED = {"divides_by_sum_without_exp"}
"""A factor before it cancels out, but for rounding, which a sum near zero blows up."""


@pytest.fixture(scope="module")
def inputs():
    return {contract: held_out.probes(contract) for contract in CONTRACTS}


@pytest.mark.parametrize("contract", CONTRACTS)
def test_mistakes_that_no_probe_tells_apart_agree_on_200_held_out_inputs(contract, inputs):
    asked = CATALOGUE.contracts[contract]
    known = [mistake for mistake in CATALOGUE if mistake.for_contract(contract) is not None]
    for one, other in itertools.combinations(known, 2):
        alike = all(same(seen_of(one, asked, p), seen_of(other, asked, p), p) for p in asked.load_probes())
        if alike and {one.id, other.id} <= set(diagnose(one.for_contract(contract), contract).mistakes):
            differs = held_out.disagreement(one.for_contract(contract), other.for_contract(contract), inputs[contract])
            assert differs is None, f"{one.id} and {other.id} are told apart by {differs}"


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_mistake_is_told_from_a_right_function_by_the_probes(contract):
    right = CATALOGUE.contracts[contract].assemble({})
    assert diagnose(right, contract).right
    for mistake in CATALOGUE:
        wrong = mistake.for_contract(contract)
        if wrong is not None:
            assert not diagnose(wrong, contract).right, mistake.id


def pairs(contract):
    """Every pair of mistakes that can be made at once, thinned out to some hundreds."""
    known = [mistake for mistake in CATALOGUE if mistake.for_contract(contract) is not None]
    apart = [
        (one, other)
        for one, other in itertools.combinations(known, 2)
        if not set(one.steps) & set(other.steps) and "whole" not in {*one.steps, *other.steps}
    ]
    return apart[:: max(1, len(apart) // 150)]


@pytest.mark.parametrize("contract", ["concat_heads", "multi_head_attention_per_head", "multi_head_attention"])
def test_what_makes_two_mistakes_is_named_after_one_only_where_the_other_never_shows(contract, inputs):
    for one, other in pairs(contract):
        both = CATALOGUE.contracts[contract].assemble({**one.steps, **other.steps})
        for named in set(diagnose(both, contract).mistakes) - ILL_CONDITIONED:
            single = CATALOGUE[named].for_contract(contract)
            differs = held_out.disagreement(both, single, inputs[contract])
            assert differs is None, f"{one.id} with {other.id} is not {named}, as is seen from {differs}"
