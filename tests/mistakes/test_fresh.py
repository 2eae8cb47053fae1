"""Wrong functions written afresh: each is caught, and a name that it gets agrees with it on 200 held-out inputs."""

from __future__ import annotations

import inspect

import pytest
from mha.mistakes import CATALOGUE, diagnose

from tests.mistakes import held_out
from tests.mistakes.fresh import attention, concat

NO_SUBMISSION = {"concat_heads", "multi_head_attention_per_head", "softmax", "split_heads"}


def written(module, contract):
    functions = inspect.getmembers(module, inspect.isfunction)
    return [pytest.param(function, contract, id=name) for name, function in functions if name not in NO_SUBMISSION]


FRESH = written(concat, "concat_heads") + written(attention, "multi_head_attention")

NAMED = {
    "appends_to_the_front": ("reverses_the_heads",),
    "batch_and_time_swapped": ("moves_time_to_the_front",),
    "buffer_of_default_floats": ("turns_integers_into_floats",),
    "columns_by_stride": ("interleaves_features", "fills_columns_first"),
    "glue_along_last_but_one": ("joins_along_time",),
    "one_reshape_is_enough": ("reshape_without_transpose",),
    "overwrites_every_round": ("keeps_only_the_last_head",),
    "permuted_like_the_split": ("interleaves_features", "fills_columns_first"),
    "prints_the_shape": ("returns_nothing",),
    "returns_inside_the_loop": ("keeps_only_the_first_head",),
    "stacks_and_forgets_the_reshape": ("forgets_to_merge",),
    "sums_instead": ("adds_the_heads",),
    "transposes_then_reshapes_to_the_old_order": ("unpacks_time_as_heads",),
    "adds_the_query_back": ("residual_of_query",),
    "averaged_table": ("averages_weights_over_heads",),
    "bias_in_the_loop": ("bias_for_every_head",),
    "concat_of_the_raw_heads": ("reshape_without_transpose",),
    "flips_the_mask": ("mask_inverted",),
    "forgot_the_bias": ("bias_missing",),
    "forgot_the_mask": ("mask_ignored", "mask_adds_a_tiny_number"),
    "keys_asked": ("swaps_query_and_key",),
    "mask_with_if": ("mask_asked_for_its_truth",),
    "no_scale_at_all": ("forgets_to_scale",),
    "only_the_output": ("returns_only_the_output",),
    "own_split_in_one_go": ("split_straight_to_four_axes",),
    "plain_product": ("weight_not_transposed", "weight_blocks_by_rows"),
    "projection_per_block": ("weight_blocks_only",),
    "projects_the_inputs_too": ("projects_queries_keys_values",),
    "softmax_down_the_columns": ("softmax_over_queries",),
    "softmax_without_care": ("exp_without_maximum",),
    "two_slips": ("reshape_without_transpose", "weight_not_transposed"),
    "value_forgotten": ("takes_values_from_key",),
    "whole_width_and_a_billion": ("divides_by_root_of_width", "dead_row_averages"),
    "whole_width_in_the_root": ("divides_by_root_of_width",),
    "zeroes_after_the_softmax": ("mask_after_softmax",),
}
"""Each read against its function by a person. The others make mistakes that nobody has catalogued."""


@pytest.fixture(scope="module")
def inputs():
    return {contract: held_out.probes(contract) for contract in ("concat_heads", "multi_head_attention")}


@pytest.fixture(autouse=True)
def quiet(capsys):
    yield
    capsys.readouterr()


def test_there_are_enough_of_them():
    assert len(FRESH) >= 30


@pytest.mark.parametrize(("function", "contract"), FRESH)
def test_it_is_caught(function, contract):
    diagnosis = diagnose(function, contract)
    assert not diagnosis.right
    assert diagnosis.facts


@pytest.mark.parametrize(("function", "contract"), FRESH)
def test_a_name_is_never_wrong(function, contract, inputs):
    for name in diagnose(function, contract).mistakes:
        known = CATALOGUE[name].for_contract(contract)
        assert held_out.disagreement(function, known, inputs[contract]) is None


@pytest.mark.parametrize(("function", "contract"), FRESH)
def test_two_names_are_never_wrong(function, contract, inputs):
    both = diagnose(function, contract).combination
    if both:
        steps = {name: step for mistake in both for name, step in CATALOGUE[mistake].steps.items()}
        known = CATALOGUE.contracts[contract].assemble(steps)
        assert held_out.disagreement(function, known, inputs[contract]) is None


@pytest.mark.parametrize(("function", "contract"), FRESH)
def test_it_gets_the_name_that_it_deserves(function, contract):
    diagnosis = diagnose(function, contract)
    assert (diagnosis.mistakes or diagnosis.combination) == NAMED.get(function.__name__, ())
