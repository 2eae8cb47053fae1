"""Looks through a student version for what must not be in it: markers, hidden lines, lines of a solution."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from autograder.assignment import Assignment, Kind, text_of
from autograder.settings import Settings
from autograder.stubs import hidden_lines

TELLING: Final = 12
"""A line with fewer characters than this (``return x``, ``else:``) says nothing that must be kept."""
LONG: Final = 30
CODE: Final = frozenset("=([{@")
"""A line that is long or has one of these is looked for inside other lines too; others could stand in prose."""

FOUND: Final = "{file} shows {what} of cell '{cell}': {line}"
OUTPUT: Final = "{file} keeps an output of cell {number}"
HIDDEN: Final = "a hidden line"
SOLUTION: Final = "a line of the solution"
MARKER: Final = "a marker"


@dataclass(frozen=True, slots=True)
class Secret:
    """A line that must not be found, without its white space."""

    line: str
    what: str
    cell: str


def secrets_of(settings: Settings, assignment: Assignment) -> Iterator[Secret]:
    """The lines that a student must not get: hidden, or in a solution, and not shown to them elsewhere anyway."""
    version = settings.student_version
    shown = {line.strip() for cell in assignment.cells for line in cell.released.splitlines()}
    for cell in assignment.cells:
        hidden = hidden_lines(cell.source, version.begin_hidden, version.end_hidden)
        scheme = hidden_lines(cell.source, version.begin_scheme, version.end_scheme)
        solution: list[str] = []
        if cell.kind is Kind.SOLUTION:
            kept = set(cell.stub.splitlines())
            solution = [line for line in cell.source.splitlines() if line not in kept]
        for lines, what in ((hidden + scheme, HIDDEN), (solution, SOLUTION)):
            for line in dict.fromkeys(line.strip() for line in lines):
                if len("".join(line.split())) >= TELLING and line not in shown:
                    yield Secret(line, what, cell.key)
    for marker in (version.begin_hidden, version.end_hidden, version.begin_solution, version.end_solution):
        yield Secret(marker, MARKER, "any")
    yield Secret(version.begin_scheme, MARKER, "any")
    yield Secret(version.end_scheme, MARKER, "any")


def leaks_in(folder: Path, secrets: Iterable[Secret]) -> Iterator[str]:
    """Every secret that some file below ``folder`` shows, one clause each."""
    secrets = list(dict.fromkeys(secrets))
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        file = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".ipynb":
            notebook = json.loads(text)
            for number, cell in enumerate(notebook["cells"], 1):
                if cell.get("outputs"):
                    yield OUTPUT.format(file=file, number=number)
            # the sources as they are read, and all else (metadata, attachments) as it is written
            text = "\n".join([text, *(text_of(cell["source"]) for cell in notebook["cells"])])
        lines = {line.strip() for line in text.splitlines()}
        for secret in secrets:
            anywhere = secret.what == MARKER or len(secret.line) >= LONG or bool(CODE & set(secret.line))
            if secret.line in lines or (anywhere and secret.line in text):
                yield FOUND.format(file=file, what=secret.what, cell=secret.cell, line=secret.line[:60])
