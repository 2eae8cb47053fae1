"""The figure of lesson 1: where the six query numbers of each token stand before and after the head split.

Positions in memory, not numbers, are sent through the real operations, so the figure shows what NumPy does and not
what somebody thinks it does. Shapes: T (tokens), h (heads), hs (head size), C = h * hs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mha.attention import split_heads
from mha.figures.style import INK, SMALL_TEXT, Cell, Picture, draw_grid, draw_strip, new_figure

__all__ = ["SENTENCE", "Way", "two_shelves"]

SENTENCE = ("The", "river", "bank", "was")
Way = Literal["transpose", "straight"]
TITLES = {"transpose": "reshape, then transpose", "straight": "reshape straight"}

PLAIN = {"facecolor": "white", "edgecolor": "none", "pad": 1}

Positions = NDArray[np.integer[Any]]


def two_shelves(
    token: int = 2,
    way: Way = "transpose",
    *,
    tokens: Sequence[str] = SENTENCE,
    heads: int = 2,
    head_size: int = 3,
    both: bool = True,
    strides: bool = True,
) -> Picture:
    """Draw one sentence's packed features, the heads made from them the right and the wrong way, and the memory.

    Args:
        token: the token to follow; its row is boxed everywhere.
        way: whose reading of memory is boxed in the strip and the packed table.
        tokens: the words of the sentence.
        heads, head_size: h and hs.
        both: also draw the heads that a straight reshape makes.
        strides: draw how far apart neighbours along each axis lie in memory.

    Returns:
        The figure and its description.

    Raises:
        ValueError: if there is no such token or way.
    """
    if way not in get_args(Way) or not 0 <= token < len(tokens):
        raise ValueError(f"There is no token {token!r} or no way {way!r}.")
    time, width = len(tokens), heads * head_size
    packed = np.arange(time * width).reshape(1, time, width)  # (1, T, C): every cell holds its place in memory
    shelves = {
        "transpose": split_heads(packed, heads),  # (1, h, T, hs)
        "straight": packed.reshape(1, heads, time, head_size),  # the same shape, other contents
    }
    boxed = {int(p) for p in shelves[way][0, :, token].ravel()}

    fig = new_figure(8.6, 7.1 if both else 4.6)
    upper, lower = fig.subfigures(2, 1, height_ratios=[4.8, 2.3] if both else [2.5, 2.1 if strides else 1.4])
    left, right = upper.subfigures(1, 2, width_ratios=[6.6, 7.4])
    cells = [[_cell(p, tokens, heads, head_size, boxed=p in boxed) for p in row] for row in packed[0]]
    columns = [str(c) for c in range(width)]
    draw_grid(left.subplots(), cells, title="packed: (T, C)", rows=tokens, columns=columns, text_size=8)
    shown = ("transpose", "straight") if both else ("transpose",)
    axes = right.subplots(len(shown), heads, squeeze=False)
    for row, name in zip(axes, shown, strict=True):
        for head, ax in enumerate(row):
            _draw_shelf(ax, shelves[name][0, head], head, token, tokens, heads, shelves["transpose"][0, head])
            mark = "✓" if name == "transpose" else "✗"
            ax.set_title(f"{mark} {TITLES[name]}" if head == 0 else "", fontsize=10, color=INK, loc="left")
            ax.set_xlabel(f"head {head}", fontsize=9.5, color=INK)
            if head:
                ax.set_yticks([])
    steps = [stride // packed.itemsize for stride in shelves[way].strides]
    _draw_memory(lower.subplots(), packed.ravel(), tokens, heads, head_size, boxed, steps if strides else [])
    return Picture(fig, _describe(token, way, tokens, shelves, boxed, both, steps if strides else []))


def _cell(
    place: int, tokens: Sequence[str], heads: int, size: int, *, boxed: bool = False, wrong: bool = False
) -> Cell:
    token, rest = divmod(int(place), heads * size)
    head, feature = divmod(rest, size)
    return Cell(f"{tokens[token]}\nh{head}·f{feature}", head, boxed=boxed, alert=wrong)


def _draw_shelf(
    ax: Axes, shelf: Positions, head: int, token: int, tokens: Sequence[str], heads: int, right: Positions
) -> None:
    size = shelf.shape[-1]
    cells = [
        [
            _cell(place, tokens, heads, size, boxed=row == token, wrong=place != right[row, column])
            for column, place in enumerate(places)
        ]
        for row, places in enumerate(shelf)
    ]
    draw_grid(ax, cells, rows=tokens, text_size=8)


def _draw_memory(
    ax: Axes, places: Positions, tokens: Sequence[str], heads: int, size: int, boxed: set[int], steps: Sequence[int]
) -> None:
    cells = []
    for place in places:
        cell = _cell(place, tokens, heads, size, boxed=int(place) in boxed)
        cells.append(cell._replace(label=cell.label.replace("\n", "·")))
    title = f"in memory: one row of {len(cells)}"
    if steps:
        title += "; the arrows are strides, from one feature, head, … to the next"
    draw_strip(ax, cells, title=title, arrows=0.2 + 0.28 * 4)
    if not steps:
        ax.set_ylim(1.06, -0.06)
        return
    names = ("sentence", "head", "token", "feature")
    for level, (step, name) in enumerate(sorted(zip(steps, names, strict=True)), start=1):
        _draw_step(ax, step, f"{step} {name}", height=-0.28 * level, last=len(cells))


def _draw_step(ax: Axes, step: int, words: str, *, height: float, last: int) -> None:
    """An elbow from the first cell to the one ``step`` further on, or off the end of the strip."""
    end = min(0.5 + step, last + 0.15)
    ax.plot([0.5, 0.5, end], [-0.05, height, height], color=INK, linewidth=1.2, clip_on=False)
    ax.annotate("", (end, -0.02), (end, height), arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 1.2})
    inside = end > last
    where = (end - 0.4, height - 0.04) if inside else (end + 0.2, height)
    align = {"ha": "right", "va": "bottom"} if inside else {"ha": "left", "va": "center"}
    ax.text(*where, words, fontsize=SMALL_TEXT + 0.5, color=INK, bbox=PLAIN, zorder=6, **align)


def _describe(
    token: int,
    way: Way,
    tokens: Sequence[str],
    shelves: dict[str, Positions],
    boxed: set[int],
    both: bool,
    steps: Sequence[int],
) -> str:
    _, heads, time, size = shelves["transpose"].shape
    word = tokens[token]
    parts = [
        f"Left: the packed table, one row for each of {', '.join(tokens)}; "
        + ", ".join(f"columns {i * size} to {(i + 1) * size - 1} are head {i}'s" for i in range(heads))
        + f". Right: reshaped, then transposed, each head holds all {time} tokens, and its row {word} is {word}'s own."
    ]
    if both:
        held = [_owner(shelves["straight"][0, head, token, 0], tokens, heads, size) for head in range(heads)]
        wrong = int((shelves["straight"] != shelves["transpose"]).sum())
        parts.append(
            f"Below it: reshaped straight, row {word} holds "
            + ", ".join(f"{owner} in head {head}" for head, owner in enumerate(held))
            + f"; {wrong} of {shelves['straight'].size} cells, marked !, are not where their row and head say."
        )
    runs = " and ".join(f"{start} to {start + size - 1}" for start in sorted(boxed) if start % size == 0)
    parts.append(f"Bottom: memory. Read by {TITLES[way]}, row {word} of the heads is boxed at places {runs}.")
    if steps:
        parts.append(f"Strides of that reading for sentence, head, token, feature: {', '.join(map(str, steps))}.")
    return " ".join(parts)


def _owner(place: int, tokens: Sequence[str], heads: int, size: int) -> str:
    token, rest = divmod(int(place), heads * size)
    return f"{tokens[token]}·h{rest // size}"
