"""Where each number of a concatenated sentence came from, and which of them lie in its future.

The figure of lesson 3. Shapes: T (positions), h (heads), hs (head size), C = h*hs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mha.figures.style import CELL_TEXT, INK, Cell, Picture, draw_grid, draw_strip, new_figure

__all__ = ["future_leak", "moved_positions", "sources"]

Indices = NDArray[np.integer[Any]]


def sources(concat: Callable[[Indices], Indices], h: int, T: int, hs: int) -> tuple[Indices, Indices]:
    """Send labels instead of numbers through a concat, and read off where each output came from.

    Args:
        concat: a function from (h, T, hs) to (T, h*hs).
        h, T, hs: the sizes to try it on.

    Returns:
        ``(heads, tokens)``, both (T, h*hs): the head and the position that each output was taken from.
    """
    head, token, _ = np.indices((h, T, hs))  # each (h, T, hs)
    return concat(head), concat(token)


def moved_positions(tokens: Indices, changed: int) -> list[int]:
    """Positions that move when the input of token ``changed`` does, under a causal mask.

    Args:
        tokens: (T, C), the position that each output was taken from.
        changed: the token whose input changes; a head's output at an earlier position cannot see it.

    Returns:
        The positions with at least one output taken from ``changed`` or later.
    """
    return [int(row) for row in np.flatnonzero((tokens >= changed).any(axis=1))]


def future_leak(heads: Indices, tokens: Indices, changed: int, title: str) -> Picture:
    """Draw the concatenated sentence with its sources, and the memory that it was read from.

    Args:
        heads: (T, C), the head that each output was taken from.
        tokens: (T, C), the position that each output was taken from.
        changed: the token whose input changes; what moves with it is framed.
        title: what the concat is called.

    Returns:
        A figure and its description. Above, one row for each position, with "!" and a border of its own on each output
        that holds a later token; below, the heads' numbers as they lie in memory, each with the position it goes to.
    """
    time, width = tokens.shape
    fig = new_figure(8, 0.62 * time + 2.5)
    grid, strip = fig.subplots(2, 1, height_ratios=[0.62 * time + 0.6, 1.1])
    count = int(_future(tokens).sum())
    _draw_rows(grid, heads, tokens, changed)
    _draw_memory(strip, heads, tokens)
    caption = f"{title}: {count} of {time * width} outputs hold a later token"
    fig.suptitle(caption, fontsize=13, fontweight="bold", color=INK)
    key = f"!  holds a token later than its own position        thick frame:  moves with token {changed}"
    fig.supxlabel(key, fontsize=CELL_TEXT, color=INK)
    return Picture(fig, _describe(heads, tokens, changed, caption))


def _future(tokens: Indices) -> NDArray[np.bool_]:
    return tokens > np.arange(len(tokens))[:, None]


def _describe(heads: Indices, tokens: Indices, changed: int, caption: str) -> str:
    rows = "; ".join(
        f"position {row} holds " + ", ".join(f"h{i}·t{t}" for i, t in zip(heads[row], tokens[row], strict=True))
        for row in range(len(tokens))
    )
    moved = ", ".join(map(str, moved_positions(tokens, changed)))
    return f"{caption}. By head and token, {rows}. When token {changed} changes, these positions move: {moved}."


def _draw_rows(ax: Axes, heads: Indices, tokens: Indices, changed: int) -> None:
    time, width = tokens.shape
    moved = moved_positions(tokens, changed)
    future = _future(tokens)
    cells = [
        [
            Cell(f"h{heads[r, c]}·t{tokens[r, c]}", int(heads[r, c]), bool(tokens[r, c] >= changed), bool(future[r, c]))
            for c in range(width)
        ]
        for r in range(time)
    ]
    draw_grid(
        ax,
        cells,
        rows=[f"position {t}" for t in range(time)],
        columns=[f"output {c}" for c in range(width)],
        text_size=11,
    )
    for r in range(time):
        words = f"moves with token {changed}" if r in moved else "stays as it is"
        ax.text(
            width + 0.15,
            r + 0.5,
            words,
            va="center",
            fontsize=CELL_TEXT,
            color=INK,
            fontweight="bold" if r in moved else "normal",
        )
    ax.set_xlim(-0.06, width + 1.5)


def _draw_memory(ax: Axes, heads: Indices, tokens: Indices) -> None:
    time, width = tokens.shape
    order = np.lexsort((np.tile(np.arange(width), time), tokens.ravel(), heads.ravel()))
    cells = [Cell(f"h{heads.ravel()[at]}·t{tokens.ravel()[at]}", int(heads.ravel()[at])) for at in order]
    draw_strip(ax, cells, title="The heads in memory, and the position where each number goes", text_size=9)
    ax.set_xticks(np.arange(order.size) + 0.5, [f"p{at // width}" for at in order], fontsize=CELL_TEXT, color=INK)
