"""Lesson 1's explorer: follow any token through the right split and through the straight reshape."""

from __future__ import annotations

from mha.explore.base import Choice, Slider, explore
from mha.figures.shelves import SENTENCE, two_shelves

__all__ = ["explore_shelves"]

CONTROLS = (
    Slider("token", "Token", 0, len(SENTENCE) - 1, 2, names=SENTENCE),
    Choice("way", "Read memory by", (("transpose", "transpose"), ("straight", "straight")), "transpose"),
)


def explore_shelves() -> None:
    """Show the two shelves with a slider for the token and a toggle between the two ways to read memory."""
    explore(two_shelves, CONTROLS)
