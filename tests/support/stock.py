"""Stock nbgrader, run as its users run it: a command in a course folder, without this project's settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from nbgrader.api import Gradebook

STOCK_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "stock"
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\\n..."}
"""


def make_stock_course(course: Path, sources: dict[str, bytes]) -> None:
    """A course folder with the given source notebooks (by assignment), and its gradebook as nbgrader makes it."""
    course.mkdir(parents=True, exist_ok=True)
    (course / "nbgrader_config.py").write_text(STOCK_CONFIG)
    for assignment, content in sources.items():
        folder = course / "source" / assignment
        folder.mkdir(parents=True)
        (folder / f"{assignment}.ipynb").write_bytes(content)
        nbgrader(course, "generate_assignment", assignment, "--create", "--force")


def nbgrader(course: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an nbgrader command and insist that it goes well."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def scores(course: Path, assignment: str) -> dict[str, dict[str, float | None]]:
    """By student and test cell: the automatic score in the course's gradebook."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "stock") as gradebook:
        return {
            submission.student.id: {
                grade.name: grade.auto_score for notebook in submission.notebooks for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions(assignment)
        }
