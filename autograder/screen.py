"""What the commands show in a terminal."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from autograder.doctor import Finding
from autograder.errors import ALL_GRADED, GRADER_FAILED, SOME_NEED_ATTENTION
from autograder.grading import Plan, grade_assignment
from autograder.results import Results, Status, Submission, versions
from autograder.writing import check_target, put_file

STDOUT: Final = Path("-")
STYLES: Final = {Status.GRADED: "green", Status.NEEDS_ATTENTION: "yellow", Status.GRADER_ERROR: "bold red"}
WORDS: Final = {
    Status.GRADED: "graded",
    Status.NEEDS_ATTENTION: "needs attention",
    Status.GRADER_ERROR: "grader error",
}
NO_ISOLATION: Final = "Without isolation a submission can read and change everything that you can."
PIPED_WIDTH: Final = 160
REMEMBERED_SECONDS: Final = 900.0
"""So far back the bar looks for the speed: longer than several submissions that use up all of their time."""


def harmless(text: str) -> str:
    """A text of a student's for a terminal: control and direction characters shown, not obeyed."""
    return "".join(
        letter if letter == " " or unicodedata.category(letter)[0] not in "CZ" else f"\\u{ord(letter):04x}"
        for letter in " ".join(text.split(" "))
    )


def grade_on_screen(run: Plan, json_file: Path | None) -> int:
    """Grade with a header, a progress bar and a table; give the exit status.

    The bar is drawn on a terminal alone. Where the document goes to stdout, all else goes to stderr.

    Raises:
        AutograderError: the document's file cannot be written, which is found out first; or as `grade_assignment`.
    """
    if json_file is not None and json_file != STDOUT:
        check_target(json_file)
    console = Console(stderr=json_file == STDOUT, soft_wrap=False)
    if not console.is_terminal:
        console = Console(stderr=json_file == STDOUT, width=PIPED_WIDTH)
    console.print(header(run), highlight=False)
    if run.isolation == "none":
        console.print(Text(NO_ISOLATION, style="bold red"))
    with progress_bar(console) as progress:
        task = progress.add_task("grading", total=len(run.handed))
        results = grade_assignment(run, lambda done, total: progress.update(task, completed=done, total=total))
    if json_file == STDOUT:
        sys.stdout.write(results.to_json())
    elif json_file is not None:
        put_file(json_file, results.to_json().encode())
    console.print(results_table(results))
    console.print(summary(results), highlight=False)
    return exit_status(results.submissions)


def progress_bar(console: Console, **options: Any) -> Progress:
    """A bar with the time that is left, drawn on a terminal alone; ``options`` go to rich's `Progress`."""
    columns = (
        TextColumn("grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    return Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=REMEMBERED_SECONDS,
        **options,
    )


def header(run: Plan) -> Text:
    """One line on what grades, in which isolation and with which versions."""
    found = versions()
    parts = [
        f"autograder {found['mha-autograder']}",
        f"{run.assignment.name}: {len(run.handed)} submissions",
        f"isolation {run.isolation}",
        f"{run.workers} worker{'s' if run.workers > 1 else ''}",
        f"Python {found['python']}",
        f"NumPy {found['numpy']}",
        f"nbgrader {found['nbgrader']}",
    ]
    return Text(" · ".join(parts))


def results_table(results: Results) -> Table:
    """The class, one line a student."""
    table = Table(title=results.assignment, title_justify="left")
    table.add_column("student", overflow="fold")
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("looks like", overflow="fold")
    table.add_column("notes", overflow="fold")
    for submission in results.submissions:
        score = "–" if submission.score is None else f"{submission.score:g} / {submission.max_score:g}"
        notes = "\n".join(harmless(note) for note in submission.notes)
        status = Text(WORDS[submission.status], style=STYLES[submission.status])
        mistakes = Text(", ".join(likeliest(submission)))
        table.add_row(Text(harmless(submission.student)), Text(score), status, mistakes, Text(notes))
    return table


def likeliest(submission: Submission) -> list[str]:
    """The known mistakes of a submission in words: of those that no input tells apart, the first alone."""
    first = [cell.mistakes[0] for cell in submission.cells.values() if cell.mistakes]
    return [mistake.replace("_", " ") for mistake in dict.fromkeys(first)]


def summary(results: Results) -> Text:
    """One line below the table."""
    scores = [submission.score for submission in results.submissions if submission.score is not None]
    parts = [f"{len(scores)} graded"]
    if scores:
        parts.append(f"mean {sum(scores) / len(scores):.2f}")
    for status in (Status.NEEDS_ATTENTION, Status.GRADER_ERROR):
        count = sum(submission.status is status for submission in results.submissions)
        if count:
            parts.append(f"{count} {WORDS[status]}")
    return Text(" · ".join(parts))


def exit_status(submissions: Sequence[Submission]) -> int:
    """0 all graded, 3 some need attention, 1 the grader failed."""
    found = {submission.status for submission in submissions}
    if Status.GRADER_ERROR in found:
        return GRADER_FAILED
    return SOME_NEED_ATTENTION if Status.NEEDS_ATTENTION in found else ALL_GRADED


def show_findings(findings: Sequence[Finding]) -> int:
    """Doctor's table; the exit status is 1 where something needed is missing."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPED_WIDTH)
    table = Table(show_header=False)
    for _ in range(3):
        table.add_column(overflow="fold")
    for finding in findings:
        mark = (
            Text("ok", style="green") if finding.ok else Text("MISSING" if finding.needed else "no", style="bold red")
        )
        table.add_row(mark, Text(finding.what), Text(harmless(finding.detail)))
    console.print(table)
    return GRADER_FAILED if any(finding.needed and not finding.ok for finding in findings) else ALL_GRADED
