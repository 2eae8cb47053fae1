"""The matcher names every mistake of the catalogue, and no right function."""

from __future__ import annotations

import numpy as np
import pytest
from mha.mistakes import CATALOGUE, Catalogue, Contract, Pointer, diagnose
from mha.mistakes._known import seen_of
from mha.mistakes.matcher import warm
from mha.mistakes.probe import Probe

from tests.mistakes import right

ATTENTION_AND_PROJECTION = [
    mistake.id
    for mistake in CATALOGUE
    if mistake.contract not in ("concat_heads", "split_heads") and mistake.as_multi_head_attention() is not None
]
ONLY_AN_EXCEPTION = {"dot_in_four_dimensions"}
"""As a whole multi_head_attention it raises on every input, which says nothing about why."""


@pytest.mark.parametrize("mistake", CATALOGUE, ids=lambda mistake: mistake.id)
def test_each_mistake_is_named_by_what_it_does(mistake):
    diagnosis = diagnose(mistake.function, mistake.contract)
    assert mistake.id in diagnosis.mistakes
    assert not diagnosis.right
    assert diagnosis.complete
    assert diagnosis.facts
    assert diagnosis.evidence is not None


@pytest.mark.parametrize("mistake_id", sorted(set(ATTENTION_AND_PROJECTION) - ONLY_AN_EXCEPTION))
def test_an_attention_mistake_is_named_inside_multi_head_attention(mistake_id):
    diagnosis = diagnose(CATALOGUE[mistake_id].as_multi_head_attention(), "multi_head_attention")
    assert mistake_id in diagnosis.mistakes


@pytest.mark.parametrize("mistake_id", ONLY_AN_EXCEPTION)
def test_a_function_that_only_raises_gets_facts_and_no_name(mistake_id):
    diagnosis = diagnose(CATALOGUE[mistake_id].as_multi_head_attention(), "multi_head_attention")
    assert diagnosis.mistakes == ()
    assert diagnosis.facts == ("It stops with ValueError on every input.",)


def test_exceptions_alone_name_nothing_where_many_mistakes_share_them():
    diagnosis = diagnose(CATALOGUE["averages_the_heads"].as_multi_head_attention(), "multi_head_attention")
    assert diagnosis.mistakes == ()
    assert "It is right with one head." in diagnosis.facts


@pytest.mark.parametrize("name", right.CONCATS)
def test_no_right_concat_is_named(name):
    assert_right(right.CONCATS[name], "concat_heads")


@pytest.mark.parametrize("name", right.ATTENTIONS)
def test_no_right_attention_is_named(name):
    assert_right(right.ATTENTIONS[name], "multi_head_attention")


def test_there_are_enough_right_variants_to_mean_something():
    assert len(right.CONCATS) >= 12
    assert len(right.ATTENTIONS) >= 12


def assert_right(function, contract):
    diagnosis = diagnose(function, contract)
    assert diagnosis.right, diagnosis.facts
    assert (diagnosis.mistakes, diagnosis.combination, diagnosis.facts) == ((), (), ())
    assert diagnosis.evidence is None


def test_siblings_are_ranked_with_the_functions_own_contract_first_and_said_to_be_siblings():
    diagnosis = diagnose(CATALOGUE["drops_the_batch_axis"].as_multi_head_attention(), "multi_head_attention")
    assert diagnosis.mistakes == ("output_without_batch_axis", "drops_the_batch_axis")
    assert diagnosis.siblings


def test_two_mistakes_at_once_are_a_combination_and_not_a_name():
    steps = {**CATALOGUE["reverses_the_heads"].steps, **CATALOGUE["bias_missing"].steps}
    both = CATALOGUE.contracts["multi_head_attention"].assemble(steps)
    diagnosis = diagnose(both, "multi_head_attention")
    assert diagnosis.mistakes == ()
    assert set(diagnosis.combination) == {"reverses_the_heads", "bias_missing"}


