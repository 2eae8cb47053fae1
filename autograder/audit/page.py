"""The report as one HTML page that needs nothing beside it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.writing import put_file

from .model import Kind
from .report import AuditReport
from .terminal import summary

TEMPLATES: Final = Path(__file__).parent / "templates"
COLUMN: Final = 4
"""Width of one candidate in the picture, in its own units."""
ROW: Final = 20
LABELS: Final = 190
GAP: Final = 14
TOP: Final = 26


@dataclass(frozen=True, slots=True)
class Box:
    """A run of candidates next to each other that one test cell catches."""

    x: int
    y: int
    width: int


@dataclass(frozen=True, slots=True)
class Miss:
    """A candidate that no test cell catches."""

    x: int
    excused: bool
    """Whether a reason says why that may be."""


@dataclass(frozen=True, slots=True)
class Group:
    """The candidates that change one function, side by side in the picture."""

    name: str
    x: int
    width: int
    count: int


@dataclass(frozen=True, slots=True)
class Picture:
    """The matrix drawn: a row for each test cell, a column for each candidate."""

    width: int
    height: int
    labels: tuple[tuple[int, str], ...]
    groups: tuple[Group, ...]
    boxes: tuple[Box, ...]
    missed: tuple[Miss, ...]
    description: str


def picture(report: AuditReport, kind: Kind, what: str) -> Picture:
    """Draw the matrix of the candidates of a kind."""
    trials = report.in_order(kind)
    keys = [cell.key for cell in report.cells]
    groups, boxes, missed = [], [], []
    x = LABELS
    functions = list(dict.fromkeys(trial.candidate.function for trial in trials))
    for function in functions:
        own = [trial for trial in trials if trial.candidate.function == function]
        groups.append(Group(function, x, COLUMN * len(own), len(own)))
        for row, key in enumerate(keys):
            place = 0
            for caught, run in groupby(own, lambda trial, key=key: key in trial.lost):
                length = len(list(run))
                if caught:
                    boxes.append(Box(x + COLUMN * place, TOP + ROW * row, COLUMN * length))
                place += length
        excused = report.settings.equivalent
        missed += [
            Miss(x + COLUMN * place, trial.candidate.id in excused)
            for place, trial in enumerate(own)
            if not trial.caught
        ]
        x += COLUMN * len(own) + GAP
    caught = sum(trial.caught for trial in trials)
    return Picture(
        width=x,
        height=TOP + ROW * len(keys) + ROW,
        labels=tuple((TOP + ROW * row, key) for row, key in enumerate(keys)),
        groups=tuple(groups),
        boxes=tuple(boxes),
        missed=tuple(missed),
        description=f"{caught} of {len(trials)} {what} lose points in at least one of {len(keys)} test cells. "
        "The tables below hold the same in words.",
    )


def page(report: AuditReport) -> str:
    """The whole page."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    about: dict[str, list[str]] = {}
    for cell, mistakes in report.settings.about.items():
        for mistake in mistakes:
            about.setdefault(mistake, []).append(cell)
    mistakes, mutants = report.of(Kind.MISTAKE), report.of(Kind.MUTANT)
    pictures = [
        (title, picture(report, kind, title.lower()))
        for title, kind in (("Known mistakes", Kind.MISTAKE), ("Mutants", Kind.MUTANT))
        if report.of(kind)
    ]
    return environment.get_template("audit.html.j2").render(
        report=report,
        summary=summary(report).plain,
        mistakes=mistakes,
        mutants=mutants,
        right=report.of(Kind.RIGHT),
        about=about,
        pictures=pictures,
        column=COLUMN,
        row=ROW,
        top=TOP,
        catches={cell.key: sum(cell.key in trial.lost for trial in report.wrong) for cell in report.cells},
        numbers={cell.key: number for number, cell in enumerate(report.cells, start=1)},
    )


def write_page(report: AuditReport, path: Path) -> None:
    """Write the page.

    Raises:
        GraderFailure: the file cannot be written.
    """
    put_file(path, page(report).encode())
