"""The checkpoints of lesson 2: the student's own scores, and then attention in all heads with a mask."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mha.attention import softmax
from mha.check.checkpoint import Case, Checkpoint, Slip
from mha.check.report import Section

__all__ = ["check_attend", "check_scores"]

_HAND = Section(2, "Two tokens, by hand")
_ALL = Section(2, "All heads with one @")
_MASK = Section(2, "A mask: who may look at whom")
_SLIPS = Section(2, "Two slips, and what the sums can see")


def check_scores(function: object) -> None:
    """Check ``function(Q, K)``: (B, h, Tq, hs) and (B, h, Tk, hs) -> (B, h, Tq, Tk). Shows the answer; never raises."""
    _SCORES.report(function).show()


def check_attend(function: object) -> None:
    """Check ``function(Q, K, V, mask)``, which returns (B, h, Tq, hs). Shows the answer; never raises."""
    _ATTEND.report(function).show()


def _draw(batch: int, heads: int, queries: int, keys: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    shapes = (queries, keys, keys)
    q, k, v = (rng.standard_normal((batch, heads, time, size)) for time in shapes)
    return q, k, v


def _products(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return q @ k.swapaxes(-1, -2)


def _right_scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return _products(q, k) / math.sqrt(q.shape[-1])


def _width(q: np.ndarray) -> int:
    return q.shape[1] * q.shape[-1]


def _attend(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    mask: np.ndarray,
    *,
    scores: Callable[[np.ndarray, np.ndarray], np.ndarray] = _right_scores,
    axis: int = -1,
) -> np.ndarray:
    return softmax(np.where(mask, scores(q, k), -np.inf), axis=axis) @ v


def _fill_with(fill: float) -> Callable[..., np.ndarray]:
    return lambda q, k, v, mask: softmax(np.where(mask, _right_scores(q, k), fill)) @ v


def _mask_after(q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return (softmax(_right_scores(q, k)) * mask) @ v


def _scores_case(batch: int, heads: int, queries: int, keys: int, size: int, words: str) -> Case:
    q, k, _ = _draw(batch, heads, queries, keys, size)
    return Case((q, k), _right_scores(q, k), f"{words} (Q {q.shape}, K {k.shape})")


def _attend_case(batch: int, heads: int, queries: int, keys: int, size: int, mask: np.ndarray, words: str) -> Case:
    q, k, v = _draw(batch, heads, queries, keys, size)
    return Case((q, k, v, mask), _attend(q, k, v, mask), f"{words} (Q {q.shape}, K and V {k.shape})")


_SCORES = Checkpoint(
    name="scores_of",
    cases=(
        _scores_case(2, 4, 6, 6, 3, "two sentences in four heads"),
        _scores_case(2, 4, 4, 6, 3, "four queries and six keys"),
    ),
    because="One table of scores for each sentence and head, scaled by the head size, and no loop.",
    section=_ALL,
    slips=(
        Slip(_products, "The products are right, but nothing scales them: divide by √hs.", _HAND),
        Slip(
            lambda q, k: _products(q, k) / math.sqrt(_width(q)),
            "Divided by √C. Each head takes its products over hs numbers, not over C: divide by √hs.",
            _SLIPS,
        ),
        Slip(
            lambda q, k: _products(q, k) / 4,
            "Divided by 4, the √hs of the cells above. Here hs is another: take it from the shape of Q.",
            _HAND,
        ),
        Slip(
            lambda q, k: _products(q, k) / math.sqrt(q.shape[-2]),
            "Divided by the root of the number of queries. Each product adds up hs numbers: divide by √hs.",
            _HAND,
        ),
        Slip(lambda q, k: _products(q, k) / q.shape[-1], "Divided by hs itself: take its square root.", _HAND),
        Slip(lambda q, k: _right_scores(k, q), "Keys and queries have changed places: queries go down, keys across."),
    ),
)

_ATTEND = Checkpoint(
    name="attend",
    cases=(
        _attend_case(2, 4, 6, 6, 3, np.ones((6, 6), dtype=bool), "a mask that allows everything"),
        _attend_case(2, 4, 6, 6, 3, np.tri(6, dtype=bool), "a causal mask"),
        _attend_case(2, 2, 4, 6, 3, np.arange(6) < np.array([[2], [6], [3], [5]]), "four queries and six keys"),
        _attend_case(1, 2, 3, 3, 2, np.tri(3, k=-1, dtype=bool), "a first row that may attend to nothing"),
    ),
    because="Scores, mask, softmax, average, in every head at once. The graded notebook gives you this part.",
    section=_ALL,
    slips=(
        Slip(
            lambda q, k, v, mask: _attend(q, k, v, ~mask),
            "The mask is the wrong way round: True means “may attend”, so it is where it is False that -∞ belongs.",
            _MASK,
        ),
        Slip(
            lambda q, k, v, mask: _attend(q, k, v, np.ones_like(mask)),
            "The mask has no effect: put -∞ where it is False, before the softmax.",
            _MASK,
        ),
        Slip(
            _fill_with(0),
            "Where the mask is False the score is 0, and e to the power of 0 is 1: that key still gets weight. Which "
            "score becomes a weight of 0?",
            _MASK,
        ),
        Slip(
            _fill_with(-1e9),
            "Right, but for a row that may attend to nothing: there all scores are the same large negative number, and "
            "equal scores share equally. Minus infinity tells the course's softmax that there is nothing to share.",
            _MASK,
        ),
        Slip(
            lambda q, k, v, mask: softmax(np.where(mask, _right_scores(q, k), -np.inf)),
            "These are the weights, (B, h, Tq, Tk), and they are right. One step is left: average the values.",
            _HAND,
        ),
        Slip(
            _mask_after,
            "Masked after the softmax: the rows no longer sum to 1. Mask the scores.",
            _MASK,
        ),
        Slip(
            lambda q, k, v, mask: _attend(q, k, v, mask, axis=-2),
            "The softmax runs over the queries. Each query shares out its weight over the keys: axis -1.",
            _SLIPS,
        ),
        Slip(
            lambda q, k, v, mask: _attend(q, k, v, mask, scores=lambda q, k: _products(q, k) / math.sqrt(_width(q))),
            "Divided by √C. Each head takes its products over hs numbers, not over C: divide by √hs.",
            _SLIPS,
        ),
        Slip(
            lambda q, k, v, mask: _attend(q, k, v, mask, scores=lambda q, k: _products(q, k) / 4),
            "Divided by 4, the √hs of the cells above. Here hs is another: take it from the shape of Q.",
            _HAND,
        ),
        Slip(
            lambda q, k, v, mask: _attend(q, k, v, mask, scores=_products),
            "The scores are not scaled: divide by √hs before the softmax.",
            _HAND,
        ),
    ),
)
