"""Arguments of the same form as those of a hidden test, with nothing of their contents."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_SIZE = 64
"""Whole numbers up to this are sizes, a number of heads, say; what is larger could be anything."""
CYCLE = 7


def stand_in(value: Any) -> Any:
    """A value like this one in kind, size and layout, but filled with the same few numbers whatever was in it.

    Args:
        value: an argument, or several of them in a list, tuple or dictionary.

    Returns:
        Arrays of the same shape, dtype, order in memory and writeable flag; sizes as they are, other numbers as one.
    """
    if isinstance(value, np.ndarray):
        new = np.empty_like(value, subok=False)
        new[...] = True if value.dtype == np.bool_ else np.resize(np.arange(1, 1 + CYCLE), value.shape)
        new.flags.writeable = value.flags.writeable
        return new
    if isinstance(value, list | tuple):
        return type(value)(stand_in(item) for item in value)
    if isinstance(value, dict):
        return {key: stand_in(item) for key, item in value.items()}
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) <= MOST_SIZE):
        return value
    return "" if isinstance(value, str | bytes) else type(value)(1)


def with_views(value: Any) -> Any:
    """The same value with a view of each array in it, which keeps its form whatever becomes of the array's own."""
    if isinstance(value, np.ndarray):
        return value.view()
    if isinstance(value, list | tuple):
        return type(value)(map(with_views, value))
    if isinstance(value, dict):
        return {key: with_views(item) for key, item in value.items()}
    return value
