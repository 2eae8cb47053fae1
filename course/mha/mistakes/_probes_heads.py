"""The probes of ``concat_heads`` and ``split_heads``.

What is right for ``concat_heads`` follows from the given split: its input is a split array, its result that array.
So no reference is shipped.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from mha.attention import split_heads
from mha.mistakes.probe import Array, Fact, Probe, numbers

CONCAT_FACTS: tuple[Fact, ...] = (
    ("one sentence", "one sentence"),
    ("one head", "one head"),
    ("one token", "one token"),
    ("hs = 1", "heads of size 1"),
    ("T = h", "as many tokens as heads"),
    ("integers", "integers"),
    ("float32", "float32 numbers"),
    ("view", "the view that the split returns"),
    ("contiguous", "an array that lies in one piece"),
    ("h does not divide C", "a number of heads that does not divide the width"),
)


@functools.cache
def concat_probes() -> tuple[Probe, ...]:
    """Return the probes of ``concat_heads``, smallest first."""
    return (
        _concat("1 sentence, 2 heads, 2 tokens", _counted(1, 2, 2), 2, "integers contiguous"),
        _concat("one token", numbers(2, 1, 1, 4), 2, "view"),
        _concat("one head", numbers(1, 2, 3, 2), 1, "view"),
        _concat("heads of size 1", numbers(3, 2, 4, 3), 3, "contiguous"),
        _concat("as many sentences as heads", numbers(4, 2, 3, 8), 2, "view"),
        _concat("one sentence, more tokens", numbers(10, 1, 5, 6), 2, "contiguous"),
        _concat("as many tokens as heads", numbers(5, 2, 3, 6), 3, "contiguous"),
        _concat("as many tokens as features in a head", numbers(6, 2, 4, 8), 2, "view read-only"),
        _concat("all sizes different", numbers(7, 2, 4, 15, step=2**-40), 3, "contiguous"),
        _concat("large integers", _counted(2, 3, 8) + 2**53, 4, "integers view"),
        _concat("float32 numbers", numbers(8, 3, 5, 8, dtype=np.float32), 4, "float32 contiguous", item_size=4),
        _concat("the size of the lessons", numbers(9, 2, 6, 64), 4, "view"),
    )


@functools.cache
def split_probes() -> tuple[Probe, ...]:
    """Return the probes of ``split_heads``, smallest first."""
    refused = Probe("h does not divide C", frozenset({"h does not divide C"}), lambda: (numbers(3, 1, 2, 5), 2), None)
    return (
        _split("1 sentence, 2 heads, 2 tokens", _counted(1, 2, 4), 2, "integers"),
        _split("one token", numbers(2, 1, 1, 4), 2),
        _split("one head", numbers(1, 2, 3, 2), 1),
        refused,
        _split("heads of size 1", numbers(3, 2, 4, 3), 3),
        _split("as many tokens as heads", numbers(5, 2, 3, 6), 3),
        _split("as many heads as features in a head", numbers(6, 2, 5, 9), 3),
        _split("all sizes different", numbers(7, 2, 4, 15), 3),
        _split("two heads can share the tokens", numbers(7, 3, 4, 6), 2, "read-only"),
        _split("float32 numbers", numbers(8, 3, 5, 8, dtype=np.float32), 4, "float32", item_size=4),
    )


def _concat(name: str, x: Array, heads: int, kind: str, **more: Any) -> Probe:
    def make() -> tuple[Array]:
        given = split_heads(x.copy(), heads)
        given = given if "view" in kind else np.ascontiguousarray(given)
        given.flags.writeable = "read-only" not in kind
        return (given,)

    return Probe(name, _tags(x, heads, kind), make, (x,), **_exact(more))


def _split(name: str, x: Array, heads: int, kind: str = "", **more: Any) -> Probe:
    def make() -> tuple[Array, int]:
        given = x.copy()
        given.flags.writeable = "read-only" not in kind
        return given, heads

    return Probe(name, _tags(x, heads, kind), make, (np.ascontiguousarray(split_heads(x, heads)),), **_exact(more))


def _exact(more: dict[str, Any]) -> dict[str, Any]:
    return {"tolerance": 1e-13, **more}


def _tags(x: Array, heads: int, kind: str) -> frozenset[str]:
    batch, time, width = x.shape
    found = {
        "one sentence": batch == 1,
        "one head": heads == 1,
        "one token": time == 1,
        "hs = 1": width == heads,
        "T = h": time == heads,
    }
    return frozenset(kind.split()) | {tag for tag, present in found.items() if present}


def _counted(*shape: int) -> Array:
    return np.arange(np.prod(shape)).reshape(shape)
