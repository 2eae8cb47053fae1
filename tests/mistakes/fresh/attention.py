"""Wrong ``multi_head_attention``, written as students write them, without a look at the catalogue."""

# ruff: noqa: RUF059, SIM - this is how students write
from __future__ import annotations

import numpy as np
from mha.attention import multi_head_attention_per_head, softmax, split_heads


def concat_heads(x):
    B, H, T, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, H * D)


def plain_product(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(heads).dot(weight_o) + bias_o, weights


def forgot_the_mask(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def forgot_the_bias(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return np.einsum("btc,oc->bto", concat_heads(heads), weight_o), weights


def bias_in_the_loop(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    D = heads.shape[-1]
    out = 0
    for i in range(num_heads):
        out = out + heads[:, i] @ weight_o[:, i * D : (i + 1) * D].T + bias_o
    return out, weights


def only_the_output(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o


def keys_asked(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(key, query, value, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def value_forgotten(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, key, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def flips_the_mask(query, key, value, num_heads, weight_o, bias_o, mask=None):
    if mask is not None:
        mask = ~mask
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def mask_with_if(query, key, value, num_heads, weight_o, bias_o, mask=None):
    if mask:
        heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    else:
        heads, weights = multi_head_attention_per_head(query, key, value, num_heads)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def whole_width_in_the_root(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = [split_heads(a, num_heads) for a in (query, key, value)]
    scores = q @ np.swapaxes(k, 2, 3) / np.sqrt(query.shape[2])
    if mask is not None:
        if mask.ndim == 3:
            mask = mask[:, None]
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return concat_heads(weights @ v) @ weight_o.T + bias_o, weights


def whole_width_and_a_billion(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = [split_heads(a, num_heads) for a in (query, key, value)]
    scores = q @ np.swapaxes(k, 2, 3) / np.sqrt(query.shape[2])
    if mask is not None:
        if mask.ndim == 3:
            mask = mask[:, None]
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return concat_heads(weights @ v) @ weight_o.T + bias_o, weights


def no_scale_at_all(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = [split_heads(a, num_heads) for a in (query, key, value)]
    scores = np.matmul(q, k.transpose(0, 1, 3, 2))
    if mask is not None:
        scores = np.where(mask[:, None] if mask.ndim == 3 else mask, scores, -np.inf)
    weights = softmax(scores)
    return concat_heads(weights @ v) @ weight_o.T + bias_o, weights


def softmax_down_the_columns(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = [split_heads(a, num_heads) for a in (query, key, value)]
    scores = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask[:, None] if mask.ndim == 3 else mask, scores, -np.inf)
    weights = softmax(scores, axis=2)
    return concat_heads(weights @ v) @ weight_o.T + bias_o, weights


def softmax_without_care(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = [split_heads(a, num_heads) for a in (query, key, value)]
    scores = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask[:, None] if mask.ndim == 3 else mask, scores, -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    return concat_heads(weights @ v) @ weight_o.T + bias_o, weights


def zeroes_after_the_softmax(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads)
    if mask is not None:
        weights = weights * (mask[:, None] if mask.ndim == 3 else mask)
        heads = weights @ split_heads(value, num_heads)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def concat_of_the_raw_heads(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return heads.reshape(query.shape) @ weight_o.T + bias_o, weights


def own_split_in_one_go(query, key, value, num_heads, weight_o, bias_o, mask=None):
    def split(a):
        return a.reshape(a.shape[0], num_heads, a.shape[1], -1)

    q, k, v = split(query), split(key), split(value)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask[:, None] if mask.ndim == 3 else mask, scores, -np.inf)
    weights = softmax(scores)
    return concat_heads(weights @ v) @ weight_o.T + bias_o, weights


def averaged_table(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o, weights.mean(1)


def projects_the_inputs_too(query, key, value, num_heads, weight_o, bias_o, mask=None):
    query, key, value = query @ weight_o.T, key @ weight_o.T, value @ weight_o.T
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def projection_per_block(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    D = heads.shape[-1]
    parts = [heads[:, i] @ weight_o[i * D : (i + 1) * D, i * D : (i + 1) * D].T for i in range(num_heads)]
    return np.concatenate(parts, axis=-1) + bias_o, weights


def adds_the_query_back(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return query + concat_heads(heads) @ weight_o.T + bias_o, weights


def layer_norm_at_the_end(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    out = concat_heads(heads) @ weight_o.T + bias_o
    return (out - out.mean(-1, keepdims=True)) / (out.std(-1, keepdims=True) + 1e-5), weights


def dropout_left_in(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    weights = weights * (np.random.rand(*weights.shape) > 0.1)
    return concat_heads(weights @ split_heads(value, num_heads)) @ weight_o.T + bias_o, weights


def two_slips(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return heads.reshape(query.shape) @ weight_o + bias_o, weights


def first_mask_for_all(query, key, value, num_heads, weight_o, bias_o, mask=None):
    if mask is not None and mask.ndim > 2:
        mask = mask[0]
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def uses_float32(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = (a.astype(np.float32) for a in (query, key, value))
    heads, weights = multi_head_attention_per_head(q, k, v, num_heads, mask)
    return concat_heads(heads) @ weight_o.T + bias_o, weights


def in_place_for_speed(query, key, value, num_heads, weight_o, bias_o, mask=None):
    query /= 1.0
    weight_o *= -1
    heads, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return bias_o - concat_heads(heads) @ weight_o.T, weights
