"""Facts: what is said of a function that makes no known mistake, each checked against one that has the property."""

from __future__ import annotations

import numpy as np
import pytest
from mha.mistakes import diagnose

from tests.mistakes import right


def facts_of(function, contract="concat_heads"):
    diagnosis = diagnose(function, contract)
    assert diagnosis.mistakes == ()
    return diagnosis.facts


def attention_with(change):
    def changed(query, key, value, num_heads, weight_o, bias_o, mask=None):
        output, weights = right.mha_plain(query, key, value, num_heads, weight_o, bias_o, mask)
        return change(output, weights, mask)

    return changed


@pytest.mark.parametrize(
    ("function", "fact"),
    [
        (lambda x: right.concat_einsum(x) * 3, "Its result is right up to a factor of 3."),
        (lambda x: np.zeros_like(right.concat_einsum(x)), "There are only zeros in its result."),
        (lambda x: right.concat_einsum(x)[..., ::-1], "The columns of its result are right, but in another order."),
        (lambda x: right.concat_einsum(x)[:, ::-1], "All numbers in its result are right, but in other places."),
        (lambda x: right.concat_einsum(x) * np.nan, "There are NaN in its result."),
        (lambda x: right.concat_einsum(x) + np.arange(x.shape[1] * x.shape[3]), "is off by the same vector"),
        (lambda x: right.concat_einsum(x).ravel(), "The shape of its result is wrong on 12 of 12 inputs"),
        (lambda x: right.concat_einsum(x)[..., None], "The numbers in its result are right, but in another shape."),
        (lambda x: right.concat_einsum(x) if x.shape[1] == 1 else -x[:, 0], "It is right with one head."),
        (lambda x: right.concat_einsum(x) if len(x) == 1 else -x[:, 0], "It is right with one sentence"),
        (lambda x: right.concat_einsum(x) * (1 + (x.dtype == np.float32)), "It is wrong only with float32 numbers."),
        (lambda x: right.concat_einsum(x) * (1 + (x.dtype.kind == "i")), "It is wrong only with integers."),
        (lambda x: "text", "For its result it returns a value of type str, not an array of numbers."),
        (lambda x: 1 // 0, "It stops with ZeroDivisionError on every input."),
        (lambda x: np.float32(0) + right.concat_einsum(x).astype(complex), "It is right on none of the inputs tried."),
    ],
)
def test_facts_about_concat(function, fact):
    assert any(fact in found for found in facts_of(function)), facts_of(function)


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (lambda o, w, m: (o * 2, w), "On every input its weights are right."),
        (lambda o, w, m: (o, w * 2), "On every input its output is right."),
        (lambda o, w, m: (o, w * 2), "Its weights are right up to a factor of 2."),
        (lambda o, w, m: (o if m is None else -o, w), "It is wrong only with a mask."),
        (lambda o, w, m: (o if m is None else -o, w), "It is right with no mask"),
        (lambda o, w, m: (o if len(o) == 1 else -o, w), "It is right with one sentence"),
        (lambda o, w, m: (o, w if w.any(-1).all() else -w), "It is wrong only with a row that may attend to nothing."),
        (lambda o, w, m: (o, w, w), "It returns a tuple of 3"),
        (lambda o, w, m: {"output": o}, "It returns a value of type dict, not a tuple of 2: output, weights."),
    ],
)
def test_facts_about_attention(change, fact):
    found = facts_of(attention_with(change), "multi_head_attention")
    assert any(fact in one for one in found), found


def test_a_property_that_the_wrong_inputs_share_by_chance_is_not_blamed():
    def scores_overflow(query, key, value, num_heads, weight_o, bias_o, mask=None):
        output, weights = right.mha_plain(query, key, value, num_heads, weight_o, bias_o, mask)
        hit = np.abs(query).max() > 100 or not weights.any(-1).all()  # both inputs have as many keys as queries
        return (output * np.nan if hit else output), weights

    assert not [fact for fact in facts_of(scores_overflow, "multi_head_attention") if "wrong only" in fact]


def test_what_was_said_of_many_inputs_is_not_said_again_of_some_of_them():
    found = facts_of(attention_with(lambda o, w, m: (o if m is not None else -o, w)), "multi_head_attention")
    assert "It is right with a mask." in found


def test_a_right_function_has_no_facts():
    assert facts_of(right.concat_einsum) == ()


def test_the_evidence_is_the_smallest_input_with_what_came_out_beside_what_should_have():
    evidence = diagnose(lambda x: right.concat_einsum(x) * 3, "concat_heads").evidence
    assert evidence.probe == "1 sentence, 2 heads, 2 tokens"
    assert evidence.got == "result:\n[[[0 3]\n  [6 9]]]"
    assert evidence.expected == "result:\n[[[0 1]\n  [2 3]]]"


def test_large_arrays_are_shown_by_their_first_difference():
    evidence = diagnose(lambda x: right.concat_einsum(x) * (1 + (len(x) > 2)), "concat_heads").evidence
    assert evidence.probe == "float32 numbers"
    assert evidence.given == "x: shape (3, 4, 5, 2)"
    assert evidence.got.startswith("result at (0, 0, 0): ")
