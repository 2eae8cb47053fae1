"""What stands in ``Autograde.sanitize_preprocessors``: one submission, graded as ``autograder grade`` grades it.

nbgrader converts a submission twice, first to sanitise it and then to execute it. This preprocessor does all in the
first pass: what it returns needs no sanitising, must not be executed, and has its scores saved. The second list is
empty then.

Before any preprocessor is asked, nbgrader parses the file, reads the time stamp and copies the files beside the
notebook, links by their targets. What comes in that way is removed again here; a file or a link over which nbgrader
itself stumbles stays ungraded by this door, and ``autograder grade`` grades it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import LoggingConfigurable

from autograder.assignment import read_assignment
from autograder.autograded import autograded_folder
from autograder.grading import Plan, choose_isolation, grade_assignment
from autograder.results import Status
from autograder.settings import Settings, load_settings
from autograder.students import Handed

NOT_GRADED: Final = "The submission of '{student}' was not graded: {why}"
OTHER_NOTEBOOK: Final = "'{notebook}' is not the notebook of this assignment, which is '{right}'."
NO_COURSE: Final = "this preprocessor works inside of nbgrader's Autograde only"
DIRECTORIES: Final = (
    "source_directory",
    "release_directory",
    "submitted_directory",
    "autograded_directory",
    "feedback_directory",
)


class NotGraded(Exception):
    """nbgrader logs it, drops this submission's files and goes on with the next; an earlier grade stays."""


class GradeInSandbox(NbGraderPreprocessor):
    """Grades the submission that nbgrader is about to convert, and gives back the graded notebook."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Grade, write ``autograded/`` and the gradebook, and return what formgrader is to show.

        Args:
            nb: what nbgrader parsed; it is not looked at, since the engine reads the submission by itself.

        Raises:
            NotGraded: a person must look at the submission, or the grader failed.
            AutograderError: no isolation works here, or the course is not what it should be. Student code never
                runs in the instructor's own process.
        """
        about = resources["nbgrader"]
        student, assignment, notebook = about["student"], about["assignment"], about["notebook"]
        settings = settings_of(course_of(self), about["db_url"])
        read = read_assignment(settings, assignment)
        if notebook != read.notebook:
            why = OTHER_NOTEBOOK.format(notebook=notebook, right=read.notebook)
            raise NotGraded(NOT_GRADED.format(student=student, why=why))
        handed = (Handed(student, settings.submitted / student / assignment),)
        isolation = _isolation(settings)
        (found,) = grade_assignment(Plan(settings, read, isolation, 1, handed, force=True)).submissions
        for note in found.notes:
            self.log.warning("%s: %s", student, note)
        if found.status is not Status.GRADED:
            raise NotGraded(NOT_GRADED.format(student=student, why=" ".join(found.notes)))
        path = autograded_folder(settings, student, assignment) / f"{notebook}.ipynb"
        return nbformat.read(path, as_version=nbformat.NO_CONVERT), resources


_ISOLATIONS: dict[str, str] = {}


def _isolation(settings: Settings) -> str:
    """What confines student code here, tried once a process; where it fails later, so does grading.

    Raises:
        AutograderError: nothing does.
    """
    if settings.isolation not in _ISOLATIONS:
        _ISOLATIONS[settings.isolation] = choose_isolation(settings)
    return _ISOLATIONS[settings.isolation]


def course_of(preprocessor: LoggingConfigurable) -> CourseDirectory:
    """The course directory of the converter that runs a preprocessor.

    Raises:
        NotGraded: none of nbgrader's converters runs it.
    """
    owner = preprocessor.parent
    while owner is not None:
        course = getattr(owner, "coursedir", None)
        if isinstance(course, CourseDirectory):
            return course
        owner = owner.parent
    raise NotGraded(NO_COURSE)


def settings_of(course: CourseDirectory, db_url: str) -> Settings:
    """The course's settings, with what nbgrader was told otherwise: on its command line, say.

    Raises:
        AutograderError: the course or its config is not what it should be.
    """
    settings = load_settings(Path(course.root))
    told = {name: os.fspath(getattr(course, name)) for name in DIRECTORIES}
    return replace(settings, db_url=db_url, course_id=course.course_id, **told)
