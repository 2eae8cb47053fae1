"""``autograder audit``: tries the tests, shows the report, and says by the exit status whether they are good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.errors import ALL_GRADED, SettingsError
from autograder.settings import load_settings
from autograder.writing import check_target

from .audit import audit
from .page import write_page
from .terminal import show

NOT_GOOD_ENOUGH: Final = 1
"""The exit status where the tests do not pass."""
WRITTEN: Final = "The page is {path}."


def run(course_dir: Path, assignment: str, html: Path | None = None, workers: int | None = None) -> int:
    """Audit an assignment and give the exit status: 0 good enough, 1 not.

    Args:
        course_dir: the course folder.
        assignment: the name of a folder in ``source/``.
        html: where the page goes; None writes none.
        workers: how many candidates are tried at the same time; None: as the course says.

    Raises:
        AutograderError: the audit could not be made.
    """
    if workers is not None and workers < 1:
        raise SettingsError.bad_workers(workers)
    if html is not None:
        check_target(html)
    settings = load_settings(course_dir)
    console = Console()
    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("auditing", total=None)
        report = audit(
            settings,
            assignment,
            workers=workers,
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    show(report, console)
    if html is not None:
        write_page(report, html)
        console.print(WRITTEN.format(path=html), highlight=False, soft_wrap=True)
    return ALL_GRADED if report.passed else NOT_GOOD_ENOUGH
