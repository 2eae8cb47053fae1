"""What every notebook of the course has in common, whoever wrote it."""

import importlib
import re
from itertools import pairwise

import nbformat
import pytest
from mha.check.prediction import find

from tests.course.conftest import ROOT

MAP = ROOT / "course" / "README.md"
CELL_METADATA = {"tags", "jupyter", "nbgrader", "deletable", "editable"}
TAGS = {"nbval-check-output", "check"}


def markdown(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_is_valid_and_names_its_kernel(notebook):
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}


def test_cell_ids_mean_something(notebook):
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) and len(name) <= 40 for name in ids)
    assert not any(re.fullmatch(r"[0-9a-f]{8}", name) for name in ids)


def test_no_stray_metadata(notebook):
    for cell in notebook.cells:
        assert set(cell.metadata) <= CELL_METADATA
        assert set(cell.metadata.get("tags", [])) <= TAGS
        assert set(cell.metadata.get("jupyter", {})) <= {"outputs_hidden"}
    assert all(not output.get("metadata") for output in outputs(notebook))


def test_one_title_and_headings_in_order(notebook):
    levels = [len(marks) for text in markdown(notebook) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_folded_text_is_well_formed(notebook):
    for text in markdown(notebook):
        padded = f"\n\n{text}\n\n"
        opened = padded.count("<details>")
        assert opened == padded.count("</details>") == padded.count("<summary>")
        assert len(re.findall(r"\n\n<details>\n<summary>[^\n]+</summary>\n\n", padded)) == opened
        assert padded.count("\n\n</details>\n\n") == opened
        for folded in re.findall(r"<details>.*?</details>", padded, re.DOTALL):
            assert "$" not in folded  # formulas in a fold are not typeset


def test_every_figure_is_described(notebook):
    for output in outputs(notebook):
        data = output.get("data", {})
        assert not {"image/png", "image/svg+xml", "application/vnd.jupyter.widget-view+json"} & set(data)
        for image in re.findall(r"<img[^>]*>", data.get("text/html", "")):
            assert len(re.search(r'alt="([^"]+)"', image)[1]) > 30
    for text in markdown(notebook):
        assert not re.search(r"!\[\s*\]|<img(?![^>]*alt=\"[^\"])", text)


def test_stored_outputs_hold_no_error_and_no_warning(notebook):
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert output.get("name") != "stderr"


def test_code_cells_are_short(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            lines = [line for line in cell.source.splitlines() if line.strip() and not line.strip().startswith("#")]
            assert len(lines) <= 14, cell.id
            assert all(len(line) <= 120 for line in cell.source.splitlines()), cell.id


def test_names_no_machine_and_fetches_nothing(notebook):
    for cell in notebook.cells:
        assert not re.search(r"/(home|root|work|tmp|Users)/", cell.source)
        if cell.cell_type == "code":
            assert not re.search(r"https?://|urllib|requests|pip install|conda install", cell.source)


def test_links_lead_somewhere(notebook, notebook_path):
    for text in markdown(notebook):
        for target in re.findall(r"\]\(([^)#]+)", text):
            if not target.startswith("http") and notebook_path.parent.name == "course":
                assert (notebook_path.parent / target).exists(), target


def test_the_map_leads_to_every_lesson_and_knows_its_minutes():
    rows = re.findall(r"^\| (\d) \| \[.+?\]\((.+?)\) \| .+ \| (\d+) \|$", MAP.read_text(), re.MULTILINE)
    assert [name for _, name, _ in rows] == sorted(path.name for path in MAP.parent.glob("*.ipynb"))
    for number, name, minutes in rows:
        first = nbformat.read(MAP.parent / name, as_version=4).cells[0].source
        assert name.startswith(f"0{number}_")
        assert f"**Time:** about {minutes} minutes" in first


def test_predictions_are_asked_where_they_belong(notebook, notebook_path):
    asked = [q for cell in notebook.cells for q in re.findall(r'\bpredict\(\s*"([^"]+)"', cell.source)]
    assert len(set(asked)) == len(asked)
    assert all(find(question) is not None for question in asked)
    lesson = int(notebook_path.stem[:2])
    if asked:
        declared = importlib.import_module(f"mha.check.predictions_{lesson:02d}").PREDICTIONS
        assert sorted(asked) == sorted(prediction.id for prediction in declared)


def test_the_line_that_jupyterlab_shows_of_a_folded_output_gives_nothing_away(notebook):
    for cell in notebook.cells:
        if cell.metadata.get("jupyter", {}).get("outputs_hidden") and cell.outputs:
            first = cell.outputs[0]
            line = (first.get("text") or first["data"]["text/html"]).splitlines()[0]
            assert line.endswith((":", "-->")), (cell.id, line)


def test_predictions_are_stored_unanswered(notebook):
    stored = bool(outputs(notebook))  # a generated student version keeps no outputs
    for cell in notebook.cells:
        if re.search(r"\bpredict\(", cell.source) and cell.cell_type == "code":
            assert "..." in cell.source
            assert not stored or any(
                "Make your prediction" in o.get("data", {}).get("text/plain", "") for o in cell.outputs
            )


@pytest.mark.parametrize("slip", ["have learned to", "exactly 1.0", "for free", "never talk"])
def test_the_usual_slips_do_not_slip_in(notebook, slip):
    assert not any(slip in text for text in markdown(notebook))