def test_a_common_mistake_is_seen_beside_another_one():
    def reverses_in_a_float_buffer(x):
        return right.concat_transpose(x[:, ::-1]).astype(float if x.dtype.kind == "i" else x.dtype)

    diagnosis = diagnose(reverses_in_a_float_buffer, "concat_heads")
    assert set(diagnosis.combination) == {"reverses_the_heads", "turns_integers_into_floats"}


@pytest.mark.parametrize("contract", CATALOGUE.contracts)
def test_an_unknown_function_is_called_at_most_fifteen_times_and_a_known_one_nine_times_more(contract):
    calls = []

    def unknown(*arguments):
        calls.append(arguments)
        return "nothing known"

    diagnose(unknown, contract)
    assert 8 <= len(calls) <= 15
    known = next(mistake for mistake in CATALOGUE if mistake.contract == contract).function

    def counted(*arguments):
        calls.append(arguments)
        return known(*arguments)

    calls.clear()
    assert diagnose(counted, contract).mistakes
    assert 8 <= len(calls) <= 24


def test_it_asks_before_every_call_and_names_nothing_when_it_had_to_stop():
    function, allowed = CATALOGUE["reshape_without_transpose"].function, iter([True] * 5)
    diagnosis = diagnose(function, "concat_heads", keep_going=lambda: next(allowed, False))
    assert len(diagnosis.trials) == 5
    assert not diagnosis.complete
    assert diagnosis.mistakes == ()
    assert diagnosis.facts


def test_what_is_no_exception_passes_through():
    class Dead(BaseException):
        pass

    def dies(x):
        raise Dead

    with pytest.raises(Dead):
        diagnose(dies, "concat_heads")


def test_a_function_that_does_not_repeat_itself_gets_no_name():
    rng = np.random.default_rng(1)

    def with_random_weight(query, key, value, num_heads, weight_o, bias_o, mask=None):
        return right.mha_plain(query, key, value, num_heads, rng.standard_normal(weight_o.shape), bias_o, mask)

    diagnosis = diagnose(with_random_weight, "multi_head_attention")
    assert diagnosis.mistakes == ()
    assert diagnosis.facts[0] == "Two calls with the same input give different results."


def test_the_same_function_gets_the_same_diagnosis_each_time():
    function = CATALOGUE["mask_inverted"].as_multi_head_attention()
    one, other = (diagnose(function, "multi_head_attention") for _ in range(2))
    assert (one.mistakes, one.facts, one.evidence) == (other.mistakes, other.facts, other.evidence)


def test_an_unknown_contract_is_a_key_error():
    with pytest.raises(KeyError):
        diagnose(right.concat_einsum, "concat_tails")


def test_another_assignment_brings_its_own_catalogue_in_a_few_lines():
    double = Contract(
        "double",
        frozenset({"double"}),
        lambda steps: steps.get("double", lambda x: 2 * x),
        lambda: (Probe("three numbers", frozenset(), lambda: (np.arange(3.0),), (np.array([0.0, 2.0, 4.0]),)),),
        results=("result",),
        arguments=("x",),
    )
    catalogue = Catalogue((double,))

    @catalogue.mistake("double", "double", Pointer("01_numbers", "Twice as much"))
    def squares(x):
        """Squares instead of doubling

        Your function multiplies the number by itself. For 0 and 2 nothing shows.
        """
        return x * x

    diagnosis = diagnose(lambda x: x**2, "double", catalogue=catalogue)
    assert diagnosis.mistakes == ("squares",)
    assert squares.message == "Your function multiplies the number by itself. For 0 and 2 nothing shows."


def test_names_are_withheld_where_time_runs_out_before_they_are_confirmed():
    function = CATALOGUE["mask_inverted"].as_multi_head_attention()
    answers = iter([True] * 17)
    diagnosis = diagnose(function, "multi_head_attention", keep_going=lambda: next(answers, False))
    assert diagnosis.complete
    assert (diagnosis.mistakes, diagnosis.combination) == ((), ())
    assert diagnosis.facts


def test_warming_leaves_nothing_to_compute_for_an_unknown_function():
    warm("multi_head_attention")
    before = seen_of.cache_info().misses
    diagnose(lambda *arguments: (0, 0), "multi_head_attention")
    assert seen_of.cache_info().misses == before
