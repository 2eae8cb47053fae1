"""The whole layer in one call, with every intermediate kept, and the setup that the lessons demonstrate it on.

Shapes use B (batch), T (time), C (width), h (heads, counted from 0) and hs (head size, C / h).

Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mha.attention import softmax, split_heads

__all__ = ["Demonstration", "demonstration", "multi_head_attention_forward"]

Array = NDArray[np.floating[Any]]


def multi_head_attention_forward(
    X: Array, Wq: Array, Wk: Array, Wv: Array, Wo: Array, h: int
) -> tuple[Array, dict[str, Array]]:
    """Project, split, attend in every head, concatenate, project again; keep all that was computed on the way.

    The weights are in the (in_features, out_features) convention: a layer computes ``X @ W``. The graded
    notebook uses the other one, ``x @ weight.T``; lesson 4 puts the two side by side.

    Args:
        X: input of shape (B, T, C).
        Wq, Wk, Wv: projections to queries, keys and values, each (C, C).
        Wo: output projection, (C, C) or (C, anything).
        h: number of heads; it must divide C.

    Returns:
        ``(out, cache)``: the output (B, T, C), and a dictionary with ``Q``, ``K``, ``V`` and ``per_head``
        (B, h, T, hs), ``scores`` and ``weights`` (B, h, T, T), ``concat`` and ``out`` (B, T, C).

    Raises:
        ValueError: if ``h`` does not divide C or the shapes do not fit together.
    """
    Q = split_heads(X @ Wq, h)  # (B, h, T, hs)
    K = split_heads(X @ Wk, h)  # (B, h, T, hs)
    V = split_heads(X @ Wv, h)  # (B, h, T, hs)
    head_size = Q.shape[-1]

    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(head_size)  # (B, h, T, T)
    weights = softmax(scores, axis=-1)  # (B, h, T, T)
    per_head = weights @ V  # (B, h, T, hs)

    # Block by block instead of in one line: that line is what lesson 3 asks the reader to find.
    concat = np.empty((*X.shape[:2], h * head_size), dtype=per_head.dtype)  # (B, T, C)
    for i in range(h):
        concat[:, :, i * head_size : (i + 1) * head_size] = per_head[:, i]

    out = concat @ Wo  # (B, T, C)
    cache = {
        "Q": Q,
        "K": K,
        "V": V,
        "scores": scores,
        "weights": weights,
        "per_head": per_head,
        "concat": concat,
        "out": out,
    }
    return out, cache


@dataclass(frozen=True)
class Demonstration:
    """Input and weights of the demonstration. Nothing in it is learned: every number is drawn at random.

    Attributes:
        X: input (B, T, C) = (2, 6, 64).
        Wq, Wk, Wv: projections (64, 64).
        Wo: a dense output projection (64, 64): every output may read every head.
        block_diagonal: an output projection (64, 64) that is zero outside each head's own (16, 16) block.
        h: the number of heads, 4.
    """

    X: Array
    Wq: Array
    Wk: Array
    Wv: Array
    Wo: Array
    block_diagonal: Array
    h: int

    @property
    def C(self) -> int:
        """Width of the layer, 64."""
        return self.X.shape[-1]

    @property
    def hs(self) -> int:
        """Head size, C / h = 16."""
        return self.C // self.h

    def forward(self, Wo: Array | None = None) -> tuple[Array, dict[str, Array]]:
        """Run the layer, with another output projection where one is given.

        Args:
            Wo: output projection (64, 64); None takes the dense one.

        Returns:
            ``(out, cache)`` as ``multi_head_attention_forward`` gives them.
        """
        return multi_head_attention_forward(self.X, self.Wq, self.Wk, self.Wv, self.Wo if Wo is None else Wo, self.h)


def demonstration() -> Demonstration:
    """Draw the demonstration that lessons 2 to 5 share: seed 42, B=2, T=6, C=64, h=4, weights scaled by 0.2.

    0.2 is about ten times what training starts from: at that scale the heads' weights differ visibly instead
    of all being nearly uniform. The order of the draws is part of the setup: the block-diagonal projection
    comes after the four dense matrices, one block at a time.

    Returns:
        A fresh ``Demonstration``; changing its arrays changes nobody else's.
    """
    rng = np.random.default_rng(42)
    batch, time, width, heads = 2, 6, 64, 4
    head_size = width // heads
    X = rng.standard_normal((batch, time, width))
    Wq, Wk, Wv, Wo = (rng.standard_normal((width, width)) * 0.2 for _ in range(4))
    block_diagonal = np.zeros((width, width))
    for i in range(heads):
        block = slice(i * head_size, (i + 1) * head_size)
        block_diagonal[block, block] = rng.standard_normal((head_size, head_size)) * 0.2
    return Demonstration(X, Wq, Wk, Wv, Wo, block_diagonal, heads)
