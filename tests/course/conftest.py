"""What the tests of the course share: where the notebooks lie, and how to read them."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted([*(ROOT / "course").glob("*.ipynb"), *(ROOT / "source" / "exercises").glob("*.ipynb")])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``notebook_path`` once for each notebook of the course."""
    if "notebook_path" in metafunc.fixturenames:
        metafunc.parametrize("notebook_path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")


@pytest.fixture
def notebook(notebook_path: Path) -> nbformat.NotebookNode:
    """The notebook of this test."""
    return nbformat.read(notebook_path, as_version=nbformat.NO_CONVERT)


@pytest.fixture(scope="session")
def headings() -> dict[int, set[str]]:
    """The headings of each lesson, by its number."""
    found: dict[int, set[str]] = {}
    for path in sorted((ROOT / "course").glob("0*.ipynb")):
        words = found.setdefault(int(path.stem[:2]), set())
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                words.update(re.findall(r"^#+ (.+?)\s*$", cell.source, flags=re.MULTILINE))
    return found
