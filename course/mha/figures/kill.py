"""Which inputs catch which bug, and the smallest catch so far.

The figure of lesson 5.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from mha.bugs import BUGS, Attempt
from mha.figures.style import EDGE, INK, Picture, new_figure

__all__ = ["kill_matrix", "smallest_catches"]

CAUGHT, MISSED = "#d5ecd4", "white"


def smallest_catches(attempts: Sequence[Attempt]) -> dict[str, int]:
    """The attempt that caught each bug with the fewest numbers.

    Args:
        attempts: the inputs tried.

    Returns:
        For each bug that was caught, by name, the place of that attempt in ``attempts``.
    """
    best: dict[str, int] = {}
    for place, attempt in enumerate(attempts):
        for name, found in attempt.found.items():
            if found.caught and (name not in best or found.numbers < attempts[best[name]].found[name].numbers):
                best[name] = place
    return best


def kill_matrix(attempts: Sequence[Attempt]) -> Picture:
    """Draw the table of inputs by bugs: caught or not, the largest error, how many numbers it took.

    Args:
        attempts: the inputs tried, one row each.

    Returns:
        The figure and its description; the smallest catch of each bug has a thick border and a star.
    """
    best = smallest_catches(attempts)
    fig = new_figure(8.2, 1.5 + 0.62 * (len(attempts) + 1))
    ax = fig.subplots()
    for column, bug in enumerate(BUGS):
        ax.text(column + 0.5, -0.12, bug.name, ha="center", va="bottom", fontsize=12, fontweight="bold")
        for row, attempt in enumerate(attempts):
            _draw_cell(ax, column, row, attempt, bug.name, best.get(bug.name) == row)
        place = best.get(bug.name)
        smallest = "not caught yet" if place is None else f"{attempts[place].found[bug.name].numbers} numbers"
        ax.text(column + 0.5, len(attempts) + 0.5, smallest, ha="center", va="center", fontsize=11)
    names = [f"B={a.B}  T={a.T}  h={a.h}  hs={a.hs}" for a in attempts]
    ax.set_yticks([row + 0.5 for row in range(len(attempts) + 1)], [*names, "smallest catch so far"])
    ax.set_xticks([])
    ax.set_xlim(0, len(BUGS))
    ax.set_ylim(len(attempts) + 0.8, 0)
    ax.tick_params(length=0, colors=INK)
    ax.spines[:].set_visible(False)
    fig.suptitle(f"{len(best)} of {len(BUGS)} bugs caught", fontsize=13, fontweight="bold", color=INK)
    return Picture(fig, _describe(attempts, best))


def _describe(attempts: Sequence[Attempt], best: dict[str, int]) -> str:
    rows = []
    for a in attempts:
        caught = [name for name, found in a.found.items() if found.caught]
        rows.append(f"B={a.B}, T={a.T}, h={a.h}, hs={a.hs} catches {', '.join(caught) or 'none'}")
    smallest = [
        f"{bug.name} with {attempts[best[bug.name]].found[bug.name].numbers} numbers"
        for bug in BUGS
        if bug.name in best
    ]
    return (
        f"Table of inputs by the four bugs. {'; '.join(rows)}. "
        f"{len(best)} of {len(BUGS)} caught; smallest catch so far: {', '.join(smallest) or 'none'}."
    )


def _draw_cell(ax: Axes, column: int, row: int, attempt: Attempt, name: str, smallest: bool) -> None:
    found = attempt.found[name]
    ax.add_patch(
        Rectangle(
            (column + 0.04, row + 0.06),
            0.92,
            0.88,
            facecolor=CAUGHT if found.caught else MISSED,
            edgecolor=INK if smallest else EDGE,
            linewidth=3 if smallest else 0.6,
        )
    )
    mark = "✓" if found.caught else "✗"
    star = " ★" if smallest else ""
    text = f"{mark} off by {found.error:.2g}{star}" if found.caught else f"{mark} no difference"
    ax.text(column + 0.5, row + 0.36, text, ha="center", va="center", fontsize=11)
    ax.text(column + 0.5, row + 0.72, f"{found.numbers} numbers", ha="center", va="center", fontsize=9)
