"""Grading from a program of one's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.course import NAME, RIGHT, make_course

SCRIPT = """\
from autograder import grade

print("once")
results = grade({notebook!r}, assignment={assignment!r}, course_dir={course!r})
print(results.submissions[0].score)
"""


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    folder = course.hand_in("s01", course.answered(**RIGHT))
    script = tmp_path / "mine.py"
    values = {"notebook": str(folder / f"{NAME}.ipynb"), "assignment": NAME, "course": str(course.root)}
    script.write_text(SCRIPT.format(**values), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("once\n5.0\n", "")
