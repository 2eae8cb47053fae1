"""What no folder in a repository can hold: huge files, and names that not every system can write."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.isolations import working
from tests.support.scenarios import ASSIGNMENT, SCENARIOS, load_scenario, submission_notebook

from .conftest import Graded, grade, make_course, submission_folder

MIB = 1 << 20
RIGHT = load_scenario(SCENARIOS / "honest" / "concat_swapaxes")
LIMITS = """
c.Autograder.notebook_mib = 120
"""
SIZES = {"huge_output": 100 * MIB, "many_outputs": 20 * MIB, "huge_text": 20 * MIB, "too_large": 121 * MIB}
NAMES = (
    "a b",
    " leading and trailing ",
    "Lima, Ana",
    "zoë",
    "名前",
    "o'neil",
    'quo"te',
    "semi;colon",
    "100%",
    "a+b",
    "-dash",
    "--force",
    "=SUM(A1)",
    "[brackets]*?",
    "back\\slash",
    "line\nbreak",
    "\x1b[31mred",
    "\u202eright to left",
    "<img src=x onerror=alert(1)>",
    "{student_id}",
    "n" * 200,
    "ö" * 120,
)


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graded]:
    root = make_course(tmp_path_factory.mktemp("sizes") / "course", LIMITS)
    for name, size in SIZES.items():
        _write_large(submission_folder(root, name), name, size)
    yield grade(root, "--isolation", working()[0], "--workers", "2")
    for name in SIZES:  # pytest keeps the folders of its last runs
        (submission_folder(root, name) / f"{ASSIGNMENT}.ipynb").unlink()


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    root = make_course(tmp_path_factory.mktemp("names") / "course")
    for name in NAMES:
        folder = submission_folder(root, name)
        folder.mkdir(parents=True)
        (folder / f"{ASSIGNMENT}.ipynb").write_text(json.dumps(submission_notebook(RIGHT)))
    submission_folder(root, os.fsdecode(b"no\xff text")).mkdir(parents=True)
    return grade(root, "--isolation", working()[0], "--workers", "2")


@pytest.mark.parametrize("name", ["huge_output", "many_outputs"])
def test_stored_outputs_cost_nothing_whatever_their_size(name: str, sizes: Graded) -> None:
    found = sizes.submissions[name]
    assert (found["status"], found["score"], found["notes"]) == ("graded", 20.0, [])
    assert sizes.notebook(name).stat().st_size < MIB


def test_a_huge_text_is_kept_and_graded(sizes: Graded) -> None:
    found = sizes.submissions["huge_text"]
    assert (found["status"], found["score"]) == ("graded", 20.0)


def test_a_file_above_the_limit_waits_for_a_person(sizes: Graded) -> None:
    found = sizes.submissions["too_large"]
    assert (found["status"], found["score"]) == ("needs_attention", None)
    assert found["notes"] == [f"The file {ASSIGNMENT}.ipynb is larger than 120 MiB and was left out."]
    assert sizes.status == 3


@pytest.mark.parametrize("name", NAMES)
def test_odd_names_are_graded(name: str, names: Graded) -> None:
    assert names.submissions[name]["score"] == 20.0
    assert names.notebook(name).is_file()
    with closing(sqlite3.connect(names.root / "gradebook.db")) as database:
        statement = "SELECT count(*) FROM submitted_assignment WHERE student_id = ?"
        assert database.execute(statement, [name]).fetchall() == [(1,)]


def test_a_name_that_is_no_text_waits_for_a_person(names: Graded) -> None:
    (found,) = (one for one in names.submissions.values() if one["status"] != "graded")
    assert found["status"] == "needs_attention"
    assert found["notes"] == ["The folder's name is not readable text; give it one."]
    assert len(names.submissions) == len(NAMES) + 1


def _write_large(folder: Path, name: str, size: int) -> None:
    """A right notebook, padded to ``size`` bytes, written without holding it in memory."""
    folder.mkdir(parents=True)
    notebook = submission_notebook(RIGHT)
    cell = next(cell for cell in notebook.cells if cell.id == "concat-heads")
    mark = "PADDING"
    if name == "huge_text":
        notebook.cells[0].source += mark
        piece = "x" * 1023 + " "
    elif name == "many_outputs":
        cell.outputs = [mark]
        piece = json.dumps({"output_type": "stream", "name": "stdout", "text": ["line\n"] * 60}) + ", "
    else:
        cell.outputs = [{"output_type": "display_data", "data": {"image/png": mark}, "metadata": {}}]
        piece = "A" * 1024
    before, after = json.dumps(notebook).split(f'"{mark}"' if name == "many_outputs" else mark)
    with (folder / f"{ASSIGNMENT}.ipynb").open("w") as file:
        file.write(before)
        for _ in range(size // len(piece) + 1):
            file.write(piece)
        file.write("{}" + after if name == "many_outputs" else after)
