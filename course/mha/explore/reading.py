"""The explorer of lesson 4: drop a head and see what moves, and what each output reads."""

from __future__ import annotations

from collections.abc import Mapping

from mha.explore.base import Slider, explore
from mha.figures.reading import Array, read, reading_map
from mha.figures.style import Picture

__all__ = ["explore_reading"]


def explore_reading(concat: Array, projections: Mapping[str, Array], h: int) -> None:
    """Show the reading map of several output projections, for the head that the slider drops.

    Args:
        concat: (C,), the concatenated heads at one position.
        projections: what to call each output projection, and its (C, C) matrix in (in, out) order.
        h: number of heads.
    """

    def draw(dropped: int) -> Picture:
        readings = {name: read(concat, Wo, h, dropped) for name, Wo in projections.items()}
        return reading_map(readings, dropped)

    explore(draw, [Slider("dropped", "head that is dropped", 0, h - 1, h - 1)])
