"""Right functions in unusual forms: none of them may be given the name of a mistake."""

from __future__ import annotations

import functools
import math

import numpy as np
from mha.attention import multi_head_attention_per_head, softmax, split_heads


def concat_transpose(x):
    batch, heads, time, size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, heads * size)


def concat_swapaxes(x):
    return np.swapaxes(x, 1, 2).reshape(x.shape[0], x.shape[2], -1)


def concat_moveaxis(x):
    return np.moveaxis(x, 1, 2).reshape(len(x), x.shape[2], x.shape[1] * x.shape[3])


def concat_einsum(x):
    batch, heads, time, size = x.shape
    return np.einsum("bhts->bths", x).reshape(batch, time, heads * size)


def concat_concatenate(x):
    return np.concatenate([x[:, head] for head in range(x.shape[1])], axis=-1)


def concat_dstack(x):
    return np.dstack([x[:, head] for head in range(x.shape[1])])


def concat_stack(x):
    return np.stack(list(np.moveaxis(x, 1, 0)), axis=2).reshape(x.shape[0], x.shape[2], -1)


def concat_hstack_in_two_dimensions(x):
    return np.stack([np.hstack(list(sentence)) for sentence in x])


def concat_split_and_hstack(x):
    batch, heads, time, size = x.shape
    pieces = np.split(x.reshape(batch, heads * time, size), heads, axis=1)
    return np.concatenate(pieces, axis=2)


def concat_filled_buffer(x):
    batch, heads, time, size = x.shape
    joined = np.empty((batch, time, heads * size), dtype=x.dtype)
    for head in range(heads):
        joined[:, :, head * size : (head + 1) * size] = x[:, head]
    return joined


def concat_one_number_at_a_time(x):
    batch, heads, time, size = x.shape
    joined = np.zeros((batch, time, heads * size), dtype=x.dtype)
    for b, h, t, s in np.ndindex(*x.shape):
        joined[b, t, h * size + s] = x[b, h, t, s]
    return joined


