"""The checkpoints of lesson 1: the student's own split, for one sentence and then for a batch."""

from __future__ import annotations

import numpy as np

from mha.attention import split_heads
from mha.check.checkpoint import Case, Checkpoint, Slip
from mha.check.report import Section

__all__ = ["check_split", "check_split_one"]

_STEP_1 = Section(1, "Step 1: give the heads an axis")
_STEP_2 = Section(1, "Step 2: put all tokens inside each head")
_SLIP = Section(1, "The slip: reshape straight")


def check_split_one(function: object) -> None:
    """Check a split of one sentence, ``function(x, h)``: (T, C) -> (h, T, hs). Shows the answer; never raises."""
    _ONE.report(function).show()


def check_split(function: object) -> None:
    """Check a split of a batch, ``function(x, h)``: (B, T, C) -> (B, h, T, hs). Shows the answer; never raises."""
    _BATCH.report(function).show()


def _numbers(*shape: int) -> np.ndarray:
    return np.arange(float(np.prod(shape))).reshape(shape)


def _case(shape: tuple[int, ...], heads: int, words: str) -> Case:
    x = _numbers(*shape)
    want = split_heads(x if x.ndim == 3 else x[np.newaxis], heads)
    return Case((x, heads), want if x.ndim == 3 else want[0], f"{words} (x of shape {shape}, h = {heads})")


def _by_token(x: np.ndarray, heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads)  # (..., T, h, hs)


def _straight(x: np.ndarray, heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:-2], heads, x.shape[-2], x.shape[-1] // heads)


def _interleaved(x: np.ndarray, heads: int) -> np.ndarray:
    spread = x.reshape(*x.shape[:-1], x.shape[-1] // heads, heads)  # (..., T, hs, h)
    return np.moveaxis(spread, -1, -3)


def _features_first(x: np.ndarray, heads: int) -> np.ndarray:
    return np.swapaxes(_by_token(x, heads), -1, -2)


_SLIPS = (
    Slip(
        _straight,
        "The shape is right, but this is a straight reshape: it deals the numbers out in memory order, so tokens end "
        "up in the wrong head. First give the heads an axis, then swap it with the tokens'.",
        _SLIP,
    ),
    Slip(
        _by_token,
        "Half-way: the heads have their axis, but it still stands after the tokens. Swap the two.",
        _STEP_2,
    ),
    Slip(
        _interleaved,
        "Every head gets every h-th feature here. A head's features lie side by side: split C as (h, hs).",
        _STEP_1,
    ),
    Slip(_features_first, "You swapped heads and features. Swap heads and tokens.", _STEP_2),
)

_ONE = Checkpoint(
    name="split_one",
    cases=(
        _case((4, 6), 2, "“The river bank was”"),
        _case((3, 8), 4, "three tokens in four heads"),
        _case((5, 4), 1, "a single head"),
    ),
    because="Every head holds all tokens, and each token's numbers are its own. Next: a whole batch at once.",
    section=_STEP_2,
    slips=_SLIPS,
)

_BATCH = Checkpoint(
    name="split",
    cases=(
        _case((1, 4, 6), 2, "“The river bank was”"),
        _case((2, 3, 8), 4, "a batch of two sentences"),
        _case((3, 3, 9), 3, "as many sentences as tokens and heads"),
    ),
    because="That is the split, for any batch. The graded notebook gives it to you as `split_heads`.",
    section=_STEP_2,
    slips=(
        Slip(
            lambda x, heads: _by_token(x, heads).transpose(2, 1, 0, 3),
            "You swapped heads and sentences. Axis 0 is the batch and stays where it is: swap axes 1 and 2.",
            _STEP_2,
        ),
        *_SLIPS,
    ),
)
