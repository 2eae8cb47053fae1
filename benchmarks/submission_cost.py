"""How long one submission takes in a warm worker, and where the time goes.

    python benchmarks/submission_cost.py [--rounds 40] [--isolation bubblewrap]

To compare two commits, run it in a checkout of each, in turn, on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.assignment import read_assignment
from autograder.job import Job
from autograder.settings import load_settings
from autograder.worker import Worker, limits_of

ROOT = Path(__file__).resolve().parents[1]
ASSIGNMENT = "multi_head_attention"
SUBMISSIONS = {
    "right, calls the given functions": "ada",
    "right, attention from scratch": "dora",
    "wrong, a known mistake": "emil",
    "as released": "jonas",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--isolation", default="bubblewrap")
    options = parser.parse_args()
    settings = load_settings(ROOT)
    assignment = read_assignment(settings, ASSIGNMENT)
    worker = Worker(options.isolation, limits_of(settings))
    table = Table(title=f"milliseconds a submission, {options.rounds} rounds, {options.isolation}")
    for column in ("submission", "fastest", "median", "slowest"):
        table.add_column(column, justify="left" if column == "submission" else "right")
    for what, student in SUBMISSIONS.items():
        job = Job(student, assignment, ROOT / "examples" / "submitted" / student / ASSIGNMENT)
        worker.grade(job, settings)
        times = []
        for _ in range(options.rounds):
            started = time.perf_counter()
            worker.grade(job, settings)
            times.append(1000 * (time.perf_counter() - started))
        table.add_row(what, f"{min(times):.1f}", f"{statistics.median(times):.1f}", f"{max(times):.1f}")
    worker.close()
    Console().print(table)


if __name__ == "__main__":
    main()
