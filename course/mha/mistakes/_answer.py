"""Mistakes in what ``multi_head_attention`` returns, and in what it does to its arguments."""

from __future__ import annotations

import numpy as np

from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array, _multi_head_attention
from mha.mistakes.lessons import ASSEMBLY
from mha.mistakes.model import Pointer


def _step(step: str, pointer: Pointer):
    return CATALOGUE.mistake("multi_head_attention", step, pointer)


@_step("answer", ASSEMBLY)
def returns_only_the_output(output: Array, weights: Array) -> Array:
    """Returns only the output

    Your output is right, but it comes alone. The function hands back two things: the output and the weights.
    """
    return output


@_step("answer", ASSEMBLY)
def returns_only_the_weights(output: Array, weights: Array) -> Array:
    """Returns only the weights

    Your weights are right, but they come alone. The function hands back two things: the output and the weights.
    """
    return weights


@_step("answer", ASSEMBLY)
def returns_in_wrong_order(output: Array, weights: Array) -> tuple[Array, Array]:
    """Returns the weights first

    Both your results are right, but in the wrong order. The output comes first and the weights second.
    """
    return weights, output


@_step("answer", ASSEMBLY)
def returns_a_list_of_two(output: Array, weights: Array) -> list[Array]:
    """Returns a list for the pair

    Both your results are right, but they come in a list. The function should hand back a tuple, as two values after
    return do by themselves.
    """
    return [output, weights]


@_step("answer", ASSEMBLY)
def returns_none_for_weights(output: Array, weights: Array) -> tuple[Array, None]:
    """Returns None for the weights

    Your output is right, but where the weights should be there is None. The attention function already gives you
    both.
    """
    return output, None


@_step("answer", ASSEMBLY)
def returns_nothing_at_all(output: Array, weights: Array) -> None:
    """Returns nothing

    Your function works something out but returns None: printing a result, or storing it in a name, does not hand it
    over. The last step is to return both results.
    """


@_step("answer", ASSEMBLY)
def averages_weights_over_heads(output: Array, weights: Array) -> tuple[Array, Array]:
    """Averages the weights over the heads

    Your output is right, but the weights are averaged over the heads, as some libraries do by default. Here every
    head's table is returned.
    """
    return output, weights.mean(axis=1)


@_step("answer", ASSEMBLY)
def returns_weights_of_one_head(output: Array, weights: Array) -> tuple[Array, Array]:
    """Returns only head 0's weights

    Your output is right, but of the weights only head 0's table is returned. Every head has one.
    """
    return output, weights[:, 0]


@_step("answer", ASSEMBLY)
def returns_weights_of_last_head(output: Array, weights: Array) -> tuple[Array, Array]:
    """Returns only the last head's weights

    Your output is right, but of the weights only the last head's table is returned, as when a loop overwrites it.
    Every head has one.
    """
    return output, weights[:, -1]


@_step("answer", ASSEMBLY)
def returns_weights_heads_first(output: Array, weights: Array) -> tuple[Array, Array]:
    """Returns the weights with heads before the batch

    Your output is right, but the weights have their head axis first, as when tables are collected in a list. The
    batch axis stays in front.
    """
    return output, weights.swapaxes(0, 1)


@_step("answer", ASSEMBLY)
def returns_weights_transposed(output: Array, weights: Array) -> tuple[Array, Array]:
    """Returns the weights transposed

    Your output is right, but the weights come with queries and keys swapped. Each row belongs to one query and sums
    to 1.
    """
    return output, weights.swapaxes(-1, -2)


@_step("answer", ASSEMBLY)
def squeezes_the_output(output: Array, weights: Array) -> tuple[Array, Array]:
    """Squeezes out axes of length one

    Your numbers are right, but axes of length one disappear from the output, so a batch of one loses its axis. The
    output always has three axes.
    """
    return output.squeeze(), weights


@_step("answer", ASSEMBLY)
def output_of_the_first_sentence(output: Array, weights: Array) -> tuple[Array, Array]:
    """Returns only the first sentence's output

    Your output for the first sentence is right, and the others are missing. With a batch of one nothing shows.
    """
    return output[:1], weights


@_step("answer", ASSEMBLY)
def output_without_batch_axis(output: Array, weights: Array) -> tuple[Array, Array]:
    """Drops the batch axis of the output

    Your output is the first sentence's, without a batch axis. It needs three axes, even for a batch of one.
    """
    return output[0], weights


@_step("answer", ASSEMBLY)
def output_in_single_precision(output: Array, weights: Array) -> tuple[Array, Array]:
    """Cuts the results down to float32

    Your results lose half their digits, since they are stored as float32. Printed they look the same; no result
    should have less precision than what came in.
    """
    return output.astype(np.float32), weights.astype(np.float32)


def _rounded(digits: int) -> None:
    CATALOGUE.add(
        f"output_rounded_to_{digits}_digits",
        f"Rounds the results to {digits} digits",
        f"Your results are rounded to {digits} digits. Printed they look the same, but whatever comes next starts from "
        "less.",
        "multi_head_attention",
        ASSEMBLY,
        {"answer": lambda output, weights: (np.round(output, digits), np.round(weights, digits))},
    )


for _digits in (2, 3, 4):
    _rounded(_digits)


@_step("whole", ASSEMBLY)
def output_stored_like_the_query(query, key, value, num_heads, weight_o, bias_o, mask=None):
    """Stores the output in a buffer like the query

    Your output takes the dtype of the query. For floats nothing shows; for integers everything after the decimal
    point is lost.
    """
    output, weights = _multi_head_attention({})(query, key, value, num_heads, weight_o, bias_o, mask)
    return output.astype(query.dtype), weights


@_step("whole", ASSEMBLY)
def scales_the_query_in_place(query, key, value, num_heads, weight_o, bias_o, mask=None):
    """Scales the caller's query

    Your result is right, but the query is divided in place, so the caller's array changes and a second call gives
    something else. Make a new array instead.
    """
    results = _multi_head_attention({})(query, key, value, num_heads, weight_o, bias_o, mask)
    query /= np.sqrt(query.shape[-1] // num_heads)
    return results


@_step("whole", ASSEMBLY)
def writes_output_into_the_query(query, key, value, num_heads, weight_o, bias_o, mask=None):
    """Writes the output into the query

    Your output is written into the caller's query, so the caller's array changes, and integers lose what stands after
    the decimal point. Make a new array instead.
    """
    output, weights = _multi_head_attention({})(query, key, value, num_heads, weight_o, bias_o, mask)
    query[...] = output
    return query, weights
