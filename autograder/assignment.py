"""An assignment as its source notebook says: the skeleton that every submission is rebuilt on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from autograder.errors import CourseError
from autograder.names import Names, names_of
from autograder.settings import Settings
from autograder.stubs import StubError, checksum, clear_hidden, clear_scheme, clear_solution, locks

CHECK_TAG: Final = "check"
"""A cell with this tag helps the student while working and is not run when grading."""
SCHEMA_VERSION: Final = 3
KNOWN_FORMAT: Final = 4
OTHER_FORMAT: Final = "nbformat {version} instead of 4"
NO_NOTEBOOK: Final = "a list or dictionary is missing where a notebook has one"
LEAVINGS: Final = frozenset({".ipynb_checkpoints", "__pycache__", ".DS_Store"})
"""What programs leave in a folder, and nobody gives out."""


class Kind(StrEnum):
    """What a source cell is for."""

    SOLUTION = "solution"
    """The student writes here; graded by test cells, or by hand where it has points of its own."""
    TEST = "test"
    LOCKED = "locked"
    TASK = "task"
    """A text with points for what the student does in cells of their own; graded by hand."""
    GIVEN = "given"
    """Unmarked: the student may change it, and then it is theirs."""


@dataclass(frozen=True, slots=True)
class SourceCell:
    """One cell of the skeleton."""

    key: str
    """Unique in the notebook: the grade_id where there is one, else the cell's id."""
    kind: Kind
    cell_type: str
    source: str
    """In full, with solution and hidden tests."""
    stub: str
    """Without the solution, with the hidden tests: what nbgrader's database keeps."""
    released: str
    """What the student got."""
    points: float
    tags: frozenset[str]
    names: Names
    metadata: dict[str, Any]
    """As in the student's version, with the checksum of ``stub``; without outputs."""
    cell_id: str

    @property
    def by_hand(self) -> bool:
        """Whether its points are given by a person."""
        marks = self.metadata.get("nbgrader", {})
        return self.kind is Kind.TASK or bool(self.kind is Kind.SOLUTION and marks.get("grade"))

    @property
    def marked(self) -> bool:
        return self.kind is not Kind.GIVEN


@dataclass(frozen=True, slots=True)
class Assignment:
    """All that grading needs of an assignment; plain data, so that a worker process can have it."""

    name: str
    notebook: str
    """The notebook's name without ``.ipynb``."""
    cells: tuple[SourceCell, ...]
    metadata: dict[str, Any]
    """The notebook's own: kernelspec and language."""
    nbformat_minor: int
    files: tuple[tuple[str, Path], ...] = ()
    """Files that lie beside the source notebook and that students get too: relative name, path."""
    fingerprint: str = ""
    """Changes with the source notebook and with the files beside it."""
    functions: frozenset[str] = field(default=frozenset())
    data: frozenset[str] = field(default=frozenset())

    @property
    def test_cells(self) -> tuple[SourceCell, ...]:
        return tuple(cell for cell in self.cells if cell.kind is Kind.TEST and cell.cell_type == "code")

    @property
    def solution_cells(self) -> tuple[SourceCell, ...]:
        return tuple(cell for cell in self.cells if cell.kind is Kind.SOLUTION)

    @property
    def max_score(self) -> float:
        """The points that test cells give; those given by hand come on top."""
        return sum(cell.points for cell in self.test_cells)


def assignment_folder(settings: Settings, name: str) -> Path:
    """The source folder of an assignment.

    Raises:
        CourseError: the name is none, or there is no such folder.
    """
    if not name or name in {".", ".."} or any(mark in name for mark in "/\\+\0"):
        raise CourseError.bad_name(name, settings.source)
    folder = settings.source / name
    if not folder.is_dir():
        choices = [entry.name for entry in settings.source.iterdir() if entry.is_dir() and entry.name[0] != "."]
        raise CourseError.no_such_assignment(name, settings.source, choices)
    return folder


def source_notebooks(folder: Path) -> list[Path]:
    """The notebooks that lie directly in a source folder."""
    return sorted(path for path in folder.iterdir() if path.suffix == ".ipynb" and path.is_file())


def read_assignment(settings: Settings, name: str) -> Assignment:
    """Read ``source/<name>/<its one notebook>.ipynb``.

    Raises:
        CourseError: no such assignment, not exactly one notebook, or a notebook that cannot be graded by.
    """
    folder = assignment_folder(settings, name)
    notebooks = source_notebooks(folder)
    if not notebooks:
        raise CourseError.no_notebook(folder)
    if len(notebooks) > 1:
        raise CourseError.several_notebooks(folder, [path.name for path in notebooks])
    return read_source(settings, name, notebooks[0])


