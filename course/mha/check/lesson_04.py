"""The checkpoint of lesson 4: the projection of heads that are already concatenated."""

from __future__ import annotations

import numpy as np

from mha.check.checkpoint import Case, Checkpoint, Slip
from mha.check.report import Section

__all__ = ["check_block", "check_projection"]

TAUGHT = Section(4, "Two ways to store the weight")
BIAS = Section(4, "What the bias does")


def check_block(function: object) -> None:
    """Try ``block_of(weight_o, i, hs)`` and say what is right or which slip it made. Never raises.

    Args:
        function: the function to try: returns head i's part of ``weight_o``, which is (C, C) in (out, in) order.
    """
    BLOCK.report(function).show()


def check_projection(function: object) -> None:
    """Try ``project(concat, weight_o, bias_o)`` and say what is right or which slip it made. Never raises.

    Args:
        function: the function to try: (T, C), (C, C) and (C,) to (T, C), ``weight_o`` in (out, in) order.
    """
    CHECKPOINT.report(function).show()


def _case(T: int, C: int, words: str) -> Case:
    rng = np.random.default_rng(C)
    concat = rng.integers(-4, 5, (T, C)).astype(float)
    weight = rng.integers(1, 9, (C, C)) * np.triu(np.ones((C, C)))
    bias = rng.integers(1, 9, C) * 10.0
    return Case((concat, weight, bias), concat @ weight.T + bias, words)


def _block_case(C: int, hs: int, i: int, words: str) -> Case:
    weight = np.arange(float(C * C)).reshape(C, C)
    return Case((weight, i, hs), weight[:, i * hs : (i + 1) * hs], f"{words} (C = {C}, hs = {hs}, head {i})")


BLOCK = Checkpoint(
    name="block_of",
    cases=(
        _block_case(6, 3, 1, "the second of two heads"),
        _block_case(8, 2, 2, "the third of four heads"),
        _block_case(4, 4, 0, "a single head"),
    ),
    because="In (out, in) order a head is a block of columns: its numbers are inputs, and inputs go across.",
    section=TAUGHT,
    slips=(
        Slip(
            lambda w, i, hs: w[i * hs : (i + 1) * hs],
            "Those are rows, and in this order a row is an output. A head's numbers are inputs: where do they lie?",
        ),
        Slip(
            lambda w, i, hs: w[:, i * hs : (i + 1) * hs].T,
            "The right numbers, but turned: keep all C outputs as rows, (C, hs).",
        ),
        Slip(
            lambda w, i, hs: w[:, i : i + hs],
            "As many columns as a head has, but they start too early: whole heads come before head i.",
        ),
        Slip(
            lambda w, i, hs: w[:, max(i - 1, 0) * hs : max(i, 1) * hs],
            "That is the head before. Heads count from 0.",
        ),
        Slip(
            lambda w, i, hs: w[:, i :: len(w) // hs],
            "That is every h-th column. A head's columns lie in one block, side by side.",
        ),
        Slip(
            lambda w, i, hs: w[:, i * hs],
            "That is a single column. A head has hs of them.",
        ),
    ),
)

CHECKPOINT = Checkpoint(
    name="project",
    cases=(
        _case(3, 4, "three positions and C = 4"),
        _case(1, 6, "one position and C = 6"),
        _case(5, 2, "five positions and C = 2"),
    ),
    because="Each output reads its own row of `weight_o`, and gets its bias once.",
    section=TAUGHT,
    slips=(
        Slip(
            lambda c, w, b: c @ w + b,
            "The weight is not transposed. `weight_o` holds one row for each output, so an output must meet its row: "
            "that needs `weight_o.T` behind the `@`.",
        ),
        Slip(lambda c, w, b: c @ w.T, "The weight is right, but the bias is missing.", BIAS),
        Slip(lambda c, w, b: c @ w, "Two things: the weight is not transposed, and the bias is missing."),
        Slip(
            lambda c, w, b: (c + b) @ w.T,
            "The bias is added before the product, so the weight mixes it too. It comes after.",
            BIAS,
        ),
        Slip(lambda c, w, b: c @ w.T - b, "The bias is subtracted; it is added.", BIAS),
        Slip(lambda c, w, b: c @ w.T + b.sum(), "Every output gets all biases. Output j gets `bias_o[j]` alone.", BIAS),
        Slip(
            lambda c, w, b: c * np.diag(w) + b,
            "Only the diagonal of the weight is used: each output reads one input. `@` lets it read all of them.",
        ),
        Slip(
            lambda c, w, b: (c @ w.T + b).T,
            "The numbers are right, but rows and columns changed places: positions come first, (T, C).",
        ),
    ),
)
