"""The probes of ``multi_head_attention_per_head`` and ``multi_head_attention``.

What is right is stored in ``expected.json``, so that no reference is shipped. The file is written, and tested, by
``tests/mistakes/reference.py``, which computes every number with loops over plain floats.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from mha.mistakes.probe import Array, Fact, Probe, numbers

ATTENTION_FACTS: tuple[Fact, ...] = (
    ("no mask", "no mask"),
    ("one sentence", "one sentence"),
    ("one head", "one head"),
    ("Tq = Tk", "query and key of equal length"),
    ("Tq ≠ Tk", "query and key of different length"),
    ("mask", "a mask"),
    ("one mask for all", "one mask for the whole batch"),
    ("dead row", "a row that may attend to nothing"),
    ("plain projection", "an identity as weight_o and a bias of zero"),
    ("zero bias", "a bias of zero"),
    ("large scores", "very large scores"),
    ("integers", "integers"),
    ("float32", "float32 numbers"),
)


@dataclass(frozen=True)
class Case:
    """One attention problem: sizes, and how its arrays are filled."""

    name: str
    seed: int
    batch: int
    heads: int
    queries: int
    keys: int
    width: int
    mask: str = ""
    stretch: float = 1.0
    dtype: type = np.float64
    plain: bool = False
    zero_bias: bool = False
    awkward: bool = False

    def arguments(self) -> tuple[Any, ...]:
        """Return fresh query, key, value, num_heads, weight_o, bias_o and mask."""
        *arrays, mask = (None if array is None else array.copy() for array in _arrays(self))
        if self.awkward:
            arrays = [_awkward(array) for array in arrays]
        query, key, value, weight_o, bias_o = arrays
        return query, key, value, self.heads, weight_o, bias_o, mask

    def draw(self) -> tuple[Array | None, ...]:
        """Make up the arrays and the mask."""
        step = 1.0 if self.dtype is np.int64 else 1 / 64
        shapes = [(self.batch, self.queries, self.width)] + [(self.batch, self.keys, self.width)] * 2
        query, key, value = (numbers(self.seed + i, *shape, step=step) for i, shape in enumerate(shapes))
        query[:, ::2] *= self.stretch  # every second row only: small and large scores in one call
        key[:, ::2] *= self.stretch
        weight_o = np.eye(self.width) if self.plain else numbers(self.seed + 3, self.width, self.width, step=step)
        bias_o = numbers(self.seed + 4, self.width, step=step) * (not (self.plain or self.zero_bias))
        return *(array.astype(self.dtype) for array in (query, key, value, weight_o, bias_o)), self._mask()

    def tags(self) -> frozenset[str]:
        """Return what facts are drawn from."""
        found = {
            "one sentence": self.batch == 1,
            "one head": self.heads == 1,
            "Tq = Tk": self.queries == self.keys,
            "Tq ≠ Tk": self.queries != self.keys,
            "mask": bool(self.mask),
            "no mask": not self.mask,
            "one mask for all": self.mask in ("causal", "shared", "two axes"),
            "dead row": self.mask == "dead row",
            "plain projection": self.plain,
            "zero bias": self.plain or self.zero_bias,
            "large scores": self.stretch > 1,
            "integers": self.dtype is np.int64,
            "float32": self.dtype is np.float32,
        }
        return frozenset(tag for tag, present in found.items() if present)

    def _mask(self) -> Array | None:
        rows, columns = np.arange(self.queries)[:, None], np.arange(self.keys)
        if not self.mask:
            return None
        causal = columns <= rows
        if self.mask == "causal":
            return causal
        if self.mask == "nothing":
            return np.zeros((self.queries, self.keys), bool)
        if self.mask.startswith("per head"):
            draw = numbers(self.seed + 5, self.batch, self.heads, self.queries, self.keys) > -0.5
            draw[..., 0] = self.mask == "per head"
            return draw
        if self.mask == "padding":
            lengths = self.keys - np.arange(self.batch) % self.keys
            return np.repeat((columns < lengths[:, None])[:, None], self.queries, axis=1)
        batch = 1 if self.mask in ("shared", "two axes") else self.batch
        draw = numbers(self.seed + 5, batch, self.queries, self.keys) > 0
        draw[..., 0] |= ~draw.any(axis=-1) | (self.mask == "shared")
        if self.mask == "dead row":
            draw[:, 1] = False
        if self.mask == "all heads":
            return draw[:, np.newaxis]
        return draw[0] if self.mask == "two axes" else draw


@functools.cache
def _arrays(case: Case) -> tuple[Array | None, ...]:
    return case.draw()


def _awkward(array: Array) -> Array:
    """Return the same numbers read-only and in steps through a larger block."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    wide.flags.writeable = False
    return wide[..., ::2]


