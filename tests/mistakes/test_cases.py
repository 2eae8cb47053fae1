"""The inputs that wrong functions hide behind, one named test for each, on the public functions' own terms.

Every test shows a pair: the input on which a mistake gives the right answer, and that the matcher is not fooled.
"""

from __future__ import annotations

import numpy as np
import pytest
from mha.attention import multi_head_attention_per_head, split_heads
from mha.mistakes import CATALOGUE, diagnose
from mha.mistakes.probe import numbers

from tests.mistakes import right
from tests.mistakes.reference import reference


def wrong(mistake_id, contract=None):
    mistake = CATALOGUE[mistake_id]
    return mistake.for_contract(contract or mistake.contract)


def attention_input(batch, heads, queries, keys, size, seed=1):
    width = heads * size
    query, key, value = (numbers(seed + i, batch, n, width) for i, n in enumerate((queries, keys, keys)))
    return query, key, value, heads, numbers(seed + 3, width, width), numbers(seed + 4, width)


def agrees(mistake_id, arguments, mask=None):
    """Say whether the mistake's multi_head_attention is right on this input."""
    with np.errstate(invalid="ignore"):  # some mistakes divide zero by zero
        output, _ = wrong(mistake_id, "multi_head_attention")(*arguments, mask)
    expected = reference(*arguments, mask)["output"]
    return output.shape == expected.shape and np.allclose(output, expected)


def named(mistake_id):
    mistake = CATALOGUE[mistake_id]
    return mistake_id in diagnose(mistake.function, mistake.contract).mistakes


@pytest.mark.parametrize("pair", ["straight_both_ways", "interleaved_both_ways", "no_transpose_either_way"])
def test_round_trip_trap(pair):
    split, concat = CATALOGUE[pair].steps["split"], CATALOGUE[pair].steps["concat"]
    x = numbers(1, 2, 3, 8)
    np.testing.assert_array_equal(concat(split(x, 4)), x)
    assert named(pair)


def test_as_many_sentences_as_heads_lets_a_mask_without_head_axis_run():
    arguments = attention_input(batch=2, heads=2, queries=3, keys=3, size=2)
    mask = np.stack([np.tri(3, dtype=bool), np.ones((3, 3), bool)])
    assert not agrees("mask_without_head_axis", arguments, mask)
    with pytest.raises(ValueError, match="broadcast"):
        agrees("mask_without_head_axis", attention_input(2, 3, 3, 3, 2), mask)
    assert named("mask_without_head_axis")


def test_as_many_tokens_as_heads_hides_swapped_names_of_the_axes():
    x = split_heads(numbers(1, 2, 3, 6), 3)
    np.testing.assert_array_equal(wrong("unpacks_time_as_heads")(x), right.concat_einsum(x))
    assert named("unpacks_time_as_heads")


def test_as_many_tokens_as_features_in_a_head_lets_untransposed_keys_run():
    assert not agrees("key_not_transposed", attention_input(2, 2, 3, 3, 3))
    with pytest.raises(ValueError, match="mismatch"):
        agrees("key_not_transposed", attention_input(2, 2, 3, 3, 2))
    assert named("key_not_transposed")


@pytest.mark.parametrize("mistake_id", ["reshape_without_transpose", "reverses_the_heads", "interleaves_features"])
def test_one_head_hides_a_wrong_order(mistake_id):
    x = split_heads(numbers(1, 2, 3, 4), 1)
    np.testing.assert_array_equal(wrong(mistake_id)(x), right.concat_einsum(x))
    assert named(mistake_id)


def test_one_head_hides_the_root_of_the_width():
    assert agrees("divides_by_root_of_width", attention_input(2, 1, 3, 3, 4))
    assert named("divides_by_root_of_width")


@pytest.mark.parametrize("mistake_id", ["moves_time_to_the_front", "keeps_only_the_first_sentence"])
def test_one_sentence_hides_a_mixed_batch(mistake_id):
    x = split_heads(numbers(1, 1, 3, 4), 2)
    np.testing.assert_array_equal(wrong(mistake_id)(x), right.concat_einsum(x))
    assert named(mistake_id)


