"""Lesson 2's explorer: what the margins of an attention table show, and what they cannot."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mha.explore.base import Choice, Slider, Switch, explore
from mha.figures.margins import attention_margins
from mha.figures.style import Picture

__all__ = ["draw_margins", "explore_margins"]

Array = NDArray[np.floating[Any]]


def explore_margins(queries: Array, keys: Array) -> None:
    """Show one sentence's attention tables with sliders for query and temperature and toggles for three choices.

    Args:
        queries: (h, Tq, hs), one sentence.
        keys: (h, Tk, hs).
    """
    controls = (
        Slider("query", "Query", 0, queries.shape[1] - 1, 0),
        Slider("temperature", "Temperature", 0.25, 4.0, 1.0, step=0.25),
        Choice("axis", "Softmax over", (("keys", -1), ("queries", -2)), -1),
        Choice("divisor", "Divide by", (("√hs", "hs"), ("√C", "C"), ("1", "1")), "hs"),
        Switch("causal", "Causal mask", False),
    )
    explore(partial(draw_margins, queries, keys), controls)


def draw_margins(queries: Array, keys: Array, divisor: str, **choices: Any) -> Picture:
    """Draw ``attention_margins`` for these queries and keys, divided by √hs, √C or 1.

    Args:
        queries, keys: as for ``explore_margins``.
        divisor: ``"hs"``, ``"C"`` or ``"1"``.
        choices: passed on to ``attention_margins``.
    """
    heads, _, size = queries.shape
    number = {"hs": math.sqrt(size), "C": math.sqrt(heads * size), "1": 1.0}[divisor]
    return attention_margins(queries @ keys.swapaxes(-1, -2), number, **choices)
