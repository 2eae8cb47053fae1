"""``GenerateFeedback.exporter_class``: nbgrader's own ``generate_feedback`` writes the same page."""

from __future__ import annotations

from typing import Any

from nbconvert.exporters import Exporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from traitlets import default

from autograder.assignment import read_assignment
from autograder.doors.autograde import course_of, settings_of
from autograder.feedback.build import build_page
from autograder.feedback.marks import Marks, read_marks
from autograder.feedback.render import render


class FeedbackExporter(Exporter):
    """Turns a notebook of ``autograded/`` into the feedback page of its student."""

    @default("file_extension")
    def _html(self) -> str:
        return ".html"

    def from_notebook_node(
        self, nb: NotebookNode, resources: ResourcesDict | None = None, **options: Any
    ) -> tuple[str, ResourcesDict]:
        """The page, and nbconvert's resources.

        Raises:
            AutograderError: the course, the assignment or the gradebook is not what it should be.
        """
        nb, resources = super().from_notebook_node(nb, resources, **options)
        about = resources["nbgrader"]
        settings = settings_of(course_of(self), about["db_url"])
        assignment = read_assignment(settings, about["assignment"])
        student = about["student"]
        marks = read_marks(settings, assignment, [student]).get(student, Marks())
        return render(build_page(settings, assignment, student, nb, marks)), resources
