"""Mistakes in the softmax: its axis, its maximum, its sum."""

from __future__ import annotations

import math

import numpy as np

from mha.attention import softmax
from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array, Sizes
from mha.mistakes.lessons import SCALE, SOFTMAX
from mha.mistakes.model import Pointer


def _step(step: str, pointer: Pointer):
    return CATALOGUE.mistake("multi_head_attention_per_head", step, pointer)


@_step("normalise", SCALE)
def scales_after_softmax(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Scales after the softmax

    Your weights are divided after the softmax, so they no longer sum to 1. The scale belongs to the scores, before
    the softmax sees them.
    """
    return softmax(scores * math.sqrt(sizes.head_size)) / math.sqrt(sizes.head_size)


@_step("normalise", SOFTMAX)
def softmax_over_queries(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes the softmax over the queries

    Your columns sum to 1, where the rows should: the softmax runs along the query axis. Shapes do not show it; add
    up one row.
    """
    return softmax(scores, axis=-2)


@_step("normalise", SOFTMAX)
def softmax_over_heads(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes the softmax over the heads

    Your softmax makes the heads compete with each other, since it runs along the head axis. Each query should share
    its weight among the keys.
    """
    return softmax(scores, axis=1)


@_step("normalise", SOFTMAX)
def softmax_over_batch(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes the softmax over the batch

    Your softmax runs along the first axis, so the sentences compete with each other. Each query should share its
    weight among the keys of its own sentence.
    """
    return softmax(scores, axis=0)


def _by_hand(axis: int, words: str, rivals: str) -> None:
    """Add a softmax of the student's own along a wrong axis: unlike the given one, it has no answer to a full mask."""
    CATALOGUE.add(
        f"own_softmax_over_{words}",
        f"Takes a softmax of its own over the {words}",
        f"Your softmax runs along the axis of the {words}, so {rivals} compete with each other, and where a mask hides "
        "all of them it gives NaN. Each query should share its weight among the keys.",
        "multi_head_attention_per_head",
        SOFTMAX,
        {"normalise": lambda scores, mask, sizes: _own_softmax(scores, axis)},
    )


def _own_softmax(scores: Array, axis: int) -> Array:
    shares = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return shares / shares.sum(axis=axis, keepdims=True)


_by_hand(-2, "queries", "the queries")
_by_hand(1, "heads", "the heads")
_by_hand(0, "batch", "the sentences")


@_step("normalise", SOFTMAX)
def softmax_over_everything(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes one softmax over all scores

    All your weights together sum to 1, so each row gets only a small part. The softmax needs an axis: every row of
    scores is shared out by itself.
    """
    shares = np.exp(scores - scores.max())
    return shares / shares.sum()


@_step("normalise", SOFTMAX)
def softmax_over_each_table(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes one softmax over each head's whole table

    Each head's whole table of weights sums to 1 instead of each of its rows. With a single query nothing shows.
    """
    return softmax(scores.reshape(*scores.shape[:2], -1)).reshape(scores.shape)


@_step("normalise", SOFTMAX)
def softmax_twice(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes the softmax twice

    Your weights have gone through the softmax twice. The rows sum to 1, but everything is nearly even, and what was
    masked out comes back.
    """
    return softmax(softmax(scores))


@_step("normalise", SOFTMAX)
def forgets_the_softmax(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Leaves out the softmax

    Your function averages with the raw scores, which can be negative and need not sum to 1. They become weights only
    through the softmax.
    """
    return scores


@_step("normalise", SOFTMAX)
def forgets_to_normalise(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes exp but does not divide by the sum

    Your weights are positive but do not sum to 1: after the exponential, each row has to be divided by its sum.
    """
    return np.exp(scores - _top(scores))


@_step("normalise", SOFTMAX)
def divides_by_sum_without_exp(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Divides the scores by their sum

    Your rows sum to 1, but without the exponential weights can be negative and can grow without bound. Scores go
    through exp first.
    """
    return scores / scores.sum(axis=-1, keepdims=True)


@_step("normalise", SOFTMAX)
def sigmoid_for_softmax(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Uses a sigmoid

    Your weights judge every key by itself, so the rows do not sum to 1. The keys of one query have to share a weight
    of 1.
    """
    return np.where(scores >= 0, 1 / (1 + np.exp(-np.abs(scores))), 1 - 1 / (1 + np.exp(-np.abs(scores))))


@_step("normalise", SOFTMAX)
def softmax_of_negated_scores(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Flips the sign in the softmax

    Your softmax gives the most weight to the key that fits worst: a sign is the wrong way round, perhaps in
    subtracting the maximum. The rows still sum to 1.
    """
    return softmax(np.where(np.isneginf(scores), scores, -scores))


@_step("normalise", SOFTMAX)
def takes_log_of_weights(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Returns the logarithm of the weights

    Your weights are logarithms: all negative, and no row sums to 1. What is averaged with are the weights
    themselves.
    """
    return np.log(softmax(scores))


@_step("normalise", SOFTMAX)
def exp_without_maximum(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes exp without subtracting the maximum

    Your softmax is right for small scores, but exp of a very large one overflows and the row becomes NaN. Subtract
    each row's maximum first; that changes no weight. A row with nothing to attend to needs care too.
    """
    shares = np.exp(scores)
    return shares / shares.sum(axis=-1, keepdims=True)


@_step("normalise", SOFTMAX)
def exp_overflows(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Takes exp of large scores

    Your softmax is right for small scores, but exp of a very large one overflows and the row becomes NaN. Subtract
    each row's maximum first; that changes no weight.
    """
    shares = np.exp(scores)
    total = shares.sum(axis=-1, keepdims=True)
    return shares / np.where(total == 0, 1, total)


@_step("normalise", SOFTMAX)
def subtracts_the_global_maximum(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Subtracts one maximum for all rows

    Your softmax subtracts the largest score of all. That is right while scores are alike, but a row far below it
    vanishes and becomes NaN. Each row has a maximum of its own.
    """
    shares = np.exp(scores - scores.max())
    return shares / shares.sum(axis=-1, keepdims=True)


@_step("normalise", SOFTMAX)
def rows_vanish_below_the_global_maximum(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Loses rows far below the largest score

    Your softmax subtracts the largest score of all. That is right while scores are alike, but a row far below it
    underflows and gets no weight at all. Each row has a maximum of its own.
    """
    shares = np.exp(scores - scores.max())
    total = shares.sum(axis=-1, keepdims=True)
    return shares / np.where(total == 0, 1, total)


@_step("normalise", SOFTMAX)
def sums_without_keepdims(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Divides by a sum that has lost its axis

    Your sum drops the axis that it runs over, so it lines up with other axes than its own. Mostly that is an error;
    where the sizes happen to match, rows are divided by the sums of others.
    """
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1)


@_step("normalise", SOFTMAX)
def maximum_without_keepdims(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Subtracts a maximum that has lost its axis

    Your maximum drops the axis that it runs over, so it lines up with other axes than its own. Mostly that is an
    error; where the sizes happen to match, some rows may even come out right.
    """
    shares = np.exp(scores - scores.max(axis=-1))
    return shares / shares.sum(axis=-1, keepdims=True)


@_step("normalise", SOFTMAX)
def adds_a_large_epsilon(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Adds too much to the denominator

    The small number that you add to the denominator is too large, so the rows sum to less than 1. After subtracting
    the maximum, the sum is at least 1 and needs no help.
    """
    shares = np.exp(scores - _top(scores))
    return shares / (shares.sum(axis=-1, keepdims=True) + 1e-3)


def _top(scores: Array) -> Array:
    """Return each row's maximum, or 0 where a row is all minus infinity."""
    top = scores.max(axis=-1, keepdims=True)
    return np.where(np.isneginf(top), 0, top)
