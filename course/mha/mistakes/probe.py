"""Probes: inputs with known right results, and what was seen when a function was run on one."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Fact", "Observation", "Probe", "Seen", "Trial", "is_right", "numbers", "observe", "same"]

Array = NDArray[Any]

DEEPEST, LONGEST = 4, 64


@dataclass(frozen=True, eq=False)
class Probe:
    """One input, what is special about it, and what a right function makes of it.

    Attributes:
        name: what is special about it, in a few words.
        tags: properties that facts are drawn from ("one head", say).
        make: returns fresh arguments; a function may spoil them.
        expected: the right results, one for each that the contract names; None where a ValueError is right.
        item_size: the least bytes a floating result may have without losing precision.
        tolerance: how far results may differ, relative to the largest number among them.
    """

    name: str
    tags: frozenset[str]
    make: Callable[[], tuple[Any, ...]]
    expected: tuple[Array, ...] | None
    item_size: int = 8
    tolerance: float = 1e-9

    @functools.cached_property
    def pristine(self) -> tuple[Any, ...]:
        """The arguments as they are before a call, to compare with. Not to be given away."""
        return self.make()

    @functools.cached_property
    def size(self) -> int:
        """How many numbers a reader would have to look at."""
        return sum(argument.size for argument in self.pristine if isinstance(argument, np.ndarray))


Fact: TypeAlias = tuple[str, str]
"""A tag and the words for it in "It is right with …" ("one head", "a single head")."""

Seen: TypeAlias = "Array | tuple[str, tuple[Seen, ...]] | str"
"""A result as far as it is compared: an array, a sequence's type and its items, or the type of anything else."""


@dataclass(frozen=True, eq=False)
class Observation:
    """What one call did.

    Attributes:
        value: what it returned; None where it raised.
        error: the exception's kind; None where it returned.
        raised: the exception itself, for a message to the student.
        changed: the arguments that differ afterwards, by position.
    """

    value: Seen | None
    error: str | None
    raised: Exception | None
    changed: dict[int, Seen]


def numbers(seed: int, *shape: int, step: float = 1 / 64, dtype: type = np.float64) -> Array:
    """Return numbers between -2 and 2 in whole steps, the same on every machine and in every version of NumPy."""
    raw = np.random.PCG64(seed).random_raw(int(np.prod(shape))) >> np.uint64(11)
    steps = (raw % np.uint64(round(4 / step) + 1)).astype(np.float64)
    return (steps * step - 2).reshape(shape).astype(dtype)


@dataclass(frozen=True, eq=False)
class Trial:
    """One probe, what the function did on it, and whether that was right."""

    probe: Probe
    seen: Observation
    right: bool


def observe(function: Callable[..., Any], probe: Probe) -> Observation:
    """Call ``function`` on fresh arguments of ``probe`` and note all that can be seen from outside.

    What is no `Exception` (an interrupt, a sandbox that died) passes through.
    """
    arguments, before = probe.make(), probe.pristine
    value, raised = None, None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = _seen(function(*arguments))
        except Exception as error:  # noqa: BLE001 - the function is a student's and may raise anything
            raised = error
    changed = {
        index: _seen(now)
        for index, (now, was) in enumerate(zip(arguments, before, strict=True))
        if isinstance(now, np.ndarray) and not _unchanged(now, was)
    }
    return Observation(value, None if raised is None else _kind(raised), raised, changed)


def is_right(seen: Observation, probe: Probe) -> bool:
    """Say whether a call did what the contract asks, and nothing to its input."""
    if seen.changed:
        return False
    if probe.expected is None:
        return seen.error == "ValueError"
    results = results_of(seen, len(probe.expected))
    return results is not None and all(map(lambda a, b: right_value(a, b, probe), results, probe.expected))


def right_value(found: Seen, right: Array, probe: Probe) -> bool:
    """Say whether one result is right in shape, kind of dtype, precision and numbers."""
    if not isinstance(found, np.ndarray) or found.dtype.kind != right.dtype.kind or loses_precision(found, probe):
        return False
    return close(found, right, probe.tolerance)


