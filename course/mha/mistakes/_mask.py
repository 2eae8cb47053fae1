"""Mistakes with the mask (True = may attend)."""

from __future__ import annotations

import inspect

import numpy as np

from mha.attention import softmax
from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array, Sizes, _keep, _with_head_axis
from mha.mistakes.lessons import MASK
from mha.mistakes.model import Function, Mistake


def _step(step: str, *, common: bool = False):
    return CATALOGUE.mistake("multi_head_attention_per_head", step, MASK, common=common)


def _late(normalise: Function) -> Mistake:
    """Add a mistake that leaves the scores alone and uses the mask on the weights."""
    title, _, message = inspect.cleandoc(normalise.__doc__ or "").partition("\n")
    steps = {"hide": lambda scores, mask: scores, "normalise": normalise}
    return CATALOGUE.add(normalise.__name__, title, message, "multi_head_attention_per_head", MASK, steps)


@_step("hide")
def mask_inverted(scores: Array, mask: Array | None) -> Array:
    """Reads the mask the wrong way round

    Your function hides what the mask allows. Here True means that a query may attend; other libraries and papers
    often mean the opposite. Without a mask nothing shows.
    """
    return scores if mask is None else np.where(_with_head_axis(mask), -np.inf, scores)


@_step("hide")
def mask_ignored(scores: Array, mask: Array | None) -> Array:
    """Ignores the mask

    Your function gives the same result with a mask as without one. Perhaps it takes the mask as an argument and never
    passes it on.
    """
    return scores


@_step("hide")
def mask_added_as_numbers(scores: Array, mask: Array | None) -> Array:
    """Adds the mask as zeros and ones

    Your function adds the booleans to the scores, so allowed keys gain 1 and the others keep all their weight. What
    is forbidden has to end with a weight of exactly zero.
    """
    return scores if mask is None else scores + _with_head_axis(mask)


@_step("hide")
def mask_multiplied_into_scores(scores: Array, mask: Array | None) -> Array:
    """Sets forbidden scores to zero

    In your function a forbidden score becomes 0, but exp of 0 is 1: those keys still get weight. Only a score of
    minus infinity has weight zero.
    """
    return scores if mask is None else np.where(_with_head_axis(mask), scores, 0)


@_step("hide")
def mask_with_a_tiny_number(scores: Array, mask: Array | None) -> Array:
    """Hides with a tiny number instead of a huge one

    The number that you hide with has a negative exponent, so it is almost zero and forbidden keys keep their weight.
    """
    return scores if mask is None else np.where(_with_head_axis(mask), scores, -1e-9)


@_step("hide")
def mask_adds_a_tiny_number(scores: Array, mask: Array | None) -> Array:
    """Subtracts a tiny number from forbidden scores

    The number that you subtract has a negative exponent, so the mask has almost no effect and the result looks like
    one without a mask.
    """
    return scores if mask is None else scores + np.where(_with_head_axis(mask), 0, -1e-9)


@_step("hide")
def mask_with_minus_ten(scores: Array, mask: Array | None) -> Array:
    """Hides with a number that is not small enough

    Your forbidden scores are set to minus ten, which still leaves them a little weight. Printed to three decimals it
    looks right; forbidden keys need a weight of exactly zero.
    """
    return scores if mask is None else np.where(_with_head_axis(mask), scores, -10)


@_step("hide")
def mask_with_a_large_positive(scores: Array, mask: Array | None) -> Array:
    """Hides with a large positive number

    Your forbidden keys get a huge score and so all of the weight: the sign is the wrong way round.
    """
    return scores if mask is None else np.where(_with_head_axis(mask), scores, 1e9)


@_step("hide", common=True)
def dead_row_averages(scores: Array, mask: Array | None) -> Array:
    """Averages everything where nothing is allowed

    A row that may attend to nothing gets even weights over all keys, forbidden ones included, since your large
    negative number is the same for all of them. Such a row should get weights of zero.
    """
    return scores if mask is None else np.where(_with_head_axis(mask), scores, -1e9)


@_step("hide", common=True)
def dead_row_ignores_mask(scores: Array, mask: Array | None) -> Array:
    """Attends without a mask where nothing is allowed

    Subtracting a large number from every score of a row changes nothing in its softmax, so a row that may attend to
    nothing attends as if there were no mask. Such a row should get weights of zero.
    """
    if mask is None:
        return scores
    allowed = _with_head_axis(mask)
    return np.where(allowed | ~allowed.any(axis=-1, keepdims=True), scores, -np.inf)


@_step("normalise", common=True)
def dead_row_is_nan(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Gives NaN where nothing is allowed

    In a row that may attend to nothing your softmax computes infinity minus infinity, or zero by zero, and the row
    becomes NaN. Such a row should get weights of zero.
    """
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


@_late
def mask_after_softmax(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Hides after the softmax

    Your forbidden weights are zero, but the others were shared out as if nothing were hidden, so the rows sum to less
    than 1. Hide the scores, before the softmax.
    """
    weights = softmax(scores)
    return weights if mask is None else weights * _with_head_axis(mask)


@_late
def mask_after_softmax_renormalised(scores: Array, mask: Array | None, sizes: Sizes) -> Array:
    """Hides after the softmax and divides again

    Hiding after the softmax and dividing again is right for ordinary scores. Where all the weight lay on forbidden
    keys you divide zero by zero.
    """
    weights = softmax(scores)
    if mask is None:
        return weights
    weights = weights * _with_head_axis(mask)
    return weights / weights.sum(axis=-1, keepdims=True)


@_step("hide")
def mask_transposed(scores: Array, mask: Array | None) -> Array:
    """Swaps rows and columns of the mask

    Your mask is applied transposed: its rows are queries and its columns are keys. A symmetric mask hides it, a
    causal one turns towards the future.
    """
    return scores if mask is None else _keep(scores, _with_head_axis(mask).swapaxes(-1, -2))


@_step("hide")
def mask_transposed_by_hand(scores: Array, mask: Array | None) -> Array:
    """Swaps rows and columns of the mask, and lets it stretch the scores

    Your mask is applied transposed: its rows are queries and its columns are keys. A symmetric mask hides it; a mask
    for a single query even stretches the table of scores.
    """
    return scores if mask is None else np.where(_with_head_axis(mask).swapaxes(-1, -2), scores, -np.inf)


@_step("hide")
def mask_always_causal(scores: Array, mask: Array | None) -> Array:
    """Is always causal

    Your function hides the future whatever the mask says. It is right for a causal mask and for no other, and wrong
    without one.
    """
    return np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)


