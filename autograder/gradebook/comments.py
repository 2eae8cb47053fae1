"""What the gradebook says below each solution cell, made of what its test cells said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from autograder.assignment import Assignment, Kind, SourceCell
from autograder.names import names_of
from autograder.results import CellResult
from autograder.wording import with_mistakes

NO_RESPONSE: Final = "No response."
"""nbgrader's own words for a solution cell that is as released."""
LINE: Final = "{cell} ({score:g} of {most:g}): {message}"


def tests_of(assignment: Assignment) -> dict[str, list[str]]:
    """Solution cell -> the test cells that are about it.

    A test cell is about the last solution above it of which it uses a name that it does not define itself, else about
    the last solution above it.
    """
    about: dict[str, list[str]] = {cell.key: [] for cell in assignment.solution_cells}
    above: list[SourceCell] = []
    for cell in assignment.cells:
        if cell.cell_type != "code":
            continue
        if cell.kind is Kind.SOLUTION:
            above.append(cell)
        elif cell.kind is Kind.TEST and above:
            names = names_of(cell.source)
            used = [solution for solution in above if solution.names.bound & (names.used - names.bound)]
            about[(used or above)[-1].key].append(cell.key)
    return about


def comments(
    assignment: Assignment,
    cells: Mapping[str, CellResult],
    untouched: frozenset[str],
    advice: Mapping[str, Sequence[str]],
) -> dict[str, str | None]:
    """The automatic comment of each solution cell; None where there is nothing to say.

    What the catalogue says of a function that it does not know stays out: students read comments, and a function
    that remembers its hidden calls could choose some of those numbers.

    Args:
        assignment: whose cells they are.
        cells: what each test cell found.
        untouched: the solution cells that are as released.
        advice: by solution cell, what could be better; said where nothing is wrong.
    """
    said: dict[str, str | None] = {}
    about = tests_of(assignment)
    for solution in assignment.solution_cells:
        if solution.key in untouched:
            said[solution.key] = NO_RESPONSE
            continue
        lines = []
        for key in about[solution.key]:
            cell = cells.get(key)
            if cell is None or not cell.message:
                continue
            message = with_mistakes(cell.message, cell.mistakes).replace("\0", "")
            lines.append(LINE.format(cell=key, score=cell.score, most=cell.max_score, message=message))
        said[solution.key] = "\n".join(lines or advice.get(solution.key, ())) or None
    return said
