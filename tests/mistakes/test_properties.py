"""Properties that hold for all inputs, tried on many."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from mha.attention import multi_head_attention_per_head, split_heads
from mha.mistakes import CATALOGUE, advice, diagnose
from mha.mistakes.probe import Observation, Probe, close, same

from tests.mistakes import right

SIZES = st.integers(min_value=1, max_value=4)
NUMBERS = st.floats(min_value=-100, max_value=100)
COMPARED = Probe("any", frozenset(), tuple, None)


def arrays(*sizes):
    return hnp.arrays(np.float64, sizes, elements=NUMBERS)


@given(SIZES, SIZES, SIZES, SIZES, st.data())
def test_split_and_the_private_concat_are_inverse(batch, heads, time, size, data):
    r"""$c(s(x, h)) = x$ and $s(c(y), h) = y$ for the given split $s$ and the concat $c$ that probes rest on"""
    x = data.draw(arrays(batch, time, heads * size))
    concat = CATALOGUE.contracts["concat_heads"].assemble({})
    y = split_heads(x, heads)
    np.testing.assert_array_equal(concat(y), x)
    np.testing.assert_array_equal(split_heads(concat(y), heads), y)


@given(SIZES, SIZES, SIZES, SIZES, st.data())
def test_pairs_that_round_trip_round_trip_everywhere(batch, heads, time, size, data):
    r"""For each trap $(s', c')$ of wrong functions: $c'(s'(x, h)) = x$ although $s' \neq s$ and $c' \neq c$"""
    x = data.draw(arrays(batch, time, heads * size))
    for pair in ("straight_both_ways", "interleaved_both_ways", "no_transpose_either_way"):
        steps = CATALOGUE[pair].steps
        np.testing.assert_array_equal(steps["concat"](steps["split"](x, heads)), x)


@given(SIZES, SIZES, SIZES, SIZES, SIZES, st.data())
def test_the_assembled_attention_is_the_given_one(batch, heads, queries, keys, size, data):
    r"""Steps put together: $\operatorname{softmax}(q k^\top / \sqrt{hs} + m)\, v$ with $m = -\infty$ where masked"""
    query = data.draw(arrays(batch, queries, heads * size))
    key, value = (data.draw(arrays(batch, keys, heads * size)) for _ in range(2))
    mask = data.draw(hnp.arrays(bool, (batch, queries, keys)))
    assembled = CATALOGUE.contracts["multi_head_attention_per_head"].assemble({})
    found, expected = (
        assembled(query, key, value, heads, mask),
        multi_head_attention_per_head(query, key, value, heads, mask),
    )
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12, atol=1e-12)


@given(st.permutations(range(12)))
@settings(max_examples=30)
def test_a_permutation_of_columns_is_called_one_or_is_a_known_mistake(order):
    r"""$y = x P$ for a permutation $P \neq 1$ of the columns is never right and never goes without a word"""

    def permuted(x):
        joined = right.concat_einsum(x)
        width = joined.shape[-1]
        return joined[..., [column for column in order if column < width] + list(range(12, width))]

    diagnosis = diagnose(permuted, "concat_heads")
    if list(order) != list(range(12)):
        assert not diagnosis.right
        words = "The columns of its result are right, but in another order."
        assert words in diagnosis.facts


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=4, max_side=4)))
def test_every_result_is_the_same_as_itself(array):
    r"""$a \sim a$, NaN and infinities included"""
    seen = Observation(array, None, None, {})
    assert same(seen, seen, COMPARED)


@given(hnp.arrays(np.float64, (2, 3), elements=NUMBERS), hnp.arrays(np.float64, (2, 3), elements=NUMBERS))
def test_what_is_close_differs_by_little_of_the_largest_number(one, other):
    r"""$a \sim b \Rightarrow |a - b| \le \epsilon \max |b|$"""
    if close(one, other, 1e-6):
        assert np.abs(one - other).max() <= 1e-6 * np.abs(other).max()


@given(st.text(max_size=200))
def test_advice_answers_any_text(text):
    r"""For every string $s$: advice is a list of known sentences"""
    assert isinstance(advice(text), list)


ODD = st.sampled_from([0.0, -0.0, 1.0, 1 + 1e-9, -2.5, 3, 1e308, -1e308, np.inf, -np.inf, np.nan, 1e-300, 7, 7 + 1e-7])
KINDS = st.sampled_from(["f8", "f4", "i8", "?"])


@given(st.lists(st.tuples(ODD, ODD), max_size=5), KINDS, KINDS, st.sampled_from([1e-9, 1e-6, 0.0]))
def test_close_is_what_it_says_number_by_number(pairs, kind, other_kind, tolerance):
    r"""$a_i = b_i$, both NaN, or both finite and $|a_i - b_i| \le t \max_j |b_j|$ over the finite $b_j$"""
    with np.errstate(all="ignore"):
        one = np.array([pair[0] for pair in pairs]).astype(kind)
        other = np.array([pair[1] for pair in pairs]).astype(other_kind)
    scale = max((abs(float(number)) for number in other if np.isfinite(number)), default=0)
    exact = "f" not in one.dtype.kind + other.dtype.kind

    def alike(a, b):
        if a == b or (np.isnan(a) and np.isnan(b)):
            return True
        return not exact and bool(np.isfinite(a) and np.isfinite(b)) and abs(float(a) - float(b)) <= tolerance * scale

    assert close(one, other, tolerance) == all(map(alike, one, other))
