"""Mistakes in a student's own ``split_heads``: (B, T, C) -> (B, h, T, hs), and pairs that undo each other."""

from __future__ import annotations

import numpy as np

from mha.attention import split_heads
from mha.mistakes import _concat  # noqa: F401 - a pair needs the concat that undoes the split
from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array
from mha.mistakes.lessons import ROUND_TRIP, SPLIT, SPLIT_SLIP
from mha.mistakes.model import Pointer


def _split(pointer: Pointer = SPLIT, *, local: bool = False):
    return CATALOGUE.mistake("split_heads", "split", pointer, local=local)


@_split(SPLIT_SLIP)
def split_straight_to_four_axes(x: Array, num_heads: int) -> Array:
    """Splits by reshaping straight to four axes

    Your split reshapes straight to heads, time and head size. The shape is right, but each head gets a chunk of the
    sentence instead of a slice of every token's features.
    """
    batch, time, width = x.shape
    return x.reshape(batch, num_heads, time, width // num_heads)


@_split()
def split_interleaved(x: Array, num_heads: int) -> Array:
    """Deals the features out to the heads in turn

    Your split deals the features out like cards: feature 0 to head 0, feature 1 to head 1. The shape is right, but a
    head owns a block of neighbouring features.
    """
    batch, time, width = x.shape
    return x.reshape(batch, time, width // num_heads, num_heads).transpose(0, 3, 1, 2)


@_split()
def split_without_transpose(x: Array, num_heads: int) -> Array:
    """Splits without moving the head axis forward

    Your split leaves the heads behind the time axis. Attention then compares the heads of one token with each other
    instead of comparing tokens.
    """
    batch, time, width = x.shape
    return x.reshape(batch, time, num_heads, width // num_heads)


@_split()
def split_along_time(x: Array, num_heads: int) -> Array:
    """Splits the sentence instead of the features

    Your split cuts the time axis into pieces, so every head sees a part of the sentence with all features. Each head
    should see the whole sentence with its own slice of the features.
    """
    return np.stack(np.split(x, num_heads, axis=1), axis=1)


@_split()
def split_channels_first(x: Array, num_heads: int) -> Array:
    """Reshapes features before time, then transposes

    Your split reshapes as if features came before time in memory, and then transposes. Even with one head the
    numbers are wrong, since a reshape never moves data.
    """
    batch, time, width = x.shape
    return x.reshape(batch, num_heads, width // num_heads, time).transpose(0, 1, 3, 2)


@_split()
def split_time_last(x: Array, num_heads: int) -> Array:
    """Moves time to the last axis

    Your split puts time at the end, after the head size. The scores then compare features instead of tokens; each
    head needs one row for each token.
    """
    batch, time, width = x.shape
    return x.reshape(batch, time, num_heads, width // num_heads).transpose(0, 2, 3, 1)


@_split()
def split_swaps_number_and_size(x: Array, num_heads: int) -> Array:
    """Takes the number of heads for the head size

    Your split makes heads of size h, where it should make h heads. Where both numbers are equal nothing shows.
    """
    batch, time, width = x.shape
    return x.reshape(batch, time, width // num_heads, num_heads).transpose(0, 2, 1, 3)


@_split()
def split_heads_reversed(x: Array, num_heads: int) -> Array:
    """Gives the heads their slices in reverse order

    Your split gives the last features to head 0. Head i should get the i-th block of features, counted from 0.
    """
    return split_heads(x, num_heads)[:, ::-1]


@_split()
def split_fortran_order(x: Array, num_heads: int) -> Array:
    """Splits in Fortran order

    Your split reshapes in Fortran order, where the first axis runs fastest. The shape is right, but the features are
    dealt out to the heads in turn.
    """
    batch, time, width = x.shape
    return x.reshape((batch, time, num_heads, width // num_heads), order="F").transpose(0, 2, 1, 3)


@_split()
def split_gives_all_to_each(x: Array, num_heads: int) -> Array:
    """Gives every head all the features

    Your split hands each head a copy of all features. Each head should get its own slice of size hs, so that
    together they have width C.
    """
    return np.repeat(x[:, np.newaxis], num_heads, axis=1)


@_split()
def split_repeats_the_first_slice(x: Array, num_heads: int) -> Array:
    """Gives every head the first slice

    Every head of your split gets the first block of features. The shape is right, but all heads are the same; the
    block must move on with the head.
    """
    return np.repeat(split_heads(x, num_heads)[:, :1], num_heads, axis=1)


@_split(local=True)
def split_drops_what_is_left_over(x: Array, num_heads: int) -> Array:
    """Drops the features that are left over

    Where h does not divide C, your split rounds the head size down and silently drops the rest. It should refuse
    with a ValueError.
    """
    size = x.shape[2] // num_heads
    return split_heads(x[:, :, : num_heads * size], num_heads)


@_split(local=True)
def split_pads_to_fit(x: Array, num_heads: int) -> Array:
    """Pads the features with zeros

    Where h does not divide C, your split pads with zeros until it does. It should refuse with a ValueError.
    """
    missing = -x.shape[2] % num_heads
    return split_heads(np.pad(x, ((0, 0), (0, 0), (0, missing))), num_heads)


def _both(mistake_id: str, title: str, split: str, concat: str, message: str) -> None:
    """Add a wrong split and the wrong concat that undoes it."""
    steps = {**CATALOGUE[split].steps, **CATALOGUE[concat].steps}
    CATALOGUE.add(mistake_id, title, message, "multi_head_attention", ROUND_TRIP, steps)


_both(
    "straight_both_ways",
    "Reshapes straight in both directions",
    "split_straight_to_four_axes",
    "reshape_without_transpose",
    "Your split and your concat both reshape without a transpose. They undo each other perfectly, which looks like "
    "proof, but each head works on a chunk of the sentence.",
)
_both(
    "interleaved_both_ways",
    "Interleaves in both directions",
    "split_interleaved",
    "interleaves_features",
    "Your split deals the features out in turn and your concat collects them the same way. They undo each other "
    "perfectly, but the heads own other features than they should.",
)
_both(
    "no_transpose_either_way",
    "Leaves out the transpose in both directions",
    "split_without_transpose",
    "merges_time_with_features",
    "Neither your split nor your concat moves the head axis. They undo each other perfectly, but attention runs over "
    "the heads of one token instead of over the tokens.",
)