def results_of(seen: Observation, number: int) -> tuple[Seen, ...] | None:
    """Return what the call returned as ``number`` results, or None where it is not that many."""
    if number == 1:
        return None if seen.value is None else (seen.value,)
    if isinstance(seen.value, tuple) and seen.value[0] == "tuple" and len(seen.value[1]) == number:
        return seen.value[1]
    return None


def same(one: Observation, other: Observation, probe: Probe) -> bool:
    """Say whether two calls did the same: values, shapes, kinds of dtype, exceptions, changes to the input."""
    if one.error != other.error or one.changed.keys() != other.changed.keys():
        return False
    if one.error is None and not same_value(one.value, other.value, probe):
        return False
    return all(same_value(one.changed[index], other.changed[index], probe) for index in one.changed)


def same_value(one: Seen | None, other: Seen | None, probe: Probe) -> bool:
    """Say whether two results are the same to within the probe's tolerance."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return _same_kind(one, other, probe) and close(one, other, probe.tolerance)
    if isinstance(one, tuple) and isinstance(other, tuple):
        alike = one[0] == other[0] and len(one[1]) == len(other[1])
        return alike and all(same_value(a, b, probe) for a, b in zip(one[1], other[1], strict=True))
    return isinstance(one, str) and isinstance(other, str) and one == other


def loses_precision(array: Array, probe: Probe) -> bool:
    """Say whether ``array`` has less precision than the probe's input."""
    return array.dtype.kind == "f" and array.dtype.itemsize < probe.item_size


def close(one: Array, other: Array, tolerance: float) -> bool:
    """Say whether two arrays have one shape and, to within ``tolerance``, the same numbers (NaN equals NaN)."""
    if one.shape != other.shape:
        return False
    whole = one.dtype.kind in "iub" and other.dtype.kind in "iub"
    if not whole:
        with np.errstate(all="ignore"):
            apart = np.abs(np.subtract(one, other, dtype=np.float64)).max(initial=0)
        if np.isfinite(apart):  # nearly always, and quickly known
            return bool(apart <= tolerance * np.abs(other).max(initial=0))
    equal = one == other
    if whole or equal.all():
        return bool(equal.all())
    a, b = one[~equal].astype(np.float64), other[~equal].astype(np.float64)
    missing = np.isnan(a)
    if (missing != np.isnan(b)).any():
        return False
    a, b = a[~missing], b[~missing]
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return False
    scale = np.abs(other[np.isfinite(other)]).max(initial=0)
    return bool((np.abs(a - b) <= tolerance * scale).all())


def _same_kind(one: Array, other: Array, probe: Probe) -> bool:
    return one.dtype.kind == other.dtype.kind and loses_precision(one, probe) == loses_precision(other, probe)


def _unchanged(now: Array, was: Array) -> bool:
    if now.shape != was.shape or now.dtype != was.dtype:
        return False
    return now.tobytes() == was.tobytes() or np.array_equal(now, was, equal_nan=now.dtype.kind == "f")


def _kind(error: Exception) -> str:
    """Return the exception's name where it is a builtin: other names do not survive the way out of a sandbox."""
    return type(error).__name__ if type(error).__module__ == "builtins" else "another exception"


def _seen(value: Any, depth: int = 0) -> Seen:
    if type(value) is np.ndarray:  # the contract asks for plain arrays, so a matrix or a masked array is none
        return np.array(value) if value.dtype.kind in "biuf" else f"array of {value.dtype.name}"
    if isinstance(value, bool | int | float | np.number | np.bool_):
        return np.asarray(value) if abs(value) < 2**63 else type(value).__name__
    if type(value) in (list, tuple) and depth < DEEPEST and len(value) <= LONGEST:
        return type(value).__name__, tuple(_seen(item, depth + 1) for item in value)
    return type(value).__name__
