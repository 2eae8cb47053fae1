"""The explorer of lesson 5: try input sizes, and see which of the four bugs each one shows."""

from __future__ import annotations

from mha.bugs import Attempt, attempt
from mha.explore.base import Slider, explore
from mha.figures.kill import kill_matrix, smallest_catches
from mha.figures.style import Picture

__all__ = ["explore_kill"]

ROWS = 7
"""The rows that are shown at a time: the newest inputs, and before them those that hold a record."""


ALREADY_TRIED = ((1, 1, 1, 4), (2, 4, 3, 2))
"""A size that catches nothing and a large one that catches all, so that there is something to improve on."""


def explore_kill(B: int = 1, T: int = 4, h: int = 2, hs: int = 2) -> None:
    """Show the kill matrix; each move of a slider adds the size it makes.

    Args:
        B, T, h, hs: the size to start with, after the two that have been tried already.
    """
    tried: list[Attempt] = [attempt(*sizes) for sizes in ALREADY_TRIED]

    def draw(B: int, T: int, h: int, hs: int) -> Picture:
        this = attempt(B, T, h, hs)
        if this in tried:
            tried.remove(this)  # seen before: it moves to the end instead of filling a second row
        tried.append(this)
        return kill_matrix(_worth_showing(tried))

    explore(
        draw,
        [
            Slider("B", "B: sentences", 1, 3, B),
            Slider("T", "T: positions", 1, 4, T),
            Slider("h", "h: heads", 1, 4, h),
            Slider("hs", "hs: head size", 1, 4, hs),
        ],
    )


def _worth_showing(tried: list[Attempt]) -> list[Attempt]:
    """Keep every record and fill up with the newest, in the order in which they were tried."""
    records = set(smallest_catches(tried).values())
    newest = [place for place in range(len(tried) - 1, -1, -1) if place not in records]
    kept = records | set(newest[: ROWS - len(records)])
    kept.add(len(tried) - 1)
    return [tried[place] for place in sorted(kept)]
