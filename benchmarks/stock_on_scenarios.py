"""Grades scenarios with stock nbgrader, each in a run of its own, and says where its points differ from the right ones.

Only submissions that cannot harm the machine are run, since stock nbgrader confines nothing: all broken ones, and
those hostile ones that want points and nothing else.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.scenarios import ASSIGNMENT, SOURCE, Scenario, load_scenarios, write_submission  # noqa: E402
from tests.support.stock import make_stock_course, scores  # noqa: E402

HARMLESS_SECTIONS = ("scores", "forgery")
ENDLESS = {"fakes_time"}
NO_GRADE, TAKEN, UNEARNED, RIGHT, ZERO = "no grade", "points taken", "unearned points", "as it should be", "a silent 0"


@dataclass(frozen=True)
class Finding:
    """What stock nbgrader made of a scenario."""

    section: str
    name: str
    outcome: str
    detail: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="scenarios whose name holds this")
    parser.add_argument("--section", default="", help="broken, scores or forgery")
    options = parser.parse_args()
    findings = []
    with tempfile.TemporaryDirectory(prefix="stock-") as folder:
        course = Path(folder)
        make_stock_course(course, {ASSIGNMENT: SOURCE.read_bytes()})
        for section, scenario in harmless():
            if options.only in scenario.name and options.section in {"", section}:
                findings.append(run(course, section, scenario))
                show(findings[-1])
    counts = Counter((finding.section, finding.outcome) for finding in findings)
    for (section, outcome), count in sorted(counts.items()):
        print(f"{section}: {count} {outcome}")


def harmless() -> list[tuple[str, Scenario]]:
    """By section of the threat list."""
    hostile = [
        (str(scenario.expected["section"]), scenario)
        for scenario in load_scenarios("hostile")
        if scenario.expected["section"] in HARMLESS_SECTIONS and scenario.name not in ENDLESS
    ]
    return [*(("broken", scenario) for scenario in load_scenarios("broken")), *hostile]


def run(course: Path, section: str, scenario: Scenario) -> Finding:
    """Hand one scenario in, grade it, and compare."""
    write_submission(scenario, course / "submitted" / scenario.name / ASSIGNMENT)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT, "--student", scenario.name]
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
    said = errors[0].split("] ERROR | ")[-1][:110] if errors else ""
    found = scores(course, ASSIGNMENT).get(scenario.name) if done.returncode == 0 else None
    if not found:
        return Finding(section, scenario.name, NO_GRADE, f"exit status {done.returncode}; {said}")
    points = {key: score or 0.0 for key, score in found.items() if key.startswith("test_")}
    if scenario.expected.get("status") == "needs_attention":
        return Finding(section, scenario.name, ZERO, f"{sum(points.values()):g} points for what cannot be read")
    unearned = {key: points[key] for key in scenario.lost if points.get(key)}
    taken = [key for key, score in points.items() if not score and key not in scenario.lost and key != "test_helpers"]
    if unearned:
        return Finding(section, scenario.name, UNEARNED, f"{sum(unearned.values()):g} points in {len(unearned)} tests")
    if taken:
        return Finding(section, scenario.name, TAKEN, f"in {len(taken)} tests")
    return Finding(section, scenario.name, RIGHT, "")


def show(finding: Finding) -> None:
    print(f"{finding.section}/{finding.name}: {finding.outcome}. {finding.detail}".rstrip(" ."), flush=True)


if __name__ == "__main__":
    main()
