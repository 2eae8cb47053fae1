"""Scenario folders become the notebooks that they describe, and refuse to be read two ways."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from tests.support.scenarios import load_scenario, submission_notebook, write_submission

CODE = """# %% extra
before = 1


# %% concat_heads
def concat_heads(x):
    return x


# %% extra
after = concat_heads(before)

# %% reflection
# Two lines,
#
# with one between.
"""


def scenario_folder(tmp_path: Path, **files: str) -> Path:
    folder = tmp_path / "kind" / "case"
    folder.mkdir(parents=True)
    (folder / "expected.json").write_text(json.dumps({"behaviour": "Tries things.", "lost": ["one"]}))
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def test_cells_go_where_their_headers_say(tmp_path: Path) -> None:
    scenario = load_scenario(scenario_folder(tmp_path, solution_py=CODE))
    cells = submission_notebook(scenario).cells
    ids = [cell.id for cell in cells]
    assert ids[ids.index("setup") + 1] == "extra-1"
    assert ids[ids.index("concat-heads") + 1] == "extra-3"
    assert cells[ids.index("concat-heads")].source == "def concat_heads(x):\n    return x"
    assert cells[ids.index("reflection")].source == "Two lines,\n\nwith one between."
    assert cells[ids.index("multi-head-attention")].source.endswith("# YOUR CODE HERE\n    ...")
    assert (str(scenario), scenario.behaviour, scenario.lost) == ("kind/case", "Tries things.", {"one"})


def test_building_one_notebook_leaves_the_next_alone(tmp_path: Path) -> None:
    scenario = load_scenario(scenario_folder(tmp_path, solution_py=CODE))
    assert submission_notebook(scenario) == submission_notebook(scenario)


def test_a_submission_is_laid_out_with_its_files(tmp_path: Path) -> None:
    folder = scenario_folder(tmp_path, solution_py=CODE)
    (folder / "files").mkdir()
    (folder / "files" / "notes.txt").write_text("mine")
    path = write_submission(load_scenario(folder), tmp_path / "out", name="renamed.ipynb")
    assert path.name == "renamed.ipynb"
    nbformat.validate(nbformat.read(path, as_version=4))
    assert (path.parent / "notes.txt").read_text() == "mine"


def test_a_ready_file_is_handed_in_as_it_is(tmp_path: Path) -> None:
    scenario = load_scenario(scenario_folder(tmp_path, submission_ipynb="{ not json"))
    assert write_submission(scenario, tmp_path / "out").read_text() == "{ not json"
    with pytest.raises(ValueError, match="as it is"):
        submission_notebook(scenario)


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({}, "nothing to hand in"),
        ({"solution_py": CODE, "submission_ipynb": "{}"}, "both"),
        ({"solution_py": "x = 1\n" + CODE}, "does not start with a header"),
    ],
)
def test_a_folder_that_says_too_little_or_too_much(tmp_path: Path, files: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        load_scenario(scenario_folder(tmp_path, **files))


@pytest.mark.parametrize(
    ("header", "complaint"), [("concat", "does not have: concat"), ("test_concat_shape", "not a cell of the student's")]
)
def test_a_header_must_name_a_cell_of_the_students(tmp_path: Path, header: str, complaint: str) -> None:
    scenario = load_scenario(scenario_folder(tmp_path, solution_py=f"# %% {header}\nx = 1\n"))
    with pytest.raises(ValueError, match=complaint):
        submission_notebook(scenario)
