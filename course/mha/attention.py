"""The functions the graded notebook is given: softmax, the head split, attention head by head.

Shapes use B (batch), T (time; Tq and Tk where query and key differ), C (width after projection),
h (heads, counted from 0) and hs (head size, C / h).

Source: Vaswani et al., "Attention Is All You Need" (2017), sections 3.2.1 and 3.2.2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["multi_head_attention_per_head", "softmax", "split_heads"]

FloatArray = NDArray[np.floating[Any]]
"""An array of float32 or float64 (float16 and longdouble work too and stay what they are)."""


def softmax(x: ArrayLike, axis: int = -1) -> FloatArray:
    """Turn scores into weights that are positive and sum to 1 along ``axis``.

    A score of minus infinity gets weight 0. Where every score along ``axis`` is minus infinity there is
    nothing to share out, and all weights are 0 (not NaN).

    Args:
        x: scores of any shape. Integers are read as float64.
        axis: the axis along which the weights sum to 1.

    Returns:
        Weights of the same shape and precision as ``x``.
    """
    scores = _as_float(x)
    top = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isneginf(top), np.zeros_like(top), top)  # -inf - (-inf) would be NaN
    shares = np.exp(scores - top)
    total = shares.sum(axis=axis, keepdims=True)
    return shares / np.where(total == 0, np.ones_like(total), total)


def split_heads(x: ArrayLike, num_heads: int) -> NDArray[Any]:
    """Give every head its own slice of the features: (B, T, C) -> (B, h, T, hs).

    Head i receives the consecutive features i*hs ... (i+1)*hs - 1. No number is computed or changed; where
    NumPy allows it the result is a view of ``x``.

    Args:
        x: array of shape (B, T, C).
        num_heads: h, the number of heads; it must divide C.

    Returns:
        Array of shape (B, h, T, hs) with hs = C // h and the dtype of ``x``.

    Raises:
        ValueError: if ``x`` does not have three axes, or ``num_heads`` is below 1 or does not divide C.
    """
    x = np.asarray(x)
    if x.ndim != 3:
        raise ValueError(f"split_heads needs an array of shape (B, T, C), but this one has shape {x.shape}.")
    batch, time, width = x.shape
    if num_heads < 1 or width % num_heads:
        raise ValueError(f"{num_heads} heads cannot share {width} features equally: num_heads must divide C = {width}.")
    return x.reshape(batch, time, num_heads, width // num_heads).transpose(0, 2, 1, 3)  # (B, h, T, hs)


def multi_head_attention_per_head(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    num_heads: int,
    mask: ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Scaled dot-product attention in every head at once, the heads still apart.

    ``query``, ``key`` and ``value`` are already projected. The query may be of another length than the key
    (cross-attention).

    Args:
        query: array of shape (B, Tq, C).
        key: array of shape (B, Tk, C).
        value: array of shape (B, Tk, C).
        num_heads: h; it must divide C.
        mask: None, or booleans where True means *may attend*: (Tq, Tk) for all, (B or 1, Tq, Tk) for each
            sentence, or four axes that broadcast to (B, h, Tq, Tk) for each head. A query that may attend to
            nothing gets weights, and an output, of zero.

    Returns:
        ``(per_head, weights)`` with shapes (B, h, Tq, hs) and (B, h, Tq, Tk). Neither has less precision than
        the inputs: float32 stays float32, integers become float64.

    Raises:
        ValueError: if the shapes do not fit together, ``num_heads`` does not divide C, or the mask does not
            broadcast to (B, h, Tq, Tk).
        TypeError: if the mask is not boolean.

    Source: Vaswani et al. (2017), section 3.2.1, equation 1, for each head of section 3.2.2.
    """
    query, key, value = _as_float(query), _as_float(key), _as_float(value)
    _check_shapes(query, key, value)
    q = split_heads(query, num_heads)  # (B, h, Tq, hs)
    k = split_heads(key, num_heads)  # (B, h, Tk, hs)
    v = split_heads(value, num_heads)  # (B, h, Tk, hs)
    head_size = q.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(head_size)  # (B, h, Tq, Tk)
    if mask is not None:
        scores = np.where(_mask_for(mask, scores.shape), scores, -np.inf)
    weights = softmax(scores, axis=-1)  # (B, h, Tq, Tk)
    return weights @ v, weights  # (B, h, Tq, hs), (B, h, Tq, Tk)


def _as_float(x: ArrayLike) -> FloatArray:
    """Read numbers as they are where they are floats, as float64 where they are integers or booleans."""
    x = np.asarray(x)
    return x if np.issubdtype(x.dtype, np.floating) else x.astype(np.float64)


def _check_shapes(query: FloatArray, key: FloatArray, value: FloatArray) -> None:
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim != 3:
            raise ValueError(f"{name} must have shape (B, T, C), but it has shape {array.shape}.")
    if key.shape != value.shape:
        raise ValueError(f"key and value must have the same shape, but they have {key.shape} and {value.shape}.")
    if query.shape[0] != key.shape[0] or query.shape[2] != key.shape[2]:
        raise ValueError(
            f"query and key must agree in batch size and width, but they have {query.shape} and {key.shape}."
        )


def _mask_for(mask: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Give the mask its axes for heads and batch, and check that it fits scores of ``shape``."""
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise TypeError(f"The mask must be boolean (True = may attend), but its dtype is {mask.dtype}.")
    with_heads = mask[:, np.newaxis] if mask.ndim == 3 else mask
    sizes = zip(reversed(with_heads.shape), reversed(shape), strict=False)
    if with_heads.ndim > 4 or any(size not in (1, whole) for size, whole in sizes):
        raise ValueError(
            f"A mask of shape {mask.shape} does not fit scores of shape {shape}: give (Tq, Tk), (B, Tq, Tk) "
            "or four axes that broadcast to (B, h, Tq, Tk)."
        )
    return with_heads
