"""Mistakes in attention head by head: what is compared, the scale, how the values are mixed."""

from __future__ import annotations

import math

import numpy as np

from mha.attention import split_heads
from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array, Sizes, _attention, _hide
from mha.mistakes.lessons import ONE_HEAD, SCALE, SCORES
from mha.mistakes.model import Pointer


def _step(step: str, pointer: Pointer, *, common: bool = False):
    return CATALOGUE.mistake("multi_head_attention_per_head", step, pointer, common=common)


@_step("take", ONE_HEAD)
def swaps_query_and_key(query: Array, key: Array, value: Array) -> tuple[Array, Array, Array]:
    """Swaps query and key

    Your function lets the keys ask and the queries answer. With query and key the same nothing shows; otherwise rows
    of the weights belong to keys, and other lengths fail.
    """
    return key, query, value


@_step("take", ONE_HEAD)
def takes_values_from_key(query: Array, key: Array, value: Array) -> tuple[Array, Array, Array]:
    """Averages the keys instead of the values

    Your weights are right, but they average the keys; what a token hands over is its value. With one array for all
    three nothing shows.
    """
    return query, key, key


@_step("take", ONE_HEAD)
def compares_queries_with_values(query: Array, key: Array, value: Array) -> tuple[Array, Array, Array]:
    """Compares queries with values

    Your scores compare the queries with the values; it is the keys that they should meet. With one array for all
    three nothing shows.
    """
    return query, value, value


@_step("take", ONE_HEAD)
def swaps_key_and_value(query: Array, key: Array, value: Array) -> tuple[Array, Array, Array]:
    """Swaps key and value

    Your function compares queries with values and averages the keys. All shapes fit and the rows still sum to 1; keys
    are there to be found, values to be handed over.
    """
    return query, value, key


@_step("take", ONE_HEAD)
def compares_keys_with_keys(query: Array, key: Array, value: Array) -> tuple[Array, Array, Array]:
    """Compares keys with keys

    Your function never looks at the query: keys are compared with keys. With self-attention on equal arrays nothing
    shows; try a query of its own.
    """
    return key, key, value


@_step("take", ONE_HEAD)
def uses_query_for_all(query: Array, key: Array, value: Array) -> tuple[Array, Array, Array]:
    """Uses the query three times

    Your function uses the query as key and value too. With one array for all three nothing shows; try three that
    differ.
    """
    return query, query, query


@_step("compare", SCORES)
def key_not_transposed(q: Array, k: Array) -> Array:
    """Does not transpose the keys

    Your scores multiply queries and keys without swapping the keys' last two axes. It only runs where there are as
    many tokens as features in a head, and then the numbers are wrong.
    """
    return q @ k


@_step("compare", SCORES)
def reverses_all_axes_of_the_keys(q: Array, k: Array) -> Array:
    """Reverses all four axes of the keys

    Your transpose turns around all axes of the keys, batch and heads too. For a matrix that is the same; with four
    axes only the last two should change places.
    """
    return q @ k.T


@_step("compare", SCORES)
def swaps_time_and_heads_of_the_keys(q: Array, k: Array) -> Array:
    """Swaps the wrong axes of the keys

    Your transpose of the keys swaps other axes than the last two. The scores need features in the last axis but one
    and time in the last.
    """
    return q @ k.transpose(0, 2, 3, 1)


@_step("compare", SCORES)
def dot_in_four_dimensions(q: Array, k: Array) -> Array:
    """Multiplies with dot in four dimensions

    With four axes, dot pairs every sentence and head with every other one, so your scores have six axes. The matrix
    product treats the leading axes as a batch; dot does not.
    """
    return np.dot(q, k.swapaxes(-1, -2))


@_step("compare", SCORES)
def sums_over_heads(q: Array, k: Array) -> Array:
    """Adds the scores of all heads

    Your heads share one table of scores, the sum over all of them, so every head attends alike. The shape of the
    weights hides it; compare two heads.
    """
    return np.repeat((q @ k.swapaxes(-1, -2)).sum(axis=1, keepdims=True), q.shape[1], axis=1)


@_step("scale", SCALE)
def divides_by_root_of_width(scores: Array, sizes: Sizes) -> Array:
    """Divides by the root of C instead of hs

    Your scores are divided by the root of the whole width. Shapes and row sums stay right and one head hides it, but
    the attention is flatter than it should be; the product has hs terms.
    """
    return scores / math.sqrt(sizes.width)


@_step("scale", SCALE)
def divides_by_head_size(scores: Array, sizes: Sizes) -> Array:
    """Divides by hs instead of its root

    Your scores are divided by the head size itself. The rows still sum to 1, but the attention is flatter than it
    should be; with heads of size 1 nothing shows.
    """
    return scores / sizes.head_size


@_step("scale", SCALE)
def divides_by_width(scores: Array, sizes: Sizes) -> Array:
    """Divides by C

    Your scores are divided by the whole width. The rows still sum to 1, but the attention is nearly even; what
    matters is how many terms one product has, and the root of it.
    """
    return scores / sizes.width


@_step("scale", SCALE)
def divides_by_root_of_heads(scores: Array, sizes: Sizes) -> Array:
    """Divides by the root of h

    Your scores are divided by the root of the number of heads. It agrees only where h and hs are equal; the scale
    has to fit the number of terms in one product.
    """
    return scores / math.sqrt(sizes.heads)