CASES = (
    Case("heads of size 1", 10, batch=1, heads=2, queries=2, keys=2, width=2),
    Case("identity projection", 20, batch=1, heads=2, queries=2, keys=3, width=4, plain=True),
    Case("one head", 30, batch=1, heads=1, queries=3, keys=2, width=3),
    Case("bias of zero", 40, batch=1, heads=2, queries=3, keys=3, width=6, zero_bias=True),
    Case("several sentences, no mask", 50, batch=3, heads=2, queries=4, keys=5, width=6, awkward=True),
    Case("causal mask", 60, batch=2, heads=2, queries=4, keys=4, width=6, mask="causal"),
    Case("mask for each sentence", 70, batch=2, heads=3, queries=4, keys=6, width=12, mask="per sentence"),
    Case("padding, one query", 80, batch=3, heads=2, queries=1, keys=4, width=4, mask="padding"),
    Case("mask for each head", 90, batch=2, heads=3, queries=3, keys=4, width=6, mask="per head"),
    Case("row with nothing to attend to", 100, batch=2, heads=2, queries=3, keys=3, width=8, mask="dead row"),
    Case("as many sentences, heads, tokens and features", 110, 3, 3, 3, 3, width=9, mask="per sentence"),
    Case("very large scores", 120, batch=2, heads=2, queries=4, keys=4, width=8, mask="shared", stretch=512.0),
    Case("integers", 130, batch=1, heads=2, queries=3, keys=2, width=4, dtype=np.int64, mask="two axes"),
    Case("float32 numbers", 140, batch=2, heads=2, queries=3, keys=5, width=6, dtype=np.float32, mask="all heads"),
)

CONFIRMING = (
    Case("all sizes 3, one mask for all, very large scores", 200, 3, 3, 3, 3, width=9, mask="two axes", stretch=512.0),
    Case("all sizes 2, mask for each head", 210, 2, 2, 2, 2, width=4, mask="per head, dead rows"),
    Case("one head as wide as long", 220, 2, 1, 3, 3, width=3, mask="dead row"),
    Case("one sentence, one head", 230, 1, 1, 4, 4, width=4, mask="per head, dead rows", stretch=512.0),
    Case("a single key", 250, 2, 3, 4, 1, width=6, mask="per head, dead rows"),
    Case("a single query", 260, 1, 4, 1, 3, width=12, mask="per head, dead rows"),
    Case("one query, two keys", 270, 1, 2, 1, 2, width=2),
    Case("a single feature", 280, 2, 1, 2, 3, width=1),
    Case("one token that may not attend", 240, 1, 2, 1, 1, width=4, mask="nothing"),
)
"""Sizes that let nearly every wrong function run, with all that could tell two of them apart."""


@functools.cache
def stored() -> dict[str, dict[str, Array]]:
    """Return the right results by case and by name of the result."""
    text = resources.files("mha.mistakes").joinpath("expected.json").read_text(encoding="utf-8")
    cases: dict[str, dict[str, Any]] = json.loads(text)
    return {
        case: {name: np.array(numbers).reshape(shape) for name, (shape, numbers) in results.items()}
        for case, results in cases.items()
    }


@functools.cache
def multi_head_probes() -> tuple[Probe, ...]:
    """Return the probes of ``multi_head_attention``, smallest first."""
    return tuple(_probe(case, slice(None), ("output", "weights")) for case in CASES)


@functools.cache
def per_head_probes() -> tuple[Probe, ...]:
    """Return the probes of ``multi_head_attention_per_head``, smallest first."""
    return tuple(_probe(case, [0, 1, 2, 3, 6], ("per_head", "weights")) for case in CASES if not case.zero_bias)


@functools.cache
def multi_head_confirming() -> tuple[Probe, ...]:
    """Return what a named mistake must agree on too, for ``multi_head_attention``."""
    return tuple(_probe(case, slice(None), ()) for case in CONFIRMING)


@functools.cache
def per_head_confirming() -> tuple[Probe, ...]:
    """Return what a named mistake must agree on too, for ``multi_head_attention_per_head``."""
    return tuple(_probe(case, [0, 1, 2, 3, 6], ()) for case in CONFIRMING)


def _probe(case: Case, chosen: slice | list[int], results: tuple[str, ...]) -> Probe:
    def make() -> tuple[Any, ...]:
        arguments = case.arguments()
        return arguments[chosen] if isinstance(chosen, slice) else tuple(arguments[i] for i in chosen)

    right = tuple(stored()[case.name][name] for name in results) or None
    single = case.dtype is np.float32
    return Probe(case.name, case.tags(), make, right, 4 if single else 8, 1e-4 if single else 1e-6)
