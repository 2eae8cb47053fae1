"""What all figures share: colours and hatches for heads, a white face, labelled grids, and the memory strip.

Heads are told apart three ways at once: by colour (Okabe and Ito's palette, safe for colour-blind readers), by hatch
(so they survive grey printing), and by their label. Figures are built without pyplot: nothing is shown by accident,
and no state of the student's own plots leaks in or out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

__all__ = [
    "ALERT",
    "CELL_TEXT",
    "EDGE",
    "INK",
    "SMALL_TEXT",
    "TITLE_TEXT",
    "Cell",
    "HeadStyle",
    "Picture",
    "draw_grid",
    "draw_strip",
    "head_style",
    "new_figure",
]

INK = "#1a1a1a"
EDGE = "#4d4d4d"
ALERT = "#b3261e"
"""The border of what is wrong; always together with a mark such as "!"."""

TITLE_TEXT, CELL_TEXT, SMALL_TEXT = 12, 9.5, 8.5


class Picture(NamedTuple):
    """A figure and what it shows, in words: ``show(*picture)``."""

    figure: Figure
    alt: str


class HeadStyle(NamedTuple):
    """How a head looks: a fill light enough for black text, a strong colour for lines, a hatch."""

    fill: str
    strong: str
    hatch: str


_HEADS = (
    HeadStyle("#cfe5f5", "#0072b2", "///"),
    HeadStyle("#fbe3b5", "#b26b00", "..."),
    HeadStyle("#c5ebdf", "#00795a", "\\\\\\"),
    HeadStyle("#f3d7e6", "#a8487f", "xxx"),
    HeadStyle("#d9f0fb", "#2b7fa8", "---"),
    HeadStyle("#f9d9c6", "#b84a00", "|||"),
    HeadStyle("#f5f1c0", "#7a6f00", "+++"),
    HeadStyle("#e2e2e2", "#555555", "ooo"),
)


class Cell(NamedTuple):
    """One cell of a grid or strip: its label, the head it belongs to (None: plain), and whether it is boxed."""

    label: str
    head: int | None = None
    boxed: bool = False
    alert: bool = False


def head_style(head: int) -> HeadStyle:
    """Return the look of ``head`` (counted from 0; after eight heads the looks repeat)."""
    return _HEADS[head % len(_HEADS)]


def new_figure(width: float, height: float) -> Figure:
    """Return an empty white figure of this size in inches, whatever the reader's theme and settings are."""
    return Figure(figsize=(width, height), facecolor="white", layout="constrained")


def draw_grid(
    ax: Axes,
    cells: Sequence[Sequence[Cell]],
    *,
    title: str = "",
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    text_size: float = CELL_TEXT,
) -> None:
    """Draw a table of labelled cells, row 0 on top.

    Args:
        ax: where to draw.
        cells: the rows, all of the same length.
        title: words above the table.
        rows: a name for each row, on the left.
        columns: a name for each column, on top.
        text_size: of the labels in the cells.
    """
    height, width = len(cells), len(cells[0])
    for r, row in enumerate(cells):
        for c, cell in enumerate(row):
            _draw_cell(ax, c, r, cell, text_size)
    _draw_boxes(ax, cells)
    ax.set_xlim(-0.06, width + 0.06)
    ax.set_ylim(height + 0.06, -0.06)
    ax.set_title(title, fontsize=TITLE_TEXT, color=INK, loc="left")
    ax.set_xticks([c + 0.5 for c in range(len(columns))], columns, fontsize=SMALL_TEXT, color=INK)
    ax.set_yticks([r + 0.5 for r in range(len(rows))], rows, fontsize=CELL_TEXT, color=INK)
    ax.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)


def draw_strip(ax: Axes, cells: Sequence[Cell], *, title: str = "", text_size: float = 7, arrows: float = 0) -> None:
    """Draw memory as it lies: one row of cells with their positions below.

    Args:
        ax: where to draw.
        cells: the cells in the order in which they are stored.
        title: words above the strip.
        text_size: of the labels in the cells; long labels are set upright.
        arrows: room left above the strip, in cell heights, for what the caller draws there.
    """
    for c, cell in enumerate(cells):
        _draw_cell(ax, c, 0, cell, text_size, upright=True)
    _draw_boxes(ax, [cells])
    ax.set_xlim(-0.15, len(cells) + 0.15)
    ax.set_ylim(1.06, -0.06 - arrows)
    ax.set_title(title, fontsize=TITLE_TEXT, color=INK, loc="left")
    ax.set_xticks([c + 0.5 for c in range(len(cells))], [str(c) for c in range(len(cells))], fontsize=SMALL_TEXT)
    ax.set_yticks([])
    ax.tick_params(length=0, colors=INK)
    ax.spines[:].set_visible(False)


def _draw_cell(ax: Axes, x: float, y: float, cell: Cell, text_size: float, *, upright: bool = False) -> None:
    fill, strong, hatch = ("white", EDGE, "") if cell.head is None else head_style(cell.head)
    ax.add_patch(Rectangle((x, y), 1, 1, facecolor=fill, edgecolor="none"))
    if hatch:
        # The hatch has a faint band of its own below the label, so that lines never cross letters.
        band = Rectangle((x, y + 0.84), 1, 0.16, facecolor=fill, edgecolor=strong, hatch=hatch, linewidth=0)
        ax.add_patch(band)
    ax.add_patch(Rectangle((x, y), 1, 1, facecolor="none", edgecolor=EDGE, linewidth=0.8))
    if cell.alert:
        ax.add_patch(Rectangle((x + 0.04, y + 0.04), 0.92, 0.92, facecolor="none", edgecolor=ALERT, linewidth=2.5))
    label = f"{cell.label} !" if cell.alert else cell.label
    middle = y + (0.43 if hatch else 0.5)
    rotation = 90 if upright else 0
    ax.text(x + 0.5, middle, label, ha="center", va="center", fontsize=text_size, color=INK, rotation=rotation)


def _draw_boxes(ax: Axes, cells: Sequence[Sequence[Cell]]) -> None:
    """Outline every horizontal run of boxed cells with one thick frame."""
    for r, row in enumerate(cells):
        start = None
        for c, boxed in enumerate([*(cell.boxed for cell in row), False]):
            if boxed and start is None:
                start = c
            elif not boxed and start is not None:
                frame = Rectangle((start, r), c - start, 1, facecolor="none", edgecolor=INK, linewidth=3, zorder=5)
                frame.set_clip_on(False)
                ax.add_patch(frame)
                start = None