@_step("hide")
def mask_replaced_by_causal(scores: Array, mask: Array | None) -> Array:
    """Takes every mask for a causal one

    Whenever there is a mask, your function hides the future, whatever the mask itself says. It is right for a causal
    mask only.
    """
    return scores if mask is None else np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)


@_step("hide")
def mask_of_the_first_sentence(scores: Array, mask: Array | None) -> Array:
    """Uses the first sentence's mask for all

    Every sentence of your batch gets the mask of the first. With one sentence, or one mask for all, nothing shows.
    """
    if mask is None:
        return scores
    allowed = _with_head_axis(mask)
    return np.where(allowed[:1] if allowed.ndim == 4 else allowed, scores, -np.inf)


@_step("hide")
def mask_of_the_first_head(scores: Array, mask: Array | None) -> Array:
    """Uses the first head's mask for all

    Every head gets the mask of head 0. With a mask of two or three axes nothing shows; one with four axes may differ
    from head to head.
    """
    if mask is None:
        return scores
    allowed = _with_head_axis(mask)
    return np.where(allowed[:, :1] if allowed.ndim == 4 else allowed, scores, -np.inf)


@_step("hide")
def mask_without_head_axis(scores: Array, mask: Array | None) -> Array:
    """Gives the mask no axis for the heads

    A mask with three axes lines up its sentences with your heads. Mostly that is an error; with as many sentences as
    heads it runs and is wrong.
    """
    return scores if mask is None else np.where(mask, scores, -np.inf)


@_step("hide")
def mask_head_axis_in_front(scores: Array, mask: Array | None) -> Array:
    """Puts the mask's head axis in front

    Your new axis stands before the batch, so the mask's sentences line up with the heads. The head axis belongs
    between batch and time.
    """
    if mask is None:
        return scores
    return np.where(mask[np.newaxis] if mask.ndim == 3 else mask, scores, -np.inf)


@_step("hide")
def mask_head_axis_after_time(scores: Array, mask: Array | None) -> Array:
    """Puts the mask's head axis after the queries

    Your new axis stands between queries and keys, so the mask's rows line up with the heads. The head axis belongs
    between batch and time.
    """
    if mask is None:
        return scores
    return np.where(mask[:, :, np.newaxis] if mask.ndim == 3 else mask, scores, -np.inf)


@_step("hide")
def mask_always_gets_two_axes(scores: Array, mask: Array | None) -> Array:
    """Adds a head axis to every mask

    Your function inserts an axis into any mask. For one with three axes that is right; one with two or four axes
    already fits and is pushed out of place.
    """
    if mask is None:
        return scores
    return _keep(scores, _with_head_axis(mask[:, np.newaxis]))  # what is then handed on gets its own axis if it has 3


@_step("hide")
def mask_must_be_square(scores: Array, mask: Array | None) -> Array:
    """Assumes a square mask

    Your function makes room for a mask with as many keys as queries. With self-attention nothing shows; for queries
    and keys of different length it fails.
    """
    if mask is None:
        return scores
    queries = scores.shape[-2]
    square = np.broadcast_to(_with_head_axis(mask), (*scores.shape[:-1], queries))
    return np.where(square, scores, -np.inf)


@_step("hide")
def mask_cut_to_a_square(scores: Array, mask: Array | None) -> Array:
    """Cuts the mask to a square

    Your function cuts the mask down to as many keys as there are queries. With self-attention nothing shows; where
    there are more keys than queries it fails.
    """
    if mask is None:
        return scores
    queries = scores.shape[-2]
    return np.where(_with_head_axis(mask)[..., :queries, :queries], scores, -np.inf)


@_step("hide")
def mask_asked_for_its_truth(scores: Array, mask: Array | None) -> Array:
    """Asks whether the mask is true

    Your function asks whether the whole mask is true, and an array cannot answer that: it raises a ValueError. Ask
    whether the mask is None.
    """
    if mask:
        return _keep(scores, _with_head_axis(mask))
    return scores


@_step("hide")
def mask_compared_with_none(scores: Array, mask: Array | None) -> Array:
    """Asks whether the mask equals None

    Your function compares the mask with None by equality, which compares every element, and many answers are none: it
    raises a ValueError. Ask whether the mask is None.
    """
    if mask == None:  # noqa: E711 - this is the mistake
        return scores
    return _keep(scores, _with_head_axis(mask))


@_step("hide")
def mask_hides_whole_keys(scores: Array, mask: Array | None) -> Array:
    """Hides a key from everybody

    A key that one query may not see is hidden from all queries of that head. The mask is a table: each row speaks for
    one query alone.
    """
    if mask is None:
        return scores
    return np.where(_with_head_axis(mask).all(axis=-2, keepdims=True), scores, -np.inf)
