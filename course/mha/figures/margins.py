"""The figure of lesson 2: attention tables with the sums in their margins, and how sharp one row is.

Which margin holds the ones tells over which axis the softmax ran; how many keys a row really averages over tells
whether its scores were scaled right. Shapes: h (heads), Tq (queries), Tk (keys).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from mha.attention import softmax
from mha.figures.style import EDGE, INK, SMALL_TEXT, Picture, head_style, new_figure

__all__ = ["attention_margins", "effective_keys"]

Array = NDArray[np.floating[Any]]


def effective_keys(weights: Array) -> Array:
    """Return over how many keys each row of weights really averages: exp of its entropy.

    A row with all its weight on one key gives 1; a uniform row over n keys gives n.

    Args:
        weights: (..., Tk), rows that sum to 1 (or to 0, where nothing may be attended to: that gives 1).

    Returns:
        Numbers of shape (...).
    """
    logs = np.log(np.where(weights > 0, weights, 1.0))
    return np.exp(-(weights * logs).sum(axis=-1))


def attention_margins(
    products: Array,
    divisor: float,
    *,
    query: int = 0,
    temperature: float = 1.0,
    axis: int = -1,
    causal: bool = False,
) -> Picture:
    """Draw one table of weights for each head, the sums of rows and columns, and one row as bars.

    Args:
        products: query times key, not yet scaled: (h, Tq, Tk).
        divisor: what the products are divided by; the square root of hs is right.
        query: the row to box and to draw as bars.
        temperature: a further divisor; above 1 it flattens the rows, below 1 it sharpens them.
        axis: over which axis the softmax runs: -1 (keys) is right, -2 (queries) is the slip.
        causal: let each query attend only to itself and to earlier keys.

    Returns:
        The figure and its description.
    """
    scores = products / (divisor * temperature)
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    weights = softmax(scores, axis=axis)  # (h, Tq, Tk)
    heads = len(weights)
    columns = min(heads, 2)
    lines = -(-heads // columns)
    fig = new_figure(8.6, 2.75 * lines + 0.2)
    panels = np.ravel(fig.subfigures(lines, columns))
    for head, panel in enumerate(panels[:heads]):
        table, bars = panel.subplots(1, 2, width_ratios=[7.4, 3.2])
        _draw_table(table, weights[head], query, head)
        _draw_bars(bars, weights[head, query], query, head)
    return Picture(fig, _describe(weights, divisor * temperature, query, axis, causal))


def _draw_table(ax: Axes, weights: Array, query: int, head: int) -> None:
    rows, columns = weights.shape
    for r in range(rows):
        for c in range(columns):
            _draw_weight(ax, r, c, weights[r, c], head)
    for sums, place in ((weights.sum(axis=1), "right"), (weights.sum(axis=0), "below")):
        ones = bool(np.allclose(sums, 1))
        for i, total in enumerate(sums):
            x, y = (columns + 0.75, i + 0.5) if place == "right" else (i + 0.5, rows + 0.65)
            weight = "bold" if ones else "normal"
            ax.text(x, y, f"{total:.2f}", ha="center", va="center", fontsize=8, color=INK, fontweight=weight)
        if ones:
            corner, size = ((columns + 0.2, 0), (1.1, rows)) if place == "right" else ((0, rows + 0.25), (columns, 0.8))
            ax.add_patch(Rectangle(corner, *size, facecolor="none", edgecolor=INK, linewidth=1.5, linestyle=":"))
    ax.add_patch(Rectangle((0, query), columns, 1, facecolor="none", edgecolor=INK, linewidth=2.8, zorder=5))
    ax.text(columns + 0.75, -0.35, "sum", ha="center", va="center", fontsize=SMALL_TEXT, color=INK)
    ax.text(-0.25, rows + 0.65, "sum", ha="right", va="center", fontsize=SMALL_TEXT, color=INK)
    ax.set_xlim(-0.06, columns + 1.4)
    ax.set_ylim(rows + 1.1, -0.06)
    ax.set_xticks(np.arange(columns) + 0.5, [str(c) for c in range(columns)], fontsize=SMALL_TEXT, color=INK)
    ax.set_yticks(np.arange(rows) + 0.5, [str(r) for r in range(rows)], fontsize=SMALL_TEXT, color=INK)
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.set_title(f"head {head}: query (down), key (across)", fontsize=10, color=INK, loc="left")


def _draw_weight(ax: Axes, r: int, c: int, weight: float, head: int) -> None:
    fill = _shade(head_style(head).strong, weight)
    ax.add_patch(Rectangle((c, r), 1, 1, facecolor=fill, edgecolor=EDGE, linewidth=0.5))
    ink = "white" if _luminance(fill) < 0.179 else "black"  # the luminance at which both have the same contrast
    ax.text(c + 0.5, r + 0.5, _short(weight), ha="center", va="center", fontsize=8, color=ink)


def _draw_bars(ax: Axes, row: Array, query: int, head: int) -> None:
    style = head_style(head)
    keys = np.arange(len(row)) + 0.5
    ax.barh(keys, row, height=0.72, facecolor=style.fill, edgecolor=style.strong, hatch=style.hatch)
    ax.set_xlim(0, max(1.0, float(row.max())) * 1.02)
    ax.set_ylim(len(row) + 1.1, -0.06)
    ax.set_xticks([0, 0.5, 1], ["0", ".5", "1"], fontsize=SMALL_TEXT, color=INK)
    ax.set_yticks(keys, [str(k) for k in range(len(row))], fontsize=SMALL_TEXT, color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_title(f"query {query}: {_sharpness(row)}", fontsize=SMALL_TEXT + 0.5, color=INK, loc="left")


def _sharpness(row: Array) -> str:
    if np.isclose(row.sum(), 1):
        return f"{float(effective_keys(row)):.1f} keys"
    return f"sum {row.sum():.2f}"


def _describe(weights: Array, divisor: float, query: int, axis: int, causal: bool) -> str:
    heads, rows, columns = weights.shape
    over = "keys" if axis == -1 else "queries"
    parts = [
        f"{heads} tables of attention weights, {rows} queries down and {columns} keys across, one for each head. "
        f"Scores divided by {divisor:.3g}, softmax over the {over}{', causal mask' if causal else ''}."
    ]
    for words, sums in (("Row sums", weights.sum(axis=2)), ("Column sums", weights.sum(axis=1))):
        low, high = float(sums.min()), float(sums.max())
        parts.append(f"{words} are all 1." if np.allclose(sums, 1) else f"{words} run from {low:.2f} to {high:.2f}.")
    for head in range(heads):
        row = weights[head, query]
        top = int(row.argmax())
        words = f"sums to {row.sum():.2f}"
        if np.isclose(row.sum(), 1):
            words = f"averages over about {float(effective_keys(row)):.1f} keys"
        parts.append(f"Head {head}, query {query}: most weight, {row[top]:.3f}, on key {top}; it {words}.")
    return " ".join(parts)


def _short(weight: float) -> str:
    """Two decimals without the leading zero: .97; 1 and 0 where that says it; a dash where there is exactly none."""
    if weight == 0:
        return "–"
    words = f"{weight:.2f}"
    return {"0.00": "0", "1.00": "1"}.get(words, words.removeprefix("0"))


def _shade(color: str, weight: float) -> tuple[float, float, float]:
    """Blend from white (weight 0) to ``color`` (weight 1)."""
    share = min(max(float(weight), 0.0), 1.0)
    strong = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (1 - share + share * part for part in strong)
    return red, green, blue


def _luminance(color: tuple[float, float, float]) -> float:
    """Relative luminance as the Web Content Accessibility Guidelines define it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