def concat_fancy_index(x):
    column = np.arange(x.shape[1] * x.shape[3])
    return np.moveaxis(x[:, column // x.shape[3], :, column % x.shape[3]], 0, -1)


def concat_reduce(x):
    return functools.reduce(lambda left, right: np.append(left, right, axis=-1), np.moveaxis(x, 1, 0))


def concat_transpose_of_transposes(x):
    return np.ascontiguousarray(x.T.transpose(3, 1, 2, 0)).reshape(len(x), x.shape[2], -1)


def mha_plain(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_transpose(per_head) @ weight_o.T + bias_o, weights


def mha_einsum_projection(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    blocks = weight_o.reshape(len(weight_o), num_heads, -1)
    return np.einsum("bhts,ohs->bto", per_head, blocks) + bias_o, weights


def mha_sum_over_heads(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    size = per_head.shape[-1]
    parts = [per_head[:, i] @ weight_o[:, i * size : (i + 1) * size].T for i in range(num_heads)]
    return sum(parts) + bias_o, weights


def mha_tensordot(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return np.tensordot(concat_dstack(per_head), weight_o, axes=([2], [1])) + bias_o, weights


def mha_flat_product(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    rows = concat_transpose(per_head).reshape(-1, query.shape[-1])
    return (weight_o @ rows.T + bias_o[:, None]).T.reshape(query.shape), weights


def mha_augmented(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    joined = concat_transpose(per_head)
    ones = np.ones((*joined.shape[:-1], 1), joined.dtype)
    return np.concatenate([joined, ones], axis=-1) @ np.vstack([weight_o.T, bias_o[None]]), weights


def mha_loop_over_batch(query, key, value, num_heads, weight_o, bias_o, mask=None):
    outputs, tables = [], []
    for b in range(len(query)):
        own = mask
        if mask is not None and mask.ndim >= 3:
            own = mask[[b]] if len(mask) > 1 else mask
        per_head, weights = multi_head_attention_per_head(query[[b]], key[[b]], value[[b]], num_heads, own)
        outputs.append(concat_transpose(per_head)[0] @ weight_o.T + bias_o)
        tables.append(weights[0])
    return np.stack(outputs), np.stack(tables)


def _spread(mask, shape):
    if mask is None:
        return np.ones(shape, bool)
    return np.broadcast_to(mask[:, None] if mask.ndim == 3 else mask, shape)


def _as_floats(*arrays):
    return [array if array.dtype.kind == "f" else array.astype(float) for array in arrays]


def mha_loop_over_heads(query, key, value, num_heads, weight_o, bias_o, mask=None):
    query, key, value = _as_floats(query, key, value)
    size = query.shape[-1] // num_heads
    allowed = _spread(mask, (len(query), num_heads, query.shape[1], key.shape[1]))
    results, tables = [], []
    for head in range(num_heads):
        own = slice(head * size, (head + 1) * size)
        scores = query[..., own] @ key[..., own].transpose(0, 2, 1) / math.sqrt(size)
        tables.append(softmax(np.where(allowed[:, head], scores, -np.inf)))
        results.append(tables[-1] @ value[..., own])
    return np.concatenate(results, axis=-1) @ weight_o.T + bias_o, np.stack(tables, axis=1)


def mha_nothing_given(query, key, value, num_heads, weight_o, bias_o, mask=None):
    query, key, value = _as_floats(query, key, value)
    batch, queries, width = query.shape
    keys, size = key.shape[1], width // num_heads
    q = query.reshape(batch, queries, num_heads, size).transpose(0, 2, 1, 3)
    k = key.reshape(batch, keys, num_heads, size).transpose(0, 2, 3, 1)
    v = value.reshape(batch, keys, num_heads, size).transpose(0, 2, 1, 3)
    scores = np.matmul(q, k) / math.sqrt(size)
    allowed = _spread(mask, scores.shape)
    scores = np.where(allowed, scores, scores.min() - 1)
    shares = np.exp(scores - np.where(allowed, scores, -np.inf).max(axis=-1, keepdims=True, initial=scores.min()))
    shares = np.where(allowed, shares, 0)
    total = shares.sum(axis=-1, keepdims=True)
    weights = np.divide(shares, total, out=np.zeros_like(shares), where=total > 0)
    joined = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, queries, width)
    return joined @ weight_o.T + bias_o, weights


def mha_einsum_throughout(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = (split_heads(x, num_heads) for x in _as_floats(query, key, value))
    scores = np.einsum("bhqs,bhks->bhqk", q, k) / math.sqrt(q.shape[-1])
    weights = softmax(np.where(_spread(mask, scores.shape), scores, -np.inf))
    per_head = np.einsum("bhqk,bhks->bhqs", weights, v)
    return np.einsum("bhqs,ohs->bqo", per_head, weight_o.reshape(len(weight_o), num_heads, -1)) + bias_o, weights


def mha_scales_query_first(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = (split_heads(x, num_heads) for x in _as_floats(query, key, value))
    q = q * q.dtype.type(q.shape[-1] ** -0.5)
    scores = q @ k.swapaxes(-1, -2)
    weights = softmax(np.where(_spread(mask, scores.shape), scores, -np.inf))
    return concat_einsum(weights @ v) @ weight_o.T + bias_o, weights


def mha_heads_in_the_batch(query, key, value, num_heads, weight_o, bias_o, mask=None):
    arrays = [split_heads(x, num_heads) for x in _as_floats(query, key, value)]
    batch, _, queries, size = arrays[0].shape
    q, k, v = (x.reshape(batch * num_heads, -1, size) for x in arrays)
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(size)
    allowed = _spread(mask, (batch, num_heads, *scores.shape[1:])).reshape(scores.shape)
    weights = softmax(np.where(allowed, scores, -np.inf))
    per_head = (weights @ v).reshape(batch, num_heads, queries, size)
    return concat_stack(per_head) @ weight_o.T + bias_o, weights.reshape(batch, num_heads, queries, -1)


def mha_small_epsilon(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = (split_heads(x, num_heads) for x in _as_floats(query, key, value))
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    allowed = _spread(mask, scores.shape)
    top = np.where(allowed, scores, -np.inf).max(axis=-1, keepdims=True)
    shares = np.exp(np.where(allowed, scores - np.where(np.isfinite(top), top, 0), -np.inf))
    weights = shares / (shares.sum(axis=-1, keepdims=True) + 1e-8)
    return concat_transpose(weights @ v) @ weight_o.T + bias_o, weights


def mha_always_float64(query, key, value, num_heads, weight_o, bias_o, mask=None):
    wide = [np.asarray(array, dtype=np.float64) for array in (query, key, value, weight_o, bias_o)]
    return mha_plain(*wide[:3], num_heads, *wide[3:], mask)


def _named(prefix):
    return {name: function for name, function in globals().items() if name.startswith(prefix)}


CONCATS = _named("concat_")
ATTENTIONS = _named("mha_")
