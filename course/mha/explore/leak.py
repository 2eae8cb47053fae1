"""The explorer of lesson 3: a right and a wrong concat, and the token that changes."""

from __future__ import annotations

from collections.abc import Callable

from mha.explore.base import Choice, Slider, explore
from mha.figures.leak import Indices, future_leak, sources
from mha.figures.style import Picture

__all__ = ["explore_leak"]


def explore_leak(
    right: Callable[[Indices], Indices], wrong: Callable[[Indices], Indices], h: int = 2, T: int = 4, hs: int = 2
) -> None:
    """Show where each output of a concat came from, and which outputs hold a later token.

    Args:
        right: a concat of one sentence, (h, T, hs) -> (T, h*hs).
        wrong: another one to hold against it.
        h, T, hs: the sizes to draw.
    """
    concats = {"right": ("With transpose", right), "wrong": ("Reshape alone", wrong)}  # short: they stand on buttons

    def draw(concat: str, changed: int) -> Picture:
        title, function = concats[concat]
        heads, tokens = sources(function, h, T, hs)
        return future_leak(heads, tokens, changed, title)

    options = tuple((title, name) for name, (title, _) in concats.items())
    explore(
        draw,
        [
            Choice("concat", "concat", options, "wrong"),
            Slider("changed", "token that changes", 0, T - 1, T - 1),
        ],
    )
