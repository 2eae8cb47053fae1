"""The report in a terminal."""

from __future__ import annotations

from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .model import Kind, Trial
from .report import AuditReport

CAUGHT: Final = "■"
MISSED: Final = "·"
GOOD: Final = "The tests are good enough."
BAD: Final = "The tests are not good enough:"
PIPED_WIDTH: Final = 140


def show(report: AuditReport, console: Console | None = None) -> None:
    """Print the matrix, what stands out, and the verdict last, where it is read."""
    console = console or Console()
    if not console.is_terminal:
        console = Console(file=console.file, width=PIPED_WIDTH)
    parts: list[RenderableType] = [_cells(report), _matrix(report)]
    parts += [_survivors(report), _wrong_alarms(report), summary(report), verdict(report)]
    console.print(Group(*parts), highlight=False)


def summary(report: AuditReport) -> Text:
    """One line of counts."""
    mutants, right = report.of(Kind.MUTANT), report.of(Kind.RIGHT)
    mistakes = {trial.candidate.mistake for trial in report.of(Kind.MISTAKE)}
    missed = {trial.candidate.mistake for trial in report.missed}
    parts = [
        f"{len(mistakes) - len(missed)} of {len(mistakes)} known mistakes caught",
        f"{len(mutants) - len(report.survivors)} of {len(mutants)} mutants killed ({report.killed_share:.1%})",
        f"{len(right) - len(report.wrong_alarms)} of {len(right)} right answers with full marks",
    ]
    return Text(" · ".join(parts))


def verdict(report: AuditReport) -> Text:
    """Good enough, or what is wrong, one sentence a line."""
    if report.passed:
        return Text(GOOD, style="green")
    return Text("\n".join((BAD, *(f"- {fault}" for fault in report.faults))), style="red")


def _cells(report: AuditReport) -> Table:
    table = Table(title="Test cells", title_justify="left")
    for name in ("", "test cell"):
        table.add_column(name, overflow="fold")
    for name in ("points", "catches", "alone", "tells apart"):
        table.add_column(name, justify="right")
    table.add_column("why it stays", overflow="fold")
    for number, cell in enumerate(report.cells, start=1):
        caught = sum(cell.key in trial.lost for trial in report.wrong)
        alone = len(report.caught_alone[cell.key])
        table.add_row(
            str(number),
            cell.key,
            f"{cell.points:g}",
            str(caught),
            Text(str(alone), style="" if alone else "yellow"),
            str(report.tells_apart[cell.key]),
            report.settings.overlapping.get(cell.key, ""),
        )
    return table


def _matrix(report: AuditReport) -> RenderableType:
    """One line for all mistakes that the same cells catch; the columns are the test cells, in order."""
    if not report.patterns:
        return Text("No catalogue of known mistakes.")
    table = Table(title=f"Known mistakes: {CAUGHT} loses points in this test cell", title_justify="left", box=None)
    table.add_column("function", no_wrap=True)
    for number in range(1, len(report.cells) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    table.add_column("mistakes", overflow="fold")
    for (function, lost), trials in report.patterns.items():
        marks = (
            Text(CAUGHT, style="green") if cell.key in lost else Text(MISSED, style="dim") for cell in report.cells
        )
        names = ", ".join(trial.candidate.mistake for trial in trials)
        table.add_row(function, *marks, Text(names, style="" if lost else "bold red"))
    return table


def _survivors(report: AuditReport) -> RenderableType:
    if not report.survivors:
        return Text("No mutant survives.")
    table = Table(title="Mutants that lose no point", title_justify="left")
    table.add_column("mutant", overflow="fold", ratio=3)
    table.add_column("why it may", overflow="fold", ratio=2)
    for trial in report.survivors:
        reason = report.settings.equivalent.get(trial.candidate.id, "")
        table.add_row(trial.candidate.id, Text(reason or "no reason given", style="" if reason else "red"))
    return table


def _wrong_alarms(report: AuditReport) -> RenderableType:
    if not report.wrong_alarms:
        return Text("No right answer loses a point.")
    return Group(*(_alarm(trial) for trial in report.wrong_alarms))


def _alarm(trial: Trial) -> RenderableType:
    lines = [f"{key}: {trial.messages.get(key, 'no message')}" for key in sorted(trial.lost)]
    title = Text(f"Right, but loses points: {trial.candidate.id} ({trial.candidate.title})", style="red")
    return Group(title, Padding(Text("\n".join(lines)), (0, 0, 0, 2)))
