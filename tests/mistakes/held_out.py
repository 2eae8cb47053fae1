"""Random inputs that the matcher never uses, and whether two functions do the same on all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mha.attention import split_heads
from mha.mistakes.probe import Probe, observe, same

TOLERANCE = 1e-6


def probes(contract: str, number: int = 200, seed: int = 20261130) -> list[Probe]:
    """Return random inputs for ``contract``. What is right is left open: only agreement is asked of them."""
    rng = np.random.default_rng([seed, len(contract)])
    return [_probe(f"random {i}", DRAW[contract](rng)) for i in range(number)]


def disagreement(one: Callable[..., Any], other: Callable[..., Any], cases: list[Probe]) -> str | None:
    """Return the name of the first input on which the two differ in anything, or None."""
    for probe in cases:
        if not same(observe(one, probe), observe(other, probe), probe):
            return f"{probe.name}: " + ", ".join(str(getattr(a, "shape", a)) for a in probe.pristine)
    return None


def _probe(name: str, arguments: tuple[Any, ...]) -> Probe:
    single = arguments[0].dtype == np.float32

    def make() -> tuple[Any, ...]:
        return tuple(_copy(argument) for argument in arguments)

    return Probe(name, frozenset(), make, None, 4 if single else 8, 1e-4 if single else TOLERANCE)


def _copy(argument: Any) -> Any:
    """Copy an array with its strides and its flag, so that views stay views and read-only stays read-only."""
    if not isinstance(argument, np.ndarray):
        return argument
    copy = np.empty_like(argument, order="K")
    copy[...] = argument
    copy.flags.writeable = argument.flags.writeable
    return copy


def _sizes(rng: np.random.Generator) -> tuple[int, int, int, int, int]:
    return tuple(int(rng.integers(1, top)) for top in (4, 5, 6, 6, 5))


def _numbers(rng: np.random.Generator, *shape: int, kind: int) -> np.ndarray:
    if kind == 0:
        return rng.integers(-4, 5, shape)
    drawn = rng.standard_normal(shape)
    return drawn.astype(np.float32) if kind == 1 else drawn


def _draw_concat(rng: np.random.Generator) -> tuple[Any, ...]:
    batch, heads, time, _, size = _sizes(rng)
    x = split_heads(_numbers(rng, batch, time, heads * size, kind=int(rng.integers(8))), heads)
    x = x if rng.random() < 0.5 else np.ascontiguousarray(x)
    x.flags.writeable = bool(rng.random() < 0.8)
    return (x,)


def _draw_split(rng: np.random.Generator) -> tuple[Any, ...]:
    batch, heads, time, _, size = _sizes(rng)
    width = heads * size + int(rng.random() < 0.2)
    return _numbers(rng, batch, time, width, kind=int(rng.integers(8))), heads


def _draw_attention(rng: np.random.Generator) -> tuple[Any, ...]:
    batch, heads, queries, keys, size = _sizes(rng)
    keys = queries if rng.random() < 0.4 else keys
    kind = int(rng.integers(8))
    shapes = [(batch, queries, heads * size)] + [(batch, keys, heads * size)] * 2
    query, key, value = (_numbers(rng, *shape, kind=kind) for shape in shapes)
    if kind > 1 and rng.random() < 0.1:
        query *= 400
    for array in (query, key, value):
        array.flags.writeable = bool(rng.random() < 0.9)
    return query, key, value, heads, _draw_mask(rng, batch, heads, queries, keys)


def _draw_mask(rng: np.random.Generator, batch: int, heads: int, queries: int, keys: int) -> np.ndarray | None:
    whole = (batch, heads, queries, keys)
    shapes = (
        None,
        None,
        (queries, keys),
        (batch, queries, keys),
        (1, queries, keys),
        whole,
        (batch, 1, queries, keys),
        (1, heads, queries, keys),
    )
    shape = shapes[rng.integers(len(shapes))]
    if shape is None:
        return None
    mask = rng.random(shape) < 0.6
    if rng.random() < 0.7:
        mask[..., 0] |= ~mask.any(axis=-1)
    return mask


def _draw_multi_head(rng: np.random.Generator) -> tuple[Any, ...]:
    query, key, value, heads, mask = _draw_attention(rng)
    width = query.shape[-1]
    weight_o, bias_o = rng.standard_normal((width, width)), rng.standard_normal(width)
    if query.dtype == np.float32:
        weight_o, bias_o = weight_o.astype(np.float32), bias_o.astype(np.float32)
    if query.dtype.kind == "i":
        weight_o, bias_o = np.round(3 * weight_o).astype(int), np.round(3 * bias_o).astype(int)
    return query, key, value, heads, weight_o, bias_o, mask


DRAW = {
    "concat_heads": _draw_concat,
    "split_heads": _draw_split,
    "multi_head_attention_per_head": _draw_attention,
    "multi_head_attention": _draw_multi_head,
}
