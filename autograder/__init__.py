"""Grades nbgrader assignments in a sandbox: hidden tests never share a process with a student's code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.single import grade

__all__ = ["grade"]


def __getattr__(name: str) -> Any:
    # grading needs NumPy and more, which `autograder --help` must not wait for
    if name == "grade":
        from autograder.single import grade

        return grade
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