@_step("scale", SCALE)
def divides_by_root_of_keys(scores: Array, sizes: Sizes) -> Array:
    """Divides by the root of the key length

    Your scores are divided by the root of the number of keys. The scale has to fit the number of features in one
    product, not the length of the sentence.
    """
    return scores / math.sqrt(sizes.keys)


@_step("scale", SCALE)
def forgets_to_scale(scores: Array, sizes: Sizes) -> Array:
    """Does not scale the scores

    Your scores go into the softmax undivided. The rows still sum to 1, but the attention is too sharp; with heads of
    size 1 nothing shows.
    """
    return scores


@_step("scale", SCALE)
def scales_twice(scores: Array, sizes: Sizes) -> Array:
    """Scales twice

    Your scores are divided by the root of hs twice, perhaps once in the query and once in the product. The rows
    still sum to 1, but the attention is too flat.
    """
    return scores / math.sqrt(sizes.head_size) / math.sqrt(sizes.head_size)


@_step("scale", SCALE)
def multiplies_instead_of_dividing(scores: Array, sizes: Sizes) -> Array:
    """Multiplies by the root of hs

    Your scores are multiplied where they should be divided. The rows still sum to 1, but the attention is far too
    sharp.
    """
    return scores * math.sqrt(sizes.head_size)


@_step("scale", SCALE)
def divides_by_a_fixed_number(scores: Array, sizes: Sizes) -> Array:
    """Divides by a fixed 4

    Your divisor is the number that fits the lesson's heads of size 16. It has to be worked out from the head size at
    hand.
    """
    return scores / 4


@_step("mix", SCORES)
def applies_transposed_weights(weights: Array, v: Array) -> Array:
    """Applies the weights transposed

    Your weights are right, but rows and columns change places when the values are mixed. It is an error where query
    and key differ in length, and wrong numbers elsewhere.
    """
    return weights.swapaxes(-1, -2) @ v


@_step("mix", SCORES)
def multiplies_weights_elementwise(weights: Array, v: Array) -> Array:
    """Multiplies weights and values elementwise

    Your function multiplies weights and values number by number. Each row of weights should give a weighted average
    of all values, which is a matrix product.
    """
    return weights * v


@_step("mix", SCORES)
def takes_the_best_value_only(weights: Array, v: Array) -> Array:
    """Takes only the value with the largest weight

    Your function hands over the value of the best key alone. Attention is a soft choice: an average of all values by
    their weights.
    """
    return np.take_along_axis(v, weights.argmax(axis=-1)[..., np.newaxis], axis=-2)


@_step("mix", SCORES)
def averages_the_values_evenly(weights: Array, v: Array) -> Array:
    """Averages the values evenly

    Your weights are right, but the values are averaged evenly instead of by them. It shows as soon as one key fits
    better than another.
    """
    return np.repeat(v.mean(axis=-2, keepdims=True), weights.shape[-2], axis=-2)


@_step("attend", SCORES)
def attends_without_splitting(
    query: Array, key: Array, value: Array, num_heads: int, mask: Array | None = None
) -> tuple[Array, Array]:
    """Attends with one big head and splits afterwards

    Your function compares tokens by all C features at once and splits only the result. The shape is right, but all
    heads attend alike; each head should compare by its own features.
    """
    only = None if mask is None else (mask[:, :1] if mask.ndim == 4 else mask)
    per_head, weights = _attention({})(query, key, value, 1, only)
    return split_heads(per_head[:, 0], num_heads), np.repeat(weights, num_heads, axis=1)


@_step("attend", SCORES)
def assumes_equal_lengths(
    query: Array, key: Array, value: Array, num_heads: int, mask: Array | None = None
) -> tuple[Array, Array]:
    """Assumes as many keys as queries

    Your function reads the length from the query and uses it for the keys as well. With self-attention nothing shows;
    where the lengths differ it fails.
    """
    return _attention({})(query, key.reshape(query.shape), value.reshape(query.shape), num_heads, mask)


@_step("attend", SCORES)
def repeats_head_zero(
    query: Array, key: Array, value: Array, num_heads: int, mask: Array | None = None
) -> tuple[Array, Array]:
    """Uses head 0 for every head

    All your heads give what head 0 gives, as when a loop never uses its counter. The shape is right; compare two
    heads.
    """
    per_head, weights = _attention({})(query, key, value, num_heads, mask)
    return np.repeat(per_head[:, :1], num_heads, axis=1), np.repeat(weights[:, :1], num_heads, axis=1)


@_step("attend", SCORES)
def repeats_sentence_zero(
    query: Array, key: Array, value: Array, num_heads: int, mask: Array | None = None
) -> tuple[Array, Array]:
    """Uses the first sentence for the whole batch

    Every sentence of your batch gets the result of the first. With one sentence nothing shows; try two that differ.
    """
    per_head, weights = _attention({})(query, key, value, num_heads, mask)
    return np.repeat(per_head[:1], len(query), axis=0), np.repeat(weights[:1], len(query), axis=0)


@_step("attend", SCORES)
def returns_scores_for_weights(
    query: Array, key: Array, value: Array, num_heads: int, mask: Array | None = None
) -> tuple[Array, Array]:
    """Returns the scores instead of the weights

    Your output is right, but beside it you return the scores as they were before the softmax. The second result is
    the table of weights, whose rows sum to 1.
    """
    per_head, _ = _attention({})(query, key, value, num_heads, mask)
    q, k = (split_heads(x, num_heads) for x in (query, key))
    return per_head, _hide(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1]), mask)
