"""What a student gets of a source cell: nbgrader's clearing, locking and checksum, on plain data.

The functions give what nbgrader's preprocessors of those names give (a test compares them), without the seconds that
importing those takes.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from autograder.settings import StudentVersion


class StubError(ValueError):
    """A source cell's markers do not fit together; the text says how."""


def clear_solution(source: str, cell_type: str, is_solution: bool, version: StudentVersion) -> str:
    """The cell with its solution regions, or where it has none all of it, replaced by the stub.

    Raises:
        StubError: markers nested, left open, or in a cell that is no solution cell.
    """
    stub = version.code_stub if cell_type == "code" else version.text_stub
    cleared, found = _without_regions(
        source, version.begin_solution, version.end_solution, "solution", stub.split("\n")
    )
    if found and not is_solution:
        raise StubError("a solution region stands in a cell that is not a solution cell")
    return stub if is_solution and not found else cleared


def clear_hidden(source: str, is_grade: bool, version: StudentVersion) -> str:
    """The cell without its hidden tests.

    Raises:
        StubError: markers nested, left open, or in a cell that is not graded.
    """
    cleared, found = _without_regions(source, version.begin_hidden, version.end_hidden, "hidden tests", [])
    if found and not is_grade:
        raise StubError("hidden tests stand in a cell that is not a test cell")
    return cleared


def clear_scheme(source: str, is_task: bool, version: StudentVersion) -> str:
    """The cell without its marking scheme.

    Raises:
        StubError: markers nested, left open, or in a cell that is no task.
    """
    cleared, found = _without_regions(source, version.begin_scheme, version.end_scheme, "marking scheme", [])
    if found and not is_task:
        raise StubError("a marking scheme stands in a cell that is not a task")
    return cleared


def _without_regions(source: str, begin: str, end: str, what: str, stub: list[str]) -> tuple[str, bool]:
    kept: list[str] = []
    inside = found = False
    for line in source.split("\n"):
        if begin in line:
            if inside:
                raise StubError(f"a region of {what} begins inside another")
            inside = found = True
            indent = re.match(r"\s*", line)
            kept += [(indent.group(0) if indent else "") + stub_line for stub_line in stub]
        elif end in line:
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise StubError(f"a region of {what} has no end")
    return "\n".join(kept), found


def hidden_lines(source: str, begin: str, end: str) -> list[str]:
    """The lines between the markers, without them."""
    lines: list[str] = []
    inside = False
    for line in source.split("\n"):
        if begin in line:
            inside = True
        elif end in line:
            inside = False
        elif inside:
            lines.append(line)
    return lines


def is_locked(marks: dict[str, Any]) -> bool:
    """nbgrader's notion of a cell that is overwritten from the source; ``marks`` is its nbgrader metadata."""
    if not marks or marks.get("solution"):
        return False
    return bool(marks.get("grade") or marks.get("locked"))


def locks(marks: dict[str, Any], version: StudentVersion) -> dict[str, bool]:
    """The notebook metadata that keeps a student from deleting or editing the cell, as nbgrader's LockCells sets it."""
    solution, grade = bool(marks.get("solution")), bool(marks.get("grade"))
    fixed = {"deletable": False, "editable": False}
    if solution and (version.lock_solution_cells or (grade and version.lock_grade_cells)):
        return {"deletable": False}
    if version.lock_grade_cells and grade and not solution:
        return fixed
    if version.lock_readonly_cells and is_locked(marks):
        return fixed
    return fixed if version.lock_all_cells else {}


def checksum(source: str, cell_type: str, marks: dict[str, Any]) -> str:
    """nbgrader's checksum of a cell."""
    grade = marks.get("grade", False)
    parts = [source, cell_type, str(grade), str(marks.get("solution", False)), str(is_locked(marks)), marks["grade_id"]]
    if grade:
        parts.append(str(float(marks["points"])))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()
