"""Grades the same class with stock nbgrader and with this grader, and prints both times and their ratio.

Each round grades everything, start-up included; the median of the rounds counts. Both begin with the same fresh
gradebook, in which nbgrader's ``generate_assignment`` has put the assignment and nothing else. None of the submissions
times out. Run it with `make bench`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.scenarios import ASSIGNMENT, SOURCE, load_scenarios, write_submission  # noqa: E402
from tests.support.stock import make_stock_course, nbgrader  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        course = Path(folder)
        make_stock_course(course, {ASSIGNMENT: SOURCE.read_bytes()})
        hand_in(course, options.submissions)
        gradebook = course / "gradebook.db"
        template = gradebook.read_bytes()
        ours, theirs = [], []
        for _ in range(options.rounds):
            for times, run in (
                (ours, lambda: grade(course, options.workers)),
                (theirs, lambda: nbgrader(course, "autograde", "--force", ASSIGNMENT)),
            ):
                gradebook.write_bytes(template)
                times.append(timed(course, run))
    show(options, statistics.median(theirs), statistics.median(ours))


def hand_in(course: Path, count: int) -> None:
    """A class of right and wrong submissions, one after the other until there are enough."""
    scenarios = [*load_scenarios("honest"), *load_scenarios("mistaken")]
    every = max(len(scenarios) // count, 1)
    for number, scenario in enumerate(islice(cycle(scenarios[::every]), count)):
        write_submission(scenario, course / "submitted" / f"student-{number:03}" / ASSIGNMENT)


def timed(course: Path, run: Callable[[], object]) -> float:
    shutil.rmtree(course / "autograded", ignore_errors=True)
    shutil.rmtree(course / ".autograder", ignore_errors=True)
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def grade(course: Path, workers: int) -> None:
    command = [sys.executable, "-m", "autograder", "grade", ASSIGNMENT, "--force", "--workers", str(workers)]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def show(options: argparse.Namespace, theirs: float, ours: float) -> None:
    workers = "1 worker" if options.workers == 1 else f"{options.workers} workers"
    table = Table(title=f"{options.submissions} submissions, median of {options.rounds}")
    table.add_column("grader")
    table.add_column("seconds", justify="right")
    table.add_column("a submission", justify="right")
    for name, seconds in (("stock nbgrader autograde", theirs), (f"autograder grade, {workers}", ours)):
        table.add_row(name, f"{seconds:.1f}", f"{1000 * seconds / options.submissions:.0f} ms")
    console = Console()
    console.print(table)
    console.print(f"ratio: [bold]{theirs / ours:.1f}[/bold]")
    console.print("A worker has two submissions under way where there are two cores for it.")


if __name__ == "__main__":
    main()
