"""Side by side with stock nbgrader: the same score, cell by cell, but for the differences named here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.assignment import Assignment, read_assignment
from autograder.batch import grade_class
from autograder.job import Graded, Job
from autograder.sandbox.probe import choose
from autograder.settings import Settings, load_settings
from tests.support.scenarios import ASSIGNMENT, SOURCE, load_scenario, write_submission
from tests.support.scenarios import SCENARIOS as FOLDER
from tests.support.stock import make_stock_course, nbgrader, scores

COMPARED = (
    "honest/attention_all_its_own",
    "honest/attention_einsum",
    "honest/attention_sum_over_heads",
    "honest/concat_lambda",
    "honest/concat_moveaxis",
    "honest/concat_stack",
    "mistaken/bias_missing",
    "mistaken/bias_before_product",
    "mistaken/concat_axes_0132",
    "mistaken/concat_changes_input",
    "mistaken/concat_hstack",
    "mistaken/concat_reshape_without_transpose",
    "mistaken/concat_syntax_error",
    "mistaken/attention_output_only",
    "mistaken/forged_zeros_and_bias",
    "mistaken/mask_dead_row_nan",
)

PARTIAL = "partial"
ODD_ENDINGS = {
    "half": ("0.5", 0.5, 0.5),
    "numpy-half": ("np.float64(0.5)", 2.0, 0.5),  # stock knows Python's own numbers only
    "computed": ("1.5 + answer() - 42", 1.5, 1.5),
}
"""By test cell: its last line, what stock nbgrader gives of 2 points, and what this grader gives."""

AUTHORING_ERRORS = {"false": "False", "nan": "float('nan')", "text": "'full marks'"}
"""Last lines to which stock nbgrader gives full marks and this grader none: it says that the test is wrong."""


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course that stock nbgrader has graded."""
    course = tmp_path_factory.mktemp("course")
    sources = {ASSIGNMENT: SOURCE.read_bytes(), PARTIAL: _partial(list(ODD_ENDINGS))}
    make_stock_course(course, sources)
    for name in COMPARED:
        write_submission(load_scenario(FOLDER / name), course / "submitted" / name.replace("/", "-") / ASSIGNMENT)
    warns = load_scenario(FOLDER / "honest" / "concat_swapaxes")
    path = write_submission(warns, course / "submitted" / "warns" / ASSIGNMENT)
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "concat_heads":
            cell.source = "import warnings\n" + cell.source.replace("\n", "\n    warnings.warn('careful')\n", 1)
    nbformat.write(notebook, path)
    answers = course / "submitted" / "someone" / PARTIAL
    answers.mkdir(parents=True)
    (answers / f"{PARTIAL}.ipynb").write_bytes(_partial(list(ODD_ENDINGS)))
    for assignment in sources:
        nbgrader(course, "autograde", assignment)
    return course


@pytest.fixture(scope="module")
def ours(stock: Path) -> Mapping[str, Graded]:
    """What this grader makes of the same files."""
    settings = load_settings(stock)
    return _grade(settings, read_assignment(settings, ASSIGNMENT))


@pytest.mark.parametrize("name", COMPARED)
def test_same_score_in_every_test_cell(name: str, stock: Path, ours: Mapping[str, Graded]) -> None:
    student = name.replace("/", "-")
    theirs = scores(stock, ASSIGNMENT)[student]
    outcome = ours[student].outcome
    assert outcome is not None
    assert {key: test.score for key, test in outcome.tests.items()} == {key: theirs[key] for key in outcome.tests}


def test_difference_a_warning_costs_nothing_here(stock: Path, ours: Mapping[str, Graded]) -> None:
    """Stock nbgrader takes every point of a test cell that anything is written to stderr in."""
    theirs = scores(stock, ASSIGNMENT)["warns"]
    outcome = ours["warns"].outcome
    assert outcome is not None
    assert sum(test.score for test in outcome.tests.values()) == 20
    concat = [key for key in outcome.tests if key.startswith("test_concat")]
    assert sum(theirs[key] or 0 for key in concat) < sum(outcome.tests[key].score for key in concat)


@pytest.mark.parametrize("cell", ODD_ENDINGS)
def test_difference_a_numpy_number_is_a_score_too(cell: str, stock: Path) -> None:
    """A test cell may end in a number, which is the score: Python's or NumPy's."""
    settings = load_settings(stock)
    outcome = _grade(settings, read_assignment(settings, PARTIAL))["someone"].outcome
    assert outcome is not None and outcome.broken is None
    _, theirs, expected = ODD_ENDINGS[cell]
    assert scores(stock, PARTIAL)["someone"][cell] == theirs
    assert outcome.tests[cell].score == expected


@pytest.mark.parametrize("ending", AUTHORING_ERRORS)
def test_difference_what_is_no_score_is_an_error_of_the_test(ending: str, tmp_path: Path) -> None:
    """Stock nbgrader gives full marks for these; here the score stays open and the test cell is named."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    content = _partial([ending], AUTHORING_ERRORS)
    for folder in (tmp_path / "source" / PARTIAL, tmp_path / "submitted" / "someone" / PARTIAL):
        folder.mkdir(parents=True)
        (folder / f"{PARTIAL}.ipynb").write_bytes(content)
    settings = load_settings(tmp_path)
    outcome = _grade(settings, read_assignment(settings, PARTIAL))["someone"].outcome
    assert outcome is not None
    assert outcome.broken is not None and repr(ending) in outcome.broken


def _grade(settings: Settings, assignment: Assignment) -> dict[str, Graded]:
    folders = [folder / assignment.name for folder in sorted(settings.submitted.iterdir())]
    jobs = [Job(folder.parent.name, assignment, folder) for folder in folders if folder.is_dir()]
    isolation = choose("auto").name
    return {one.student: one for one in grade_class(jobs, settings=settings, isolation=isolation, workers=2)}


def _partial(cells: list[str], endings: Mapping[str, str] | None = None) -> bytes:
    """A tiny source notebook (solution filled in) whose test cells end in odd ways."""

    def marks(grade_id: str, **more: object) -> dict[str, object]:
        base = {"schema_version": 3, "grade_id": grade_id, "solution": False, "grade": False, "locked": True}
        return {"nbgrader": base | {"task": False} | more}

    notebook = new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    answer = "def answer():\n    ### BEGIN SOLUTION\n    return 42\n    ### END SOLUTION"
    notebook.cells = [
        new_code_cell("import numpy as np", id="setup", metadata=marks("setup")),
        new_code_cell(answer, id="answer", metadata=marks("answer", solution=True, locked=False)),
    ]
    for cell in cells:
        last = endings[cell] if endings else ODD_ENDINGS[cell][0]
        source = f"assert answer() == 42, 'Not the answer.'\n{last}"
        notebook.cells.append(new_code_cell(source, id=cell, metadata=marks(cell, grade=True, points=2)))
    return nbformat.writes(notebook).encode()
