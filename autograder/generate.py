"""Runs nbgrader's own generate_assignment into a folder of our choice, without its database."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells

from autograder.errors import ReleaseError
from autograder.settings import Settings, load_config

NO_REASON: Final = "nbgrader gave no reason"


class _Kept(logging.Handler):
    """Keeps what nbgrader complains of."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage().strip())


def generate(settings: Settings, assignment: str, folder: Path) -> Path:
    """Generate the student version of ``assignment`` below ``folder``; give the folder it is in.

    Raises:
        ReleaseError: nbgrader refuses.
    """
    log = logging.Logger("autograder.generate")
    kept = _Kept()
    log.addHandler(kept)
    config = load_config(settings.root)
    course = CourseDirectory(config=config, log=log)
    course.root = str(settings.root)
    course.assignment_id = assignment
    course.release_directory = str(folder)
    converter = GenerateAssignment(coursedir=course, config=config, log=log)
    converter.force = True
    converter.no_database = True
    converter.preprocessors = [step for step in converter.preprocessors if step is not SaveCells]
    try:
        converter.start()
    except NbGraderException as error:
        reason = next((line for line in kept.lines if "Traceback" in line), "").splitlines()[-1:]
        raise ReleaseError.refused(assignment, reason or kept.lines[:1] or [str(error) or NO_REASON]) from error
    return folder / assignment
