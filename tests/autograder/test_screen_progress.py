"""What the progress bar says of the time that is left."""

from __future__ import annotations

import io

from rich.console import Console

from autograder.screen import progress_bar


def test_the_time_left_is_known_while_every_submission_uses_up_its_minute() -> None:
    now = 0.0
    bar = progress_bar(Console(file=io.StringIO(), force_terminal=True), get_time=lambda: now)
    task = bar.add_task("grading", total=12)
    for done in range(1, 5):
        now = 60.0 * done
        bar.update(task, completed=done)
    assert bar.tasks[0].time_remaining == 8 * 60
