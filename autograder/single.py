"""Grades one notebook by itself: no class, no gradebook."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from autograder.assignment import read_assignment
from autograder.batch import Crew, grade_class
from autograder.errors import CourseError
from autograder.grading import choose_isolation, result_of
from autograder.job import Job
from autograder.results import Results, versions
from autograder.settings import load_settings


def grade(
    notebook: str | Path, *, assignment: str, course_dir: str | Path = ".", isolation: str | None = None
) -> Results:
    """Grade one notebook file as ``autograder grade`` would, and write nothing.

    Args:
        notebook: the student's file; of the files beside it none is looked at.
        assignment: name of the assignment in the course.
        course_dir: the course folder.
        isolation: instead of the one that the settings name.

    Returns:
        The document that ``--json`` writes, with one submission, named after the file.

    Raises:
        AutograderError: no such file, course or assignment, or nothing to confine its code with.
    """
    path = Path(notebook).resolve()
    if not path.is_file():
        raise CourseError.no_file(Path(notebook))
    settings = load_settings(course_dir)
    read = read_assignment(settings, assignment)
    with Crew(1) as crew, tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        chosen = choose_isolation(settings, isolation, crew)
        folder = Path(scratch) / "student" / read.name
        folder.mkdir(parents=True)
        shutil.copyfile(path, folder / f"{read.notebook}.ipynb")
        jobs = [Job(path.stem, read, folder)]
        found = grade_class(jobs, settings=settings, isolation=chosen, workers=1, crew=crew)
        submissions = [result_of(read, graded) for graded in found]
    return Results(read.name, chosen, dict(versions()), tuple(submissions))
