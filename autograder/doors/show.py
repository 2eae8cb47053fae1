"""What formgrader shows of a graded notebook: ``HTMLExporter.preprocessors`` names `Inert`.

Formgrader puts a student's texts and outputs into a page of the instructor's own server, where a script could do all
that the instructor can. nbconvert's ``sanitize_html`` does not reach formgrader's template.
"""

from __future__ import annotations

from html import escape
from typing import Final

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_locked

from autograder.feedback.outputs import png_base64, text_in

NAMES: Final = ("student", "first_name", "last_name", "notebook_path")
PICTURES: Final = ("image/png", "image/jpeg", "image/gif")


class Inert(NbGraderPreprocessor):
    """Leaves texts and PNG pictures of what a student's cells hold and show; all other outputs become texts."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Make the cells harmless, and the names that formgrader's template puts into its page as they are."""
        nb, resources = super().preprocess(nb, resources)
        for name in NAMES:
            if isinstance(resources.get(name), str):
                resources[name] = escape(resources[name])
        return nb, resources

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Make one cell harmless; the course's own locked texts stay as they are."""
        if cell.cell_type == "code":
            for output in cell.outputs:
                if "data" in output:
                    output.data, output.metadata = _inert_data(output.data), NotebookNode()
        elif not is_locked(cell):
            cell.source = cell.source.replace("<", "&lt;")
            attachments = cell.get("attachments", {})
            for name, bundle in attachments.items():
                attachments[name] = {kind: data for kind, data in bundle.items() if kind in PICTURES}
        return cell, resources


def _inert_data(data: NotebookNode) -> NotebookNode:
    picture = png_base64(data.get("image/png"))
    kept = {"text/plain": text_in(data)[1]}
    return NotebookNode(kept | {"image/png": picture} if picture else kept)
