"""A small course in a temporary folder: two functions with tests, and a written answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from autograder.assignment import Assignment, read_assignment
from autograder.engine.model import Outcome, TestOutcome
from autograder.settings import Settings, load_settings

NAME: Final = "sums"
CONFIG: Final = """
c = get_config()
c.CourseDirectory.course_id = "small"
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\\n..."}
"""

ADD: Final = '''def add(a, b):
    """The sum."""
    ### BEGIN SOLUTION
    total_of_both = a + b
    return total_of_both
    ### END SOLUTION'''
DOUBLE: Final = """def double(a):
    ### BEGIN SOLUTION
    return add(a, a) + 0 * 1
    ### END SOLUTION"""
TEST_ADD: Final = """assert add(1, 2) == 3, "add(1, 2) is 3"
### BEGIN HIDDEN TESTS
assert add(40, 2) == 42, "add does not add large numbers"
### END HIDDEN TESTS"""
TEST_DOUBLE: Final = """def add(a, b):
    return a + b
assert double(1) == 2, "double(1) is 2"
### BEGIN HIDDEN TESTS
assert double(21) == 42, "double does not double"
### END HIDDEN TESTS"""


def marks(grade_id: str, *, grade: bool = False, solution: bool = False, locked: bool = False, **more: Any) -> dict:
    """nbgrader's metadata of a cell."""
    found = {"grade_id": grade_id, "grade": grade, "solution": solution, "locked": locked, "schema_version": 3}
    return found | {"task": False} | more


def cell(kind: str, cell_id: str, source: str, nbgrader: dict | None = None, tags: list[str] | None = None) -> dict:
    """A cell as it stands in a file."""
    metadata: dict[str, Any] = {}
    if nbgrader:
        metadata["nbgrader"] = nbgrader
    if tags:
        metadata["tags"] = tags
    made: dict[str, Any] = {"cell_type": kind, "id": cell_id, "metadata": metadata, "source": source}
    if kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made


def source_cells() -> list[dict[str, Any]]:
    """The source notebook's cells."""
    return [
        cell("markdown", "title", "# Sums"),
        cell("code", "setup", "import math\nBASE = 10", marks("setup", locked=True)),
        cell("code", "add", ADD, marks("add", solution=True)),
        cell("code", "try-add", "# Try it here"),
        cell("code", "check-add", "print(add(1, 1))", marks("check_add", locked=True), ["check"]),
        cell("code", "test-add", TEST_ADD, marks("test_add", grade=True, locked=True, points=3)),
        cell("code", "double", DOUBLE, marks("double", solution=True)),
        cell("code", "test-double", TEST_DOUBLE, marks("test_double", grade=True, locked=True, points=2)),
        cell("markdown", "why", "Because.", marks("why", grade=True, solution=True, points=4)),
    ]


def notebook(cells: list[dict[str, Any]], kernel: str | None = "python3") -> dict[str, Any]:
    """A whole notebook file."""
    metadata: dict[str, Any] = {"language_info": {"name": "python"}}
    if kernel:
        metadata["kernelspec"] = {"display_name": kernel, "language": "python", "name": kernel}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


@dataclass(frozen=True, slots=True)
class Course:
    """A course folder to grade in."""

    root: Path

    @property
    def settings(self) -> Settings:
        return load_settings(self.root)

    @property
    def assignment(self) -> Assignment:
        return read_assignment(self.settings, NAME)

    @property
    def source(self) -> Path:
        return self.root / "source" / NAME / f"{NAME}.ipynb"

    def folder(self, student: str) -> Path:
        return self.root / "submitted" / student / NAME

    def released(self) -> list[dict[str, Any]]:
        """The cells as a student gets them."""
        return [
            cell(
                own.cell_type,
                own.cell_id,
                own.released,
                dict(own.metadata.get("nbgrader", {})),
                sorted(own.tags),
            )
            for own in self.assignment.cells
        ]

    def answered(self, **answers: str) -> list[dict[str, Any]]:
        """The released cells with these sources, by the id of the cell (``_`` for ``-``)."""
        cells = self.released()
        for made in cells:
            made["source"] = answers.get(made["id"].replace("-", "_"), made["source"])
        return cells

    def hand_in(
        self, student: str, cells: list[dict[str, Any]] | bytes, name: str = f"{NAME}.ipynb", **files: str
    ) -> Path:
        """Write a submission and give its folder."""
        folder = self.folder(student)
        folder.mkdir(parents=True, exist_ok=True)
        raw = cells if isinstance(cells, bytes) else json.dumps(notebook(cells)).encode()
        (folder / name).write_bytes(raw)
        for file, text in files.items():
            (folder / file.replace("_txt", ".txt")).write_text(text, encoding="utf-8")
        return folder


RIGHT: Final = {
    "add": "def add(a, b):\n    return a + b",
    "double": "def double(a):\n    return 2 * a",
    "why": "Since it is so.",
}


def make_course(root: Path, cells: list[dict[str, Any]] | None = None, config: str = CONFIG) -> Course:
    """Write the course below ``root``."""
    folder = root / "source" / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(config, encoding="utf-8")
    (folder / f"{NAME}.ipynb").write_text(json.dumps(notebook(cells or source_cells())), encoding="utf-8")
    return Course(root)


def outcome(add: float = 3.0, double: float = 2.0, notes: tuple[str, ...] = ()) -> Outcome:
    """What an engine could have found."""
    tests = {
        "test_add": TestOutcome(add, 3.0, "" if add == 3 else "add does not add", [] if add == 3 else ["adds_wrongly"]),
        "test_double": TestOutcome(double, 2.0, "" if double == 2 else "double does not double"),
    }
    outputs = {"setup": [{"output_type": "stream", "name": "stdout", "text": "hello\nyou\n"}]}
    return Outcome(tests=tests, outputs=outputs, notes=list(notes))
