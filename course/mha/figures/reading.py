"""Which heads each output reads, for several output projections side by side.

The figure of lesson 4. Weights are in the (in_features, out_features) convention, ``concat @ Wo``: rows belong
to heads, columns are outputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mha.figures.style import ALERT, CELL_TEXT, INK, TITLE_TEXT, Picture, new_figure

__all__ = ["Reading", "read", "reading_map"]

Array = NDArray[np.floating[Any]]

TOLERANCE = 1e-9
"""A difference up to this size is rounding: the output did not move."""


@dataclass(frozen=True)
class Reading:
    """What one output projection reads, and what moves when one head is dropped.

    Attributes:
        norms: (h, C), the length of each column within each head's block of rows.
        moved: (C,) booleans, the outputs that move when the head is dropped.
    """

    norms: Array
    moved: NDArray[np.bool_]

    @property
    def heads_read(self) -> NDArray[np.integer[Any]]:
        """(C,): how many heads each output has a weight for."""
        return (self.norms > 0).sum(axis=0)

    @property
    def summary(self) -> str:
        """Both counts in words, such as "64 moved, 4 read"."""
        low, high = int(self.heads_read.min()), int(self.heads_read.max())
        return f"{int(self.moved.sum())} moved, {high if low == high else f'{low} to {high}'} read"


def read(concat: Array, Wo: Array, h: int, dropped: int) -> Reading:
    """Count what a projection reads, and drop one head to see what moves.

    Args:
        concat: (C,), the concatenated heads at one position.
        Wo: (C, C), the output projection.
        h: number of heads.
        dropped: the head whose slice is set to zero.

    Returns:
        The norms and the outputs that moved.
    """
    blocks = Wo.reshape(h, -1, Wo.shape[1])  # (h, hs, C): rows of head i together
    without = concat.reshape(h, -1).copy()  # (h, hs)
    without[dropped] = 0
    difference = np.abs(without.reshape(-1) @ Wo - concat @ Wo)  # (C,)
    return Reading(np.linalg.norm(blocks, axis=1), difference > TOLERANCE)


def reading_map(readings: Mapping[str, Reading], dropped: int) -> Picture:
    """Draw one panel for each projection: heads by outputs, and how many heads each output reads.

    Args:
        readings: what to call each projection, and what ``read`` found.
        dropped: the head that was dropped; its row is boxed, and the outputs that move carry a triangle.

    Returns:
        The figure, one panel below the other, and its description.
    """
    fig = new_figure(8, 0.4 + 1.6 * len(readings))
    panels = fig.subplots(2 * len(readings), 1, height_ratios=[1.5, 0.5] * len(readings), sharex=True)
    for number, (name, found) in enumerate(readings.items()):
        _draw_map(panels[2 * number], found, dropped)
        title = f"{name}: {found.summary}"
        panels[2 * number].set_title(title, loc="left", fontsize=TITLE_TEXT, fontweight="bold", color=INK)
        _draw_count(panels[2 * number + 1], found)
    panels[-1].set_xlabel("output (column of W_o); ▼ marks the outputs that move", fontsize=CELL_TEXT + 1)
    return Picture(fig, _describe(readings, dropped))


def _describe(readings: Mapping[str, Reading], dropped: int) -> str:
    width = next(iter(readings.values())).moved.size
    parts = [f"{name}: {found.summary}, and those that move {_ranges(found.moved)}" for name, found in readings.items()]
    return (
        f"For each output projection a map of heads by {width} outputs, dark where an output has weights for a "
        f"head, and below it how many heads each output reads. Head {dropped} is dropped. {'; '.join(parts)}."
    )


def _ranges(moved: NDArray[np.bool_]) -> str:
    where = np.flatnonzero(moved)
    if where.size == 0:
        return "are none"
    if where[-1] - where[0] + 1 == where.size:
        return f"are outputs {where[0]} to {where[-1]}"
    return f"are scattered between outputs {where[0]} and {where[-1]}"


def _draw_map(ax: Axes, found: Reading, dropped: int) -> None:
    heads, width = found.norms.shape
    ax.imshow(found.norms, cmap="Greys", aspect="auto", vmin=0, vmax=found.norms.max(), interpolation="nearest")
    ax.axhspan(dropped - 0.5, dropped + 0.5, fill=False, edgecolor=ALERT, linewidth=2.5, linestyle="--")
    marks = np.flatnonzero(found.moved)
    ax.plot(marks, np.full(marks.size, -0.95), "v", color=ALERT, markersize=4.5, clip_on=False)
    ax.set_yticks(range(heads), [f"head {i}" + (" dropped" if i == dropped else "") for i in range(heads)])
    ax.set_ylim(heads - 0.4, -1.4)
    ax.set_xlim(-0.5, width - 0.5)
    ax.tick_params(axis="x", length=0)


def _draw_count(ax: Axes, found: Reading) -> None:
    heads, width = found.norms.shape
    ax.stairs(found.heads_read, np.arange(width + 1) - 0.5, fill=True, color=INK)
    ax.set_ylim(0, heads + 0.5)
    ax.set_yticks([1, heads], ["reads 1", f"reads {heads}"])
    ax.set_xticks(range(0, width, width // heads))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