def test_one_token_hides_a_missing_transpose():
    x = split_heads(numbers(1, 2, 1, 4), 2)
    np.testing.assert_array_equal(wrong("reshape_without_transpose")(x), right.concat_einsum(x))


def test_integers_show_a_buffer_of_floats_and_a_buffer_of_integers():
    x = split_heads(np.arange(8).reshape(1, 2, 4), 2)
    assert wrong("turns_integers_into_floats")(x).dtype == np.float64
    assert named("turns_integers_into_floats")
    assert named("cuts_to_integers")
    assert named("output_stored_like_the_query")


def test_float32_is_no_mistake_where_it_comes_in_and_is_one_where_float64_does():
    assert diagnose(right.concat_transpose, "concat_heads").right
    assert diagnose(right.mha_always_float64, "multi_head_attention").right
    assert named("cuts_to_single_precision")
    assert named("output_in_single_precision")


@pytest.mark.parametrize("mistake_id", ["dead_row_is_nan", "dead_row_averages", "dead_row_ignores_mask"])
def test_a_row_with_nothing_to_attend_to(mistake_id):
    arguments = attention_input(1, 2, 2, 3, 2)
    assert agrees(mistake_id, arguments, np.array([[True, True, False], [True, False, False]]))
    assert not agrees(mistake_id, arguments, np.array([[True, True, False], [False, False, False]]))
    assert named(mistake_id)


def test_queries_and_keys_of_different_length():
    assert agrees("assumes_equal_lengths", attention_input(2, 2, 3, 3, 2))
    with pytest.raises(ValueError, match="reshape"):
        agrees("assumes_equal_lengths", attention_input(2, 2, 3, 4, 2))
    assert named("assumes_equal_lengths")


@pytest.mark.parametrize("mistake_id", ["clears_its_input", "writes_into_its_input"])
def test_a_right_result_does_not_hide_a_changed_input(mistake_id):
    x = np.ascontiguousarray(split_heads(numbers(1, 2, 3, 4), 2))
    expected = right.concat_einsum(x)
    np.testing.assert_array_equal(wrong(mistake_id)(x), expected)
    diagnosis = diagnose(wrong(mistake_id), "concat_heads")
    assert "It changes its input: x." in diagnosis.facts
    assert named(mistake_id)


def test_attention_that_changes_its_query():
    diagnosis = diagnose(wrong("scales_the_query_in_place"), "multi_head_attention")
    assert "It changes its input: query." in diagnosis.facts


def test_a_view_hides_a_concat_that_follows_the_memory():
    view = split_heads(numbers(1, 2, 3, 4), 2)
    np.testing.assert_array_equal(wrong("follows_the_memory")(view), right.concat_einsum(view))
    packed = np.ascontiguousarray(view)
    assert not np.array_equal(wrong("follows_the_memory")(packed), right.concat_einsum(packed))
    assert named("follows_the_memory")


def test_the_probes_hold_non_contiguous_and_read_only_inputs():
    for contract in ("concat_heads", "multi_head_attention", "multi_head_attention_per_head"):
        first = [probe.make()[0] for probe in CATALOGUE.contracts[contract].load_probes()]
        assert any(not array.flags.c_contiguous for array in first)
        assert any(not array.flags.writeable for array in first)


def test_a_function_that_needs_writeable_input_is_found_out():
    def writes_and_restores(x):
        x += 1
        joined = right.concat_transpose(x) - 1
        x -= 1
        return joined

    diagnosis = diagnose(writes_and_restores, "concat_heads")
    assert not diagnosis.right
    assert diagnosis.mistakes == ()


@pytest.mark.parametrize(
    ("mistake_id", "hidden_by"),
    [("bias_missing", "a bias of zero"), ("weight_not_transposed", "an identity as weight_o and a bias of zero")],
)
def test_a_plain_projection_hides_a_wrong_one(mistake_id, hidden_by):
    facts = diagnose(wrong(mistake_id), "multi_head_attention").facts
    assert any("right with" in fact and hidden_by in fact for fact in facts)


def test_the_given_function_is_right_on_every_probe():
    assert diagnose(multi_head_attention_per_head, "multi_head_attention_per_head").right
    assert diagnose(split_heads, "split_heads").right