def read_source(settings: Settings, name: str, path: Path) -> Assignment:
    """Read one source notebook of the assignment ``name``.

    Raises:
        CourseError: the notebook cannot be read, or a cell of it makes no sense.
    """
    try:
        raw = path.read_bytes()
        notebook = json.loads(raw)
        raw_cells = notebook["cells"]
        minor = int(notebook["nbformat_minor"])
        if notebook["nbformat"] != KNOWN_FORMAT:
            raise ValueError(OTHER_FORMAT.format(version=notebook["nbformat"]))
        if not _has_form(notebook):
            raise ValueError(NO_NOTEBOOK)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise CourseError.unreadable_source(path, f"{type(error).__name__}: {error}") from error
    cells: list[SourceCell] = []
    keys: set[str] = set()
    for index, raw_cell in enumerate(raw_cells):
        cell = _source_cell(settings, path, index, raw_cell, keys)
        keys.add(cell.key)
        cells.append(cell)
    functions: frozenset[str] = frozenset()
    data: frozenset[str] = frozenset()
    for cell in cells:
        if cell.kind is Kind.SOLUTION and cell.cell_type == "code":
            functions |= cell.names.functions
            data |= cell.names.data
    files = _files_beside(path.parent)
    digest = hashlib.sha256(raw)
    for relative, file in files:
        digest.update(f"\0{relative}\0{file.stat().st_size}\0".encode() + file.read_bytes())
    return Assignment(
        name=name,
        notebook=path.stem,
        cells=tuple(cells),
        metadata={key: value for key, value in notebook.get("metadata", {}).items() if key != "celltoolbar"},
        nbformat_minor=minor,
        files=files,
        fingerprint=digest.hexdigest(),
        functions=functions,
        data=data - functions,
    )


def text_of(source: Any) -> str:
    """A cell's text, which a notebook file may hold as a text or as a list of lines."""
    if isinstance(source, str):
        return source
    return "".join(line for line in source if isinstance(line, str)) if isinstance(source, list) else ""


def _has_form(notebook: dict[str, Any]) -> bool:
    """Whether lists and dictionaries stand where a notebook has them."""
    cells = notebook["cells"]
    if not isinstance(cells, list) or not isinstance(notebook.get("metadata", {}), dict):
        return False
    metadata = [cell.get("metadata", {}) if isinstance(cell, dict) else None for cell in cells]
    return all(isinstance(one, dict) and isinstance(one.get("nbgrader", {}), dict) for one in metadata)


def _source_cell(settings: Settings, path: Path, index: int, raw: dict[str, Any], keys: set[str]) -> SourceCell:
    source = text_of(raw.get("source", ""))
    cell_type = raw.get("cell_type", "")
    metadata = dict(raw.get("metadata", {}))
    marks = dict(metadata.get("nbgrader", {}))
    kind = _kind(marks)
    cell_id = str(raw.get("id", "")) or f"cell-{index + 1}"
    key = str(marks.get("grade_id", "")) if kind is not Kind.GIVEN else cell_id
    if not key or key in keys:
        reason = "two cells have this grade_id" if key else "its grade_id is empty"
        if kind is not Kind.GIVEN:
            raise CourseError.bad_cell(path, key or cell_id, reason)
        key = f"{cell_id}-{index + 1}"
    version = settings.student_version
    try:
        stub = clear_solution(source, cell_type, bool(marks.get("solution")), version)
        released = clear_hidden(stub, bool(marks.get("grade")), version)
        released = clear_scheme(released, bool(marks.get("task")), version)
        points = float(marks.get("points", 0)) if marks.get("grade") or marks.get("task") else 0.0
    except (StubError, TypeError, ValueError) as error:
        raise CourseError.bad_cell(path, key, error) from error
    names = names_of(source) if cell_type == "code" else Names()
    if kind is Kind.SOLUTION and cell_type == "code" and names == Names() and source.strip():
        raise CourseError.bad_cell(path, key, "its solution is not plain Python that binds or uses a name")
    if kind is not Kind.GIVEN:
        marks["schema_version"] = SCHEMA_VERSION
        marks.setdefault("task", False)
        if kind is not Kind.TASK or marks.get("locked"):
            marks["checksum"] = checksum(stub, cell_type, marks)
            marks["cell_type"] = cell_type
        metadata["nbgrader"] = marks
    metadata |= locks(marks, version)
    tags = frozenset(tag for tag in metadata.get("tags", []) if isinstance(tag, str))
    return SourceCell(key, kind, cell_type, source, stub, released, points, tags, names, metadata, cell_id)


def _kind(marks: dict[str, Any]) -> Kind:
    if marks.get("solution"):
        return Kind.SOLUTION
    if marks.get("grade"):
        return Kind.TEST
    if marks.get("task"):
        return Kind.TASK
    return Kind.LOCKED if marks.get("locked") else Kind.GIVEN


def _files_beside(folder: Path) -> tuple[tuple[str, Path], ...]:
    found = []
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and path.suffix != ".ipynb" and LEAVINGS.isdisjoint(relative.parts):
            found.append((relative.as_posix(), path))
    return tuple(found)
