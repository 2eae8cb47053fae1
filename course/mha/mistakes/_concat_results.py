"""Mistakes in ``concat_heads`` that lose numbers, return them in the wrong form, or spoil the input."""

from __future__ import annotations

import numpy as np

from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array, _rejoin
from mha.mistakes.lessons import CONCAT


def _concat(*, local: bool = False):
    return CATALOGUE.mistake("concat_heads", "concat", CONCAT, local=local)


def _store(*, common: bool = False):
    """Add a mistake in how the joined numbers are kept; inside an attention function most of them leave no trace."""
    return CATALOGUE.mistake("concat_heads", "store", CONCAT, common=common, local=True)


@_concat()
def averages_the_heads(x: Array) -> Array:
    """Averages the heads

    Your function averages the heads, so the width shrinks from C to one head's size. Concatenation loses nothing:
    each head keeps its own columns.
    """
    return x.mean(axis=1)


@_concat()
def adds_the_heads(x: Array) -> Array:
    """Adds the heads up

    Your function adds the heads, so the width shrinks from C to one head's size. Concatenation loses nothing: each
    head keeps its own columns.
    """
    return x.sum(axis=1)


@_concat()
def takes_the_largest_head(x: Array) -> Array:
    """Keeps the largest value over the heads

    Your function keeps only the largest number among the heads. Concatenation loses nothing: each head keeps its own
    columns.
    """
    return x.max(axis=1)


@_concat()
def repeats_the_average(x: Array) -> Array:
    """Repeats the average of the heads

    Your function averages the heads and repeats that average to get the right width. The shape is right, but all
    blocks of columns are the same, and what set the heads apart is lost.
    """
    return np.tile(x.mean(axis=1), (1, 1, x.shape[1]))


@_concat()
def repeats_the_first_head(x: Array) -> Array:
    """Writes head 0 into every block

    Every block of your columns holds head 0. The shape is right, but the other heads never arrive.
    """
    return np.tile(x[:, 0], (1, 1, x.shape[1]))


@_concat()
def keeps_only_the_last_head(x: Array) -> Array:
    """Returns the last head alone

    Your function returns only the last head, as happens when a loop overwrites its result each time round. Every
    head needs columns of its own.
    """
    return x[:, -1].copy()


@_concat()
def keeps_only_the_first_head(x: Array) -> Array:
    """Returns head 0 alone

    Your function returns only head 0, as happens when a loop returns on its first turn. Every head needs columns of
    its own.
    """
    return x[:, 0].copy()


@_concat()
def overwrites_one_block(x: Array) -> Array:
    """Writes every head into the same block

    Your function writes each head over the one before, always in the first block, and the rest stays zero. The block
    must move on by one head's size with each head.
    """
    joined = np.zeros_like(_rejoin(x))
    joined[:, :, : x.shape[3]] = x[:, -1]
    return joined


@_concat()
def leaves_out_the_last_head(x: Array) -> Array:
    """Leaves out the last head

    Your function stops one head too early, so the last one is missing and the width is too small. With h heads
    counted from 0, the last is h - 1, and a range already stops before its end.
    """
    return _rejoin(x)[:, :, : (x.shape[1] - 1) * x.shape[3]]


@_concat()
def leaves_out_the_first_head(x: Array) -> Array:
    """Leaves out head 0

    Your function starts with head 1, so the first head is missing and the width is too small. Heads count from 0.
    """
    return _rejoin(x)[:, :, x.shape[3] :]


@_concat()
def keeps_only_the_first_sentence(x: Array) -> Array:
    """Handles only the first sentence

    Your function is right for the first sentence of the batch and drops the others. With a batch of one nothing
    shows; the batch axis must come through untouched.
    """
    return _rejoin(x[:1])


@_concat()
def fills_only_the_first_sentence(x: Array) -> Array:
    """Fills in only the first sentence

    Your function fills in the first sentence and leaves zeros for the others. With one sentence nothing shows; try
    two.
    """
    joined = np.zeros_like(_rejoin(x))
    joined[:1] = _rejoin(x[:1])
    return joined


@_concat()
def joins_two_heads_only(x: Array) -> Array:
    """Joins exactly two heads

    Your function joins head 0 and head 1, as in an example with two heads. It has to work for any number of heads.
    """
    return np.concatenate([x[:, 0], x[:, 1]], axis=-1)


@_concat()
def drops_the_batch_axis(x: Array) -> Array:
    """Drops the batch axis

    Your function returns the first sentence alone, without its batch axis. The result needs three axes, even for a
    batch of one.
    """
    return _rejoin(x)[0]


