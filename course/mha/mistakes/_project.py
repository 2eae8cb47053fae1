"""Mistakes around the output projection."""

from __future__ import annotations

import numpy as np

from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes._pipeline import Array, _multi_head_attention, _project
from mha.mistakes.lessons import BIAS, CONVENTIONS, PROJECTION
from mha.mistakes.model import Pointer


def _step(step: str, pointer: Pointer):
    return CATALOGUE.mistake("multi_head_attention", step, pointer)


@_step("project", CONVENTIONS)
def weight_not_transposed(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Does not transpose weight_o

    Your function uses weight_o as if its rows were inputs. Being square it fits either way round, and a symmetric
    weight hides it; here each row makes one output.
    """
    return joined @ weight_o + bias_o


@_step("project", PROJECTION)
def no_projection(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Leaves out the projection and the bias

    Your output is the concatenation itself. With an identity weight and no bias that is right; otherwise the heads
    never get mixed.
    """
    return joined


@_step("project", PROJECTION)
def bias_without_weight(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Adds the bias but leaves out the weight

    Your output is the concatenation plus the bias; weight_o is never used. With an identity weight nothing shows.
    """
    return joined + bias_o


@_step("project", PROJECTION)
def weight_elementwise(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Multiplies by weight_o elementwise

    Your function multiplies number by number, which fits only where there are as many tokens as features. The
    projection is a matrix product: each output reads all features.
    """
    return joined * weight_o + bias_o


@_step("project", PROJECTION)
def weight_diagonal_only(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Uses only the diagonal of weight_o

    Each of your outputs reads one feature, so only the diagonal of weight_o counts. Each output should read all
    features of all heads.
    """
    return joined * np.diagonal(weight_o) + bias_o


@_step("project", PROJECTION)
def weight_blocks_only(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Gives each head only its own block of weight_o

    Each of your heads is multiplied by its own diagonal block, so the heads never mix. One head hides it; each head
    needs a whole block of columns, all C rows of it.
    """
    heads = np.arange(joined.shape[-1]) // (joined.shape[-1] // num_heads)
    return _project(joined, weight_o * (heads[:, np.newaxis] == heads), bias_o, num_heads)


@_step("project", CONVENTIONS)
def weight_blocks_by_rows(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Takes each head's rows of weight_o instead of its columns

    Your sum over heads gives head i the i-th block of rows. Rows are outputs here and columns are inputs, so a head
    needs its block of columns.
    """
    size = joined.shape[-1] // num_heads
    blocks = [slice(head * size, (head + 1) * size) for head in range(num_heads)]
    return sum(joined[..., block] @ weight_o[block] for block in blocks) + bias_o


@_step("project", PROJECTION)
def projects_only_the_first_head(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Projects head 0 alone

    Your output reads head 0 and none of the others, as when a loop returns on its first turn. Each output should
    read all heads.
    """
    first = np.arange(joined.shape[-1]) < joined.shape[-1] // num_heads
    return _project(joined * first, weight_o, bias_o, num_heads)


@_step("project", PROJECTION)
def projects_only_the_last_head(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Projects the last head alone

    Your output reads the last head and none of the others, as when a loop overwrites its result. The heads' parts
    have to be added up.
    """
    last = np.arange(joined.shape[-1]) >= joined.shape[-1] - joined.shape[-1] // num_heads
    return _project(joined * last, weight_o, bias_o, num_heads)


@_step("project", PROJECTION)
def projects_twice(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Projects twice

    Your output has gone through weight_o and the bias two times. An identity weight without bias hides it.
    """
    return _project(_project(joined, weight_o, bias_o, num_heads), weight_o, bias_o, num_heads)


@_step("project", PROJECTION)
def weight_applied_twice(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Applies weight_o twice

    Your output has gone through weight_o two times before the bias is added. An identity weight hides it.
    """
    return _project(joined @ weight_o.T, weight_o, bias_o, num_heads)


@_step("project", PROJECTION)
def weight_summed_up(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Multiplies by the sums of weight_o

    Your function sums each row of weight_o first and multiplies number by number, so each output reads a single
    feature. Each output should read all features of all heads.
    """
    return joined * weight_o.sum(axis=1) + bias_o


@_step("project", PROJECTION)
def first_block_for_every_head(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Gives every head the first block of weight_o

    Your sum over heads multiplies each head by the first block of columns. The block must move on with the head; one
    head hides it.
    """
    size = joined.shape[-1] // num_heads
    return _project(joined, np.tile(weight_o[:, :size], (1, num_heads)), bias_o, num_heads)


@_step("project", BIAS)
def bias_missing(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Leaves out the bias

    Your output lacks the bias: each row is off by the same vector. A bias of zero hides it.
    """
    return _project(joined, weight_o, bias_o * 0, num_heads)


@_step("project", BIAS)
def bias_for_every_head(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Adds the bias once for every head

    Your bias stands inside the sum over heads, so it is added h times. One head, or a bias of zero, hides it; it
    belongs after the sum.
    """
    return _project(joined, weight_o, bias_o * num_heads, num_heads)


@_step("project", BIAS)
def bias_before_weight(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Adds the bias before the product

    Your bias is added to the concatenation and then goes through weight_o itself. A bias of zero or an identity
    weight hides it; it comes last.
    """
    return _project(joined + bias_o, weight_o, bias_o * 0, num_heads)


@_step("project", BIAS)
def bias_subtracted(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Subtracts the bias

    Your bias has the wrong sign: each row is off by the same vector. A bias of zero hides it.
    """
    return _project(joined, weight_o, -bias_o, num_heads)


@_step("project", BIAS)
def bias_along_time(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Adds the bias along the time axis

    Your bias is turned into a column, so it gives each token one number. It fits only where there are as many tokens
    as features; the bias has one number for each output.
    """
    return _project(joined, weight_o, bias_o * 0, num_heads) + bias_o[:, np.newaxis]


@_step("project", BIAS)
def bias_from_one_number(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Adds the same number everywhere

    Your function adds the first number of the bias to every output. Each output has a bias of its own.
    """
    return _project(joined, weight_o, np.full_like(bias_o, bias_o[0]), num_heads)


@_step("project", BIAS)
def bias_summed_up(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Adds the sum of the bias everywhere

    Your function adds the whole bias, summed up, to every output. Each output has a bias of its own.
    """
    return _project(joined, weight_o, np.full_like(bias_o, bias_o.sum()), num_heads)


@_step("project", PROJECTION)
def relu_after_projection(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Cuts negative outputs to zero

    Your output has no negative numbers: a ReLU has slipped in after the projection. The projection is linear.
    """
    return np.maximum(_project(joined, weight_o, bias_o, num_heads), 0)


@_step("project", PROJECTION)
def tanh_after_projection(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Squeezes the outputs between -1 and 1

    All your outputs lie between -1 and 1: a tanh has slipped in after the projection. The projection is linear.
    """
    return np.tanh(_project(joined, weight_o, bias_o, num_heads))


@_step("project", PROJECTION)
def softmax_after_projection(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Takes a softmax of the output

    Your output rows sum to 1: a softmax has slipped in after the projection. Only the scores go through one.
    """
    output = _project(joined, weight_o, bias_o, num_heads)
    shares = np.exp(output - output.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


@_step("project", PROJECTION)
def residual_of_concat(joined: Array, weight_o: Array, bias_o: Array, num_heads: int) -> Array:
    """Adds the concatenation to the output

    Your output has the concatenation added to it. A residual belongs to the block around this function, and not to
    the function.
    """
    return joined + _project(joined, weight_o, bias_o, num_heads)


@_step("whole", PROJECTION)
def residual_of_query(query, key, value, num_heads, weight_o, bias_o, mask=None):
    """Adds the query to the output

    Your output has the query added to it. A residual belongs to the block around this function, and not to the
    function.
    """
    output, weights = _multi_head_attention({})(query, key, value, num_heads, weight_o, bias_o, mask)
    return output + query, weights


@_step("whole", PROJECTION)
def projects_values_first(query, key, value, num_heads, weight_o, bias_o, mask=None):
    """Projects the values before the attention

    Your weight_o is applied to the values before they are split, so every head averages mixed features. It is right
    for one head; with more, the projection has to wait for all heads.
    """
    identity = np.eye(value.shape[-1])
    projected = value @ weight_o.T
    output, weights = _multi_head_attention({})(query, key, projected, num_heads, identity, bias_o, mask)
    return output, weights


@_step("whole", PROJECTION)
def projects_queries_keys_values(query, key, value, num_heads, weight_o, bias_o, mask=None):
    """Projects query, key and value with weight_o

    Query, key and value come already projected, but your function multiplies them by weight_o once more. That weight
    belongs to the output alone.
    """
    return _multi_head_attention({})(
        query @ weight_o.T, key @ weight_o.T, value @ weight_o.T, num_heads, weight_o, bias_o, mask
    )
