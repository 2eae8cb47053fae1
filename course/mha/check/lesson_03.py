"""The checkpoint of lesson 3, and of exercise 1: a concat for a whole batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mha.check.checkpoint import Case, Checkpoint, Slip
from mha.check.report import Section

__all__ = ["check_concat"]

TAUGHT = Section(3, "Your turn: the whole batch")
SLIP = Section(3, "The slip side by side")
BLOCKS = Section(3, "Block i is head i")
SENTENCE = Section(3, "One sentence, two heads")


def check_concat(function: object) -> None:
    """Try a concat, (B, h, T, hs) -> (B, T, h*hs), and say what is right or which slip it made. Never raises.

    Args:
        function: the function to try. Any way to get there is welcome: a loop, ``transpose``, ``moveaxis``,
            ``einsum``, ``stack``.
    """
    CHECKPOINT.report(function).show()


def _case(B: int, h: int, T: int, hs: int, words: str) -> Case:
    x = np.arange(B * h * T * hs, dtype=float).reshape(B, h, T, hs)
    want = np.empty((B, T, h * hs))
    for i in range(h):
        want[:, :, i * hs : (i + 1) * hs] = x[:, i]
    return Case((x,), want, words)


def _tiled(x: NDArray[np.floating], head: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.concatenate([head] * x.shape[1], axis=-1)


SLIPS = (
    Slip(
        lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        "The shape is right, but this is a reshape without the transpose: it cuts the memory into rows as it lies, and "
        "there all positions of head 0 come before head 1. Move the head axis beside the feature axis first.",
        SLIP,
    ),
    Slip(
        lambda x: x.transpose(0, 2, 3, 1).reshape(x.shape[0], x.shape[2], -1),
        "The shape is right, but the heads are interleaved: feature 0 of every head, then feature 1 of every head. "
        "The order of the last two axes must be (h, hs), not (hs, h), so that each head keeps a block of its own.",
        BLOCKS,
    ),
    Slip(
        lambda x: x[:, ::-1].transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1),
        "Every block is a head, but the heads are in the wrong order: the last one comes first. Block 0 is head 0.",
        BLOCKS,
    ),
    Slip(
        lambda x: x.transpose(2, 0, 1, 3).reshape(x.shape[0], x.shape[2], -1),
        "The head axis sits in the right place, but the axes of sentences and positions changed places: with more than "
        "one sentence, their rows are shuffled. B stays in front.",
        SENTENCE,
    ),
    Slip(
        lambda x: x.transpose(0, 1, 3, 2).reshape(x.shape[0], x.shape[2], -1),
        "The wrong axes were swapped: positions and features (axes 2 and 3). Heads and positions (axes 1 and 2) have "
        "to change places.",
        SENTENCE,
    ),
    Slip(
        lambda x: x.transpose(0, 1, 3, 2).reshape(x.shape[0], -1, x.shape[2]).swapaxes(1, 2)[:, :, ::-1],
        "All numbers are in their rows, but each row runs backwards: head 0 comes first, and its feature 0 before its "
        "feature 1.",
        BLOCKS,
    ),
    Slip(
        lambda x: _tiled(x, x[:, 0]),
        "Every block holds head 0. The other heads are lost: block i is head i.",
        BLOCKS,
    ),
    Slip(
        lambda x: _tiled(x, x[:, -1]),
        "Every block holds the last head: the loop overwrites, or asks for `x[:, -1]`. Block i is head i.",
        BLOCKS,
    ),
    Slip(
        lambda x: x.transpose(0, 2, 1, 3),
        "The axes are in the right order, (B, T, h, hs), but there are still four of them: merge the last two.",
        SENTENCE,
    ),
    Slip(
        lambda x: np.stack([x[:, i] for i in range(x.shape[1])], axis=-1),
        "`np.stack` made a new axis, so there are four: (B, T, hs, h). Laying blocks end to end needs no new axis.",
        SENTENCE,
    ),
    Slip(
        lambda x: x,
        "This is the input itself, still (B, h, T, hs).",
        SENTENCE,
    ),
    Slip(
        lambda x: x.reshape(x.shape[0], -1, x.shape[3]),
        "The heads are glued along the wrong axis: one after the other in time, (B, h*T, hs), as if the sentence had "
        "become longer. They belong side by side, along the last axis.",
        SENTENCE,
    ),
    Slip(
        lambda x: x.swapaxes(0, 1).reshape(-1, *x.shape[2:]),
        "The heads are glued along the wrong axis: the axis of sentences, (h*B, T, hs). They belong side by side, "
        "along the last axis.",
        SENTENCE,
    ),
    Slip(
        lambda x: np.concatenate(x, axis=-1),
        "`np.concatenate` went through axis 0, so it laid the sentences side by side: (h, T, B*hs). It is the heads "
        "that belong side by side.",
        SENTENCE,
    ),
    Slip(
        lambda x: x[:, 0],
        "Only head 0 is there, (B, T, hs). If you have a loop, see that `return` stands behind it, not inside.",
        BLOCKS,
    ),
    Slip(
        lambda x: x[:, -1],
        "Only the last head is there, (B, T, hs): each turn of the loop overwrites the one before. Keep them all.",
        BLOCKS,
    ),
    Slip(
        lambda x: x.mean(axis=1),
        "The heads were averaged to (B, T, hs): what each one said is gone. Concat keeps every number.",
        BLOCKS,
    ),
    Slip(
        lambda x: x.sum(axis=1),
        "The heads were added up to (B, T, hs): what each one said is gone. Concat keeps every number.",
        BLOCKS,
    ),
    Slip(
        lambda x: x[0].transpose(1, 0, 2).reshape(x.shape[2], -1),
        "This is one sentence, (T, C), without its batch axis: the first one of the batch. Keep B in front.",
        TAUGHT,
    ),
    Slip(
        lambda x: x.transpose(0, 2, 1, 3).reshape(-1, x.shape[1] * x.shape[3]),
        "The rows are right, but the sentences run into each other: the shape is (B*T, C). Keep B and T apart.",
        TAUGHT,
    ),
)

CHECKPOINT = Checkpoint(
    name="concat",
    cases=(
        _case(2, 3, 4, 5, "two sentences of four positions, three heads of five features"),
        _case(3, 2, 5, 1, "three sentences, two heads of a single feature"),
        _case(1, 4, 3, 2, "one sentence, four heads"),
        _case(2, 1, 3, 4, "a single head"),
        _case(2, 2, 1, 3, "a single position"),
    ),
    because="Block i of the columns is head i, at every position of every sentence, for five different sizes.",
    section=SENTENCE,
    slips=SLIPS,
)
