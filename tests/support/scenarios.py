"""Submissions kept as folders of code: loading them, and building the notebook a student would have handed in.

The format is described in ``tests/scenarios/README.md``.
"""

from __future__ import annotations

import copy
import json
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import nbformat
from nbformat import NotebookNode

ROOT: Final = Path(__file__).resolve().parents[2]
SCENARIOS: Final = ROOT / "tests" / "scenarios"
ASSIGNMENT: Final = "multi_head_attention"
RELEASED: Final = ROOT / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
SOURCE: Final = ROOT / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"

EXTRA: Final = "extra"
FIRST: Final = "setup"
"""An extra cell that stands before every other one of its file goes below this cell."""

_HEADER = re.compile(r"^# %%[ \t]+(?P<name>\S+)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StudentCell:
    """A cell that the student wrote: the ``grade_id`` of the cell it fills, or ``extra``."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """One submission and what it should get."""

    kind: str
    name: str
    folder: Path
    expected: dict[str, Any]
    """``expected.json`` as it stands."""
    cells: tuple[StudentCell, ...]
    """Those of ``solution.py``, in its order; none where the folder brings a file that is ready to hand in."""
    ready: bytes | None
    """The bytes of ``submission.ipynb`` where there is one: handed in as they are."""
    files: Path | None
    """The folder with further files to hand in, where there is one."""

    @property
    def behaviour(self) -> str:
        """What the submission does, in one sentence."""
        return str(self.expected["behaviour"])

    @property
    def lost(self) -> frozenset[str]:
        """The ``grade_id`` of every test cell that earns nothing."""
        return frozenset(self.expected["lost"])

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


def load_scenarios(kind: str) -> list[Scenario]:
    """All scenarios of a kind, by name.

    Raises:
        FileNotFoundError: if there is no such kind, or a scenario lacks ``expected.json``.
        ValueError: if a scenario is empty, says two things, or its ``solution.py`` does not start with a header.
    """
    folders = sorted(
        folder for folder in (SCENARIOS / kind).iterdir() if folder.is_dir() and folder.name[0] not in "._"
    )
    return [load_scenario(folder) for folder in folders]


def load_scenario(folder: Path) -> Scenario:
    """One scenario's folder; errors as in `load_scenarios`."""
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    code, ready, files = folder / "solution.py", folder / "submission.ipynb", folder / "files"
    if code.exists() and ready.exists():
        raise ValueError(f"{folder} has both solution.py and submission.ipynb: which of them is handed in?")
    if not (code.exists() or ready.exists() or files.is_dir()):
        raise ValueError(f"{folder} has nothing to hand in.")
    return Scenario(
        kind=folder.parent.name,
        name=folder.name,
        folder=folder,
        expected=expected,
        cells=_cells_of(code) if code.exists() else (),
        ready=ready.read_bytes() if ready.exists() else None,
        files=files if files.is_dir() else None,
    )


def submission_notebook(scenario: Scenario) -> NotebookNode:
    """The student version with the scenario's cells filled in.

    An extra cell stands below the cell that precedes it in ``solution.py``.

    Raises:
        ValueError: if the scenario has no ``solution.py``, or names a cell that the student cannot write in.
    """
    if not scenario.cells:
        raise ValueError(f"{scenario} is handed in as it is; there is no notebook to build.")
    notebook = copy.deepcopy(_released())
    place = _index(notebook, FIRST, scenario)
    for number, cell in enumerate(scenario.cells, start=1):
        if cell.name == EXTRA:
            place += 1
            notebook.cells.insert(place, nbformat.v4.new_code_cell(cell.source, id=f"extra-{number}"))
            continue
        place = _index(notebook, cell.name, scenario)
        target = notebook.cells[place]
        if not target.metadata["nbgrader"]["solution"]:
            raise ValueError(f"{scenario} writes in {cell.name}, which is not a cell of the student's.")
        target.source = cell.source if target.cell_type == "code" else _uncommented(cell.source)
    return notebook


def write_submission(scenario: Scenario, folder: Path, name: str = f"{ASSIGNMENT}.ipynb") -> Path:
    """Lay the scenario out as a student's folder and return the notebook's path (which may not exist: no notebook)."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if scenario.ready is not None:
        path.write_bytes(scenario.ready)
    elif scenario.cells:
        nbformat.write(submission_notebook(scenario), path)
    if scenario.files is not None:
        shutil.copytree(scenario.files, folder, symlinks=True, dirs_exist_ok=True)
    return path


def _cells_of(path: Path) -> tuple[StudentCell, ...]:
    text = path.read_text(encoding="utf-8")
    headers = list(_HEADER.finditer(text))
    if not headers or text[: headers[0].start()].strip():
        raise ValueError(f"{path} does not start with a header such as '# %% concat_heads'.")
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return tuple(
        StudentCell(header["name"], text[header.end() : end].strip("\n"))
        for header, end in zip(headers, ends, strict=True)
    )


def _uncommented(text: str) -> str:
    """A text cell stands in ``solution.py`` as comments, so that the file stays Python."""
    return "\n".join(line.removeprefix("#").removeprefix(" ") for line in text.split("\n"))


def _index(notebook: NotebookNode, grade_id: str, scenario: Scenario) -> int:
    for index, cell in enumerate(notebook.cells):
        if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id:
            return index
    raise ValueError(f"{scenario} names a cell that the student version does not have: {grade_id}")


@cache
def _released() -> NotebookNode:
    return nbformat.read(RELEASED, as_version=4)
