"""Four broken functions to hunt, and a measure of how wrong each one is on a given input.

Each function gives the right shape and, on many inputs, the right numbers. The hunt of lesson 5 asks for the
smallest input that shows the difference. ``BUGS`` lists them in the order of the lesson.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mha.attention import softmax

__all__ = [
    "BUGS",
    "TOLERANCE",
    "Attempt",
    "Bug",
    "Found",
    "attempt",
    "concat_over_sentences",
    "mask_after_softmax",
    "project_each_head",
    "scale_by_width",
    "source_of",
]

Array = NDArray[Any]

TOLERANCE = 1e-9
"""Differences up to this size are rounding, not a bug."""


def concat_over_sentences(x):
    """(B, h, T, hs) -> (B, T, C)"""
    B, h, T, hs = x.shape
    return x.transpose(2, 0, 1, 3).reshape(B, T, h * hs)


def scale_by_width(q, k):
    """(B, h, Tq, hs), (B, h, Tk, hs) -> attention weights (B, h, Tq, Tk)"""
    h, hs = q.shape[1], q.shape[3]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(h * hs)
    return softmax(scores, axis=-1)


def mask_after_softmax(scores, v, mask):
    """(Tq, Tk), (Tk, hs), mask (Tq, Tk), True = may attend -> (Tq, hs)"""
    weights = softmax(scores, axis=-1)
    weights = np.where(mask, weights, 0)
    return weights @ v


def project_each_head(x, weight_o, bias_o):
    """(B, h, T, hs) -> (B, T, C), concat and projection as a sum over heads"""
    h, hs = x.shape[1], x.shape[3]
    blocks = [weight_o[:, i * hs : (i + 1) * hs] for i in range(h)]
    return sum(x[:, i] @ blocks[i].T + bias_o for i in range(h))


def _error_of_concat(x: Array) -> float:
    got = concat_over_sentences(x)
    size = x.shape[3]
    return _largest(got[:, :, i * size : (i + 1) * size] - x[:, i] for i in range(x.shape[1]))


def _error_of_scale(q: Array, k: Array) -> float:
    right = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[3]), axis=-1)
    return _largest([scale_by_width(q, k) - right])


def _error_of_mask(scores: Array, v: Array, mask: Array) -> float:
    right = softmax(np.where(mask, scores, -np.inf), axis=-1) @ v
    return _largest([mask_after_softmax(scores, v, mask) - right])


def _error_of_projection(x: Array, weight_o: Array, bias_o: Array) -> float:
    size = x.shape[3]
    right = bias_o + sum(x[:, i] @ weight_o.T[i * size : (i + 1) * size] for i in range(x.shape[1]))
    return _largest([project_each_head(x, weight_o, bias_o) - right])


def _largest(differences) -> float:
    return max(float(np.abs(d).max()) for d in differences)


@dataclass(frozen=True)
class Bug:
    """A broken function and what is needed to hunt it.

    Attributes:
        name: short name, for tables.
        broken: the function, wrong on some inputs.
        arguments: the argument names and their axes, in the words of the lesson, such as ``(B, h, T, hs)``.
        smallest: how many numbers the smallest input that shows the bug holds, over all its arguments.
    """

    name: str
    broken: Callable[..., Array]
    arguments: Mapping[str, str]
    smallest: int
    _error: Callable[..., float]

    def error(self, *arguments: Array) -> float:
        """How far the broken function is from the right answer.

        Args:
            arguments: the arrays, in the order of ``arguments``.

        Returns:
            The largest absolute difference, 0.0 where this input does not show the bug.

        Raises:
            ValueError: if the arrays have the wrong number of axes or do not fit together.
        """
        self._check(arguments)
        return self._error(*arguments)

    def _check(self, arguments: tuple[Array, ...]) -> None:
        sizes: dict[str, int] = {}
        for (name, axes), array in zip(self.arguments.items(), arguments, strict=True):
            letters = axes.strip("()").rstrip(",").split(", ")
            if array.ndim != len(letters):
                raise ValueError(f"{name} needs {len(letters)} axes, {axes}, but yours has shape {array.shape}.")
            if array.size == 0:
                raise ValueError(f"{name} has shape {array.shape}: it holds no number at all.")
            for letter, size in zip(letters, array.shape, strict=True):
                if sizes.setdefault(letter, size) != size:
                    raise ValueError(f"{letter} is {sizes[letter]} in one argument and {size} in {name}.")
        if "C" in sizes and sizes["C"] != sizes["h"] * sizes["hs"]:
            raise ValueError(f"C must be h*hs = {sizes['h'] * sizes['hs']}, but here it is {sizes['C']}.")


BUGS: tuple[Bug, ...] = (
    Bug("concat", concat_over_sentences, {"x": "(B, h, T, hs)"}, 4, _error_of_concat),
    Bug("scale", scale_by_width, {"q": "(B, h, Tq, hs)", "k": "(B, h, Tk, hs)"}, 6, _error_of_scale),
    Bug(
        "mask",
        mask_after_softmax,
        {"scores": "(Tq, Tk)", "v": "(Tk, hs)", "mask": "(Tq, Tk)"},
        6,
        _error_of_mask,
    ),
    Bug(
        "bias",
        project_each_head,
        {"x": "(B, h, T, hs)", "weight_o": "(C, C)", "bias_o": "(C,)"},
        8,
        _error_of_projection,
    ),
)


def source_of(bug: Bug) -> str:
    """The code of the broken function, to be printed and read.

    Args:
        bug: one of ``BUGS``.

    Returns:
        Its Python source.
    """
    return inspect.getsource(bug.broken)


@dataclass(frozen=True)
class Found:
    """What one input shows of one bug.

    Attributes:
        error: the largest absolute difference from the right answer.
        numbers: how many numbers the input holds, over all arguments.
    """

    error: float
    numbers: int

    @property
    def caught(self) -> bool:
        """Whether the difference is more than rounding."""
        return self.error > TOLERANCE


@dataclass(frozen=True)
class Attempt:
    """One input size, tried on all four bugs.

    Attributes:
        B, T, h, hs: the sizes.
        found: what it shows, by the bug's name.
    """

    B: int
    T: int
    h: int
    hs: int
    found: Mapping[str, Found]


def attempt(B: int, T: int, h: int, hs: int) -> Attempt:
    """Try all four bugs on random numbers of one size, the same numbers every time; the mask is causal.

    Args:
        B, T, h, hs: sentences, positions, heads and head size, each at least 1.

    Returns:
        What this size shows.
    """
    rng = np.random.default_rng(5)
    x, q, k = (rng.standard_normal((B, h, T, hs)) for _ in range(3))
    scores, v = rng.standard_normal((T, T)), rng.standard_normal((T, hs))
    weight_o, bias_o = rng.standard_normal((h * hs, h * hs)), rng.standard_normal(h * hs)
    inputs = ((x,), (q, k), (scores, v, np.tri(T, dtype=bool)), (x, weight_o, bias_o))
    found = {
        bug.name: Found(bug.error(*arrays), sum(array.size for array in arrays))
        for bug, arrays in zip(BUGS, inputs, strict=True)
    }
    return Attempt(B, T, h, hs, found)
