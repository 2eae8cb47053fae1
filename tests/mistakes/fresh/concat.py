"""Wrong ``concat_heads``, written as students write them, without a look at the catalogue."""

# ruff: noqa: RET503, RUF059, SIM - this is how students write
from __future__ import annotations

import numpy as np


def permuted_like_the_split(x):
    # same axes as in split_heads, then flatten the end
    B, H, T, D = x.shape
    x = np.transpose(x, (0, 2, 3, 1))
    return np.reshape(x, (B, T, H * D))


def one_reshape_is_enough(x):
    return np.reshape(x, (x.shape[0], x.shape[2], -1))


def glue_along_last_but_one(x):
    heads = [x[:, i, :, :] for i in range(x.shape[1])]
    return np.concatenate(heads, axis=-2)


def columns_by_stride(x):
    B, H, T, D = x.shape
    out = np.zeros((B, T, H * D), dtype=x.dtype)
    for i in range(H):
        out[:, :, i::H] = x[:, i]
    return out


def forgot_the_offset(x):
    B, H, T, D = x.shape
    out = np.zeros((B, T, H * D), dtype=x.dtype)
    for i in range(H):
        out[:, :, i : i + D] = x[:, i]
    return out


def counts_heads_from_one(x):
    B, H, T, D = x.shape
    out = np.zeros((B, T, H * D), dtype=x.dtype)
    for i in range(1, H):
        out[:, :, i * D : (i + 1) * D] = x[:, i]
    return out


def overwrites_every_round(x):
    for i in range(x.shape[1]):
        out = x[:, i]
    return out


def returns_inside_the_loop(x):
    out = []
    for i in range(x.shape[1]):
        out.append(x[:, i])
        return np.concatenate(out, axis=-1)


def appends_to_the_front(x):
    out = x[:, 0]
    for i in range(1, x.shape[1]):
        out = np.concatenate([x[:, i], out], axis=2)
    return out


def stacks_and_forgets_the_reshape(x):
    return np.stack([x[:, i] for i in range(x.shape[1])], axis=2)


def flattens_without_the_batch(x):
    B, H, T, D = x.shape
    return x.swapaxes(1, 2).reshape(T, -1)


def loops_over_sentences_and_keeps_the_last(x):
    for sentence in x:
        out = np.concatenate(list(sentence), axis=-1)
    return out[None]


def buffer_of_default_floats(x):
    B, H, T, D = x.shape
    out = np.zeros((B, T, H * D))
    for i in range(H):
        out[:, :, i * D : (i + 1) * D] = x[:, i]
    return out


def half_precision_to_save_memory(x):
    B, H, T, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, H * D).astype("float16")


def transposes_then_reshapes_to_the_old_order(x):
    B, H, T, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, H, T * D)


def batch_and_time_swapped(x):
    B, H, T, D = x.shape
    return x.transpose(2, 0, 1, 3).reshape(T, B, H * D).reshape(B, T, H * D)


def head_size_for_number_of_heads(x):
    B, H, T, D = x.shape
    return x.reshape(B, D, T, H).transpose(0, 2, 1, 3).reshape(B, T, H * D)


def sums_instead(x):
    return np.sum(x, axis=1)


def averages_and_repeats(x):
    return np.repeat(x.mean(1), x.shape[1], axis=-1)


def prints_the_shape(x):
    y = np.moveaxis(x, 1, 2)
    print(y.reshape(*y.shape[:2], -1).shape)


def permute_from_torch(x):
    return x.permute(0, 2, 1, 3).contiguous().view(x.size(0), -1, 64)


def rolled_by_one(x):
    x = np.roll(x, 1, axis=1)
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


def sorted_in_place(x):
    x.sort(axis=1)
    return np.moveaxis(x, 1, 2).reshape(x.shape[0], x.shape[2], -1)


def tuple_with_the_shape(x):
    y = np.moveaxis(x, 1, 2).reshape(x.shape[0], x.shape[2], -1)
    return y, y.shape
