"""Multi-head attention taken apart into steps, so that a mistake can replace exactly one of them.

Everything here is private on purpose: the catalogue needs right neighbours for its wrong steps, but what students
import must not do their work for them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mha.attention import softmax, split_heads
from mha.mistakes.model import Function, Steps

Array = NDArray[Any]

ATTENTION_STEPS = frozenset({"take", "split", "compare", "scale", "hide", "normalise", "mix", "attend"})
CONCAT_STEPS = frozenset({"concat", "store"})
PROJECTION_STEPS = CONCAT_STEPS | {"project", "answer", "whole"}


class Sizes(NamedTuple):
    """The sizes that a step may need beside its arrays."""

    heads: int
    head_size: int
    width: int
    queries: int
    keys: int


def _attention(steps: Steps) -> Function:
    """Build a per-head attention from the given steps and right ones."""
    if "attend" in steps:
        return steps["attend"]
    take = steps.get("take", _take)
    split = _split(steps)
    compare = steps.get("compare", _compare)
    scale = steps.get("scale", _scale)
    hide = steps.get("hide", _hide)
    normalise = steps.get("normalise", _normalise)
    mix = steps.get("mix", _mix)

    def attend(
        query: Array, key: Array, value: Array, num_heads: int, mask: Array | None = None
    ) -> tuple[Array, Array]:
        q, k, v = (split(x, num_heads) for x in take(*map(_as_float, (query, key, value))))
        sizes = Sizes(num_heads, q.shape[-1], query.shape[-1], query.shape[1], key.shape[1])
        scores = scale(compare(q, k), sizes)
        weights = normalise(hide(scores, mask), mask, sizes)
        return mix(weights, v), weights

    return attend


def _multi_head_attention(steps: Steps) -> Function:
    """Build a multi-head attention from the given steps and right ones."""
    if "whole" in steps:
        return steps["whole"]
    attend = _attention(steps)
    concat = _concat(steps)
    project = steps.get("project", _project)
    answer = steps.get("answer", _answer)

    def assembled(
        query: Array,
        key: Array,
        value: Array,
        num_heads: int,
        weight_o: Array,
        bias_o: Array,
        mask: Array | None = None,
    ) -> Any:
        per_head, weights = attend(query, key, value, num_heads, mask)
        joined = concat(per_head)
        return answer(project(joined, weight_o, bias_o, num_heads), weights)

    return assembled


def _concat(steps: Steps) -> Function:
    """Build a concat from the given steps and right ones."""
    concat = steps.get("concat", _rejoin)
    if "store" not in steps:
        return concat
    return lambda x: steps["store"](concat(x))


def _split(steps: Steps) -> Function:
    return steps.get("split", split_heads)


def _rejoin(per_head: Array) -> Array:
    """Undo the given split by looking up where it puts each feature."""
    batch, heads, time, size = per_head.shape
    numbered = np.arange(time * heads * size).reshape(1, time, heads * size)
    places = split_heads(numbered, heads).ravel()
    joined = np.empty((batch, numbered.size), per_head.dtype)
    joined[:, places] = per_head.reshape(batch, -1)
    return joined.reshape(batch, *numbered.shape[1:])


def _as_float(x: Array) -> Array:
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _take(query: Array, key: Array, value: Array) -> tuple[Array, Array, Array]:
    return query, key, value


def _compare(q: Array, k: Array) -> Array:
    return q @ k.swapaxes(-1, -2)


def _scale(scores: Array, sizes: Sizes) -> Array:
    return scores / math.sqrt(sizes.head_size)


def _with_head_axis(mask: Array) -> Array:
    return mask[:, np.newaxis] if mask.ndim == 3 else mask


def _hide(scores: Array, mask: Array | None) -> Array:
    return scores if mask is None else _keep(scores, _with_head_axis(mask))


def _keep(scores: Array, allowed: Array) -> Array:
    """Hide what is not allowed; like the given function, refuse a mask that would stretch the scores."""
    return np.where(np.broadcast_to(allowed, scores.shape), scores, -np.inf)


def _normalise(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    return softmax(scores)


def _mix(weights: Array, v: Array) -> Array:
    return weights @ v


def _project(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    return np.matmul(joined, weight_o.swapaxes(0, 1)) + bias_o


def _answer(output: Array, weights: Array) -> tuple[Array, Array]:
    return output, weights
