"""Mistakes in ``concat_heads``, (B, h, T, hs) -> (B, T, C), that put the numbers in the wrong places."""

from __future__ import annotations

import numpy as np

from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array, _rejoin
from mha.mistakes.lessons import CONCAT, CONCAT_SLIP, MEMORY, ROUND_TRIP
from mha.mistakes.model import Pointer


def _concat(pointer: Pointer = CONCAT, *, common: bool = False, local: bool = False):
    return CATALOGUE.mistake("concat_heads", "concat", pointer, common=common, local=local)


@_concat(CONCAT_SLIP)
def reshape_without_transpose(x: Array) -> Array:
    """Reshapes without moving the head axis

    Your function merges neighbouring axes while the heads still stand before the time axis. The shape is right, but
    each row mixes several tokens of one head; look at any position after the first.
    """
    batch, heads, time, size = x.shape
    return x.reshape(batch, time, heads * size)


@_concat(ROUND_TRIP)
def interleaves_features(x: Array) -> Array:
    """Interleaves the heads feature by feature

    Your columns take feature 0 of every head, then feature 1 of every head, and so on. The shape is right and every
    row has the right numbers, but head i should fill one block of neighbouring columns.
    """
    batch, heads, time, size = x.shape
    return np.stack([x[:, head] for head in range(heads)], axis=-1).reshape(batch, time, heads * size)


@_concat()
def swaps_the_last_two_axes(x: Array) -> Array:
    """Swaps time with features

    Your function swaps the last two axes before it merges, so time and features change places inside each head. The
    shape is right; the numbers are wrong as soon as there are two tokens.
    """
    batch, heads, time, size = x.shape
    return x.transpose(0, 1, 3, 2).reshape(batch, time, heads * size)


@_concat()
def merges_before_it_transposes(x: Array) -> Array:
    """Merges heads with features before it transposes

    Your function first reshapes as if the features stood before time, and then swaps the two. A reshape moves
    nothing, so the rows come out mixed; with one token, or heads of size 1, nothing shows.
    """
    batch, heads, time, size = x.shape
    return x.reshape(batch, heads * size, time).swapaxes(1, 2)


@_concat()
def moves_time_to_the_front(x: Array) -> Array:
    """Moves time before the batch

    Your transpose puts the time axis first, so sentences get mixed when the axes are merged. With a single sentence
    it is right, which is why one example at a time does not show it.
    """
    batch, heads, time, size = x.shape
    return x.transpose(2, 0, 1, 3).reshape(batch, time, heads * size)


@_concat()
def swaps_batch_and_heads(x: Array) -> Array:
    """Swaps the batch with the heads

    Your function swaps the first two axes, but it is heads and time that must change places. The shape is right and
    the numbers belong to other tokens and other sentences.
    """
    batch, heads, time, size = x.shape
    return x.swapaxes(0, 1).reshape(batch, time, heads * size)


@_concat()
def reverses_the_heads(x: Array) -> Array:
    """Puts the heads in reverse order

    Your blocks of columns are whole heads, but in reverse order: the last head comes first. Head 0 belongs in the
    first block.
    """
    return _rejoin(x[:, ::-1])


@_concat()
def fills_columns_first(x: Array) -> Array:
    """Merges in Fortran order

    The heads are beside the features, but they are merged in Fortran order, where the first axis runs fastest.
    NumPy's own order, where the last axis runs fastest, is the one that keeps each head in one block.
    """
    batch, heads, time, size = x.shape
    return x.swapaxes(1, 2).reshape(batch, time, heads * size, order="F")


@_concat()
def fortran_order_without_transpose(x: Array) -> Array:
    """Reshapes in Fortran order instead of transposing

    Your function hopes that Fortran order will do the transpose's work. It gives the right shape, but tokens, heads
    and features all end up in one another's places.
    """
    batch, heads, time, size = x.shape
    return x.reshape(batch, time, heads * size, order="F")


@_concat(MEMORY, local=True)
def follows_the_memory(x: Array) -> Array:
    """Reads the numbers in memory order

    Your function reads the numbers in the order in which they lie in memory. Straight after the split that happens to
    be right, since a transpose moves nothing; for an array laid out otherwise it is wrong.
    """
    batch, heads, time, size = x.shape
    return x.ravel(order="K").reshape(batch, time, heads * size)


@_concat()
def unpacks_time_as_heads(x: Array) -> Array:
    """Takes the second axis for time

    Your function reads the second axis as time and the third as heads; it is the other way round. Where there are as
    many tokens as heads nothing shows, elsewhere the shape is wrong.
    """
    batch, time, heads, size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, heads * size)


@_concat()
def merges_time_with_features(x: Array) -> Array:
    """Merges time with features

    Your function merges the last two axes, which are time and features. It is heads and features that should become
    one axis, one row for each token.
    """
    batch, heads, _, _ = x.shape
    return x.reshape(batch, heads, -1)


@_concat()
def joins_along_time(x: Array) -> Array:
    """Joins the heads along the time axis

    Your function puts the heads one below the other, so the sentence grows h times as long. The heads of one token
    belong side by side, in the last axis.
    """
    return np.concatenate([x[:, head] for head in range(x.shape[1])], axis=1)


@_concat()
def joins_along_batch(x: Array) -> Array:
    """Joins the heads along the batch axis

    Your function puts the heads one after the other as if they were more sentences. The heads of one token belong
    side by side, in the last axis.
    """
    return np.concatenate([x[:, head] for head in range(x.shape[1])], axis=0)


@_concat()
def stacks_heads_first(x: Array) -> Array:
    """Stacks the heads before the batch, then reshapes

    Your heads are stacked on a new first axis and then merged, so whole heads follow one another in memory. The shape
    is right, but a row no longer holds what the heads say of one token.
    """
    batch, heads, time, size = x.shape
    return np.stack([x[:, head] for head in range(heads)]).reshape(batch, time, heads * size)


@_concat()
def leaves_time_in_front(x: Array) -> Array:
    """Leaves time in front of the batch

    Your rows are right, but the result runs over time first and over sentences second. The batch axis has to stay in
    front; with one sentence of one token nothing shows.
    """
    batch, heads, time, size = x.shape
    return x.transpose(2, 0, 1, 3).reshape(time, batch, heads * size)