@_concat()
def repeats_the_first_sentence(x: Array) -> Array:
    """Gives every sentence the result of the first

    Your function copies the first sentence's result to the whole batch. The shape is right, and with one sentence
    so are the numbers; try two that differ.
    """
    return np.repeat(_rejoin(x)[:1], x.shape[0], axis=0)


@_concat()
def squeezes_the_result(x: Array) -> Array:
    """Squeezes out axes of length one

    Your numbers are right, but axes of length one disappear, so a single sentence or a single token loses its axis.
    The result always has three axes.
    """
    return _rejoin(x).squeeze()


@_concat(local=True)
def sizes_written_in(x: Array) -> Array:
    """Uses the lesson's sizes as fixed numbers

    The sizes of the lesson's example are written into your function as numbers. It works for that example and fails
    for every other; read the sizes from the input's shape.
    """
    return x.swapaxes(1, 2).reshape(2, 6, 64)


@_concat(local=True)
def forgets_to_merge(x: Array) -> Array:
    """Moves the axes but does not merge them

    Your result still has four axes: heads and head size stand side by side but are not merged into one. One step is
    missing.
    """
    return x.swapaxes(1, 2)


@_concat(local=True)
def returns_the_input(x: Array) -> Array:
    """Returns the input as it came

    Your function gives back its input with all four axes. The heads still have to be brought beside the features and
    merged with them.
    """
    return x


@_concat(local=True)
def flattens_each_sentence(x: Array) -> Array:
    """Flattens each sentence into one row

    Your function puts all tokens of a sentence into one long row. Each token needs a row of its own, of width C.
    """
    return _rejoin(x).reshape(x.shape[0], -1)


@_concat()
def merges_batch_and_time(x: Array) -> Array:
    """Merges the batch with time

    Each of your rows is right, but the sentences have run together into one axis. The result needs three axes: batch,
    time and width.
    """
    return _rejoin(x).reshape(-1, x.shape[1] * x.shape[3])


@_concat(local=True)
def puts_features_before_time(x: Array) -> Array:
    """Puts the features before the time axis

    Your result has the features in the middle and time at the end. The numbers are right, but the last two axes must
    change places.
    """
    return _rejoin(x).swapaxes(1, 2)


@_concat(local=True)
def returns_a_list(x: Array) -> list[Array]:
    """Returns a list of heads

    Your function returns a Python list with one array for each head. They still have to be joined into one array.
    """
    return [x[:, head] for head in range(x.shape[1])]


@_concat(local=True)
def returns_nothing(x: Array) -> None:
    """Returns nothing

    Your function works something out but returns None: printing a result, or storing it in a name, does not hand it
    over. The last step is to return it.
    """


@_store(common=True)
def turns_integers_into_floats(joined: Array) -> Array:
    """Turns integers into floats

    Your numbers move to the right places, but integers come back as floats, as happens with a
    buffer of zeros or a cast.
    Concatenation computes nothing, so the dtype should stay what it was.
    """
    return joined if joined.dtype.kind == "f" else joined.astype(np.float64)


@_store()
def cuts_to_single_precision(joined: Array) -> Array:
    """Cuts the numbers down to float32

    Your numbers move to the right places but lose half their digits on the way, since they are stored as float32.
    Concatenation computes nothing and should change no digit.
    """
    return joined.astype(np.float32)


@_store()
def cuts_to_integers(joined: Array) -> Array:
    """Stores the numbers as integers

    Your buffer holds integers, so everything after the decimal point is lost. It should have the dtype of the input.
    """
    return joined.astype(np.int64)


def _rounded(digits: int) -> None:
    CATALOGUE.add(
        f"rounds_to_{digits}_digits",
        f"Rounds the numbers to {digits} digits",
        f"Your numbers move to the right places but are rounded to {digits} digits on the way. Printed they look the "
        "same; concatenation should change no digit.",
        "concat_heads",
        CONCAT,
        {"store": lambda joined: np.round(joined, digits)},
        local=True,
    )


for _digits in (2, 3, 4):
    _rounded(_digits)


@_concat(local=True)
def clears_its_input(x: Array) -> Array:
    """Clears its input

    Your result is right, but afterwards the caller's array holds zeros. The given split returns a view, so the
    damage reaches even further back; leave the input alone.
    """
    joined = _rejoin(x)
    x[...] = 0
    return joined


@_concat(local=True)
def writes_into_its_input(x: Array) -> Array:
    """Writes its result over its input

    Your result is right, but it is written into the memory of the input, so the caller's array changes. Only a look
    at the input after the call shows it.
    """
    joined = _rejoin(x)
    x[...] = joined.reshape(x.shape)
    return joined
