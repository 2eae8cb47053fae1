"""The graded notebook: what it promises, and what it gives to right and to mistaken work.

The scenarios run here as plain Python in one namespace, which is what stock nbgrader does. That the grader's own engine
agrees is tested with the engine.
"""

from __future__ import annotations

import ast
import builtins
import dis
import re
import warnings
from types import CodeType
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from tests.support.scenarios import RELEASED, SOURCE, Scenario, load_scenarios, submission_notebook

GRADED = ("concat_heads", "multi_head_attention")
HELPERS = "test_helpers"
HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS$", re.MULTILINE | re.DOTALL)
SOLUTION = re.compile(r"^ *### BEGIN SOLUTION\n(?P<lines>.*?)^ *### END SOLUTION$", re.MULTILINE | re.DOTALL)


def marks(cell: NotebookNode) -> dict[str, Any]:
    return dict(cell.metadata.get("nbgrader", {}))


def name_of(cell: NotebookNode) -> str:
    return str(marks(cell).get("grade_id", cell.id))


source = nbformat.read(SOURCE, as_version=4)
released = nbformat.read(RELEASED, as_version=4)
code_cells = {name_of(cell): cell for cell in source.cells if cell.cell_type == "code"}
test_cells = {
    name: cell for name, cell in code_cells.items() if marks(cell).get("grade") and not marks(cell)["solution"]
}
pointed = {name: cell for name, cell in test_cells.items() if marks(cell)["points"]}
compiled = {name: compile(cell.source, f"<{name}>", "exec") for name, cell in test_cells.items()}


def run(notebook: NotebookNode, warn: str) -> dict[str, BaseException]:
    """Run a submission with the hidden tests in place; what each failed test cell raised, by name.

    ``warn`` is what becomes of warnings: stock nbgrader gives nothing for a test cell that writes to stderr.
    """
    namespace: dict[str, Any] = {}
    failed: dict[str, BaseException] = {}
    for cell in notebook.cells:
        name = name_of(cell)
        if cell.cell_type != "code" or "check" in cell.metadata.get("tags", []):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter(warn)
            try:
                exec(compiled[name] if name in compiled else compile(cell.source, f"<{name}>", "exec"), namespace)
            except Exception as error:  # noqa: BLE001 - whatever a student's code raises ends its cell and nothing else
                if name in test_cells:
                    failed[name] = error
    return failed


def without_hidden(name: str) -> str:
    return HIDDEN.sub("", test_cells[name].source).strip()


def names_bound(code: str) -> set[str]:
    return {ins.argval for ins in dis.get_instructions(compile(code, "<cell>", "exec")) if ins.opname == "STORE_NAME"}


def names_read(code: CodeType) -> set[str]:
    """Global names that the code reads, in its functions too."""
    found = {ins.argval for ins in dis.get_instructions(code) if ins.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
    return found.union(*(names_read(const) for const in code.co_consts if isinstance(const, CodeType)))


# What it promises


def test_twenty_points_in_at_least_eight_tests() -> None:
    assert len(pointed) >= 8
    assert sum(marks(cell)["points"] for cell in pointed.values()) == 20


def test_the_points_table_says_what_the_cells_give() -> None:
    title = source.cells[0].source
    rows = re.findall(r"^\| [12] \| .* \| (\d+) \|$", title, re.MULTILINE)
    assert [int(row) for row in rows] == [marks(cell)["points"] for cell in pointed.values()]
    for name, cell in pointed.items():
        points = marks(cell)["points"]
        assert f"# {points} point{'s' if points > 1 else ''}: " in without_hidden(name), name
    sums = re.findall(r"\*\*(\d+)\*\* \|$", title, re.MULTILINE)
    by_task = [sum(marks(c)["points"] for n, c in pointed.items() if part in n) for part in ("concat", "attention")]
    assert [int(number) for number in sums] == [*by_task, 20]


def test_one_title() -> None:
    texts = [cell.source for cell in source.cells if cell.cell_type == "markdown"]
    assert len(re.findall(r"^# ", "\n".join(texts), re.MULTILINE)) == 1


def test_the_cells_have_the_agreed_names_and_each_name_once() -> None:
    solutions = [name for name, cell in code_cells.items() if marks(cell).get("solution")]
    assert solutions == list(GRADED)
    names = [name_of(cell) for cell in source.cells]
    assert len(set(names)) == len(names)
    assert len({cell.id for cell in source.cells}) == len(source.cells)


def test_the_written_answer_is_graded_by_hand_on_top() -> None:
    by_hand = [cell for cell in source.cells if marks(cell).get("grade") and marks(cell)["solution"]]
    assert [(cell.cell_type, name_of(cell)) for cell in by_hand] == [("markdown", "reflection")]
    assert marks(by_hand[0])["points"] > 0


def test_nothing_but_source_is_stored() -> None:
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code_cells.values())
    assert source.metadata.kernelspec.name == "python3"


def test_each_task_has_a_scratch_cell_and_a_check() -> None:
    names = [name_of(cell) for cell in source.cells]
    for task, scratch, check in zip(GRADED, ("scratch-concat", "scratch-attention"), GRADED, strict=True):
        assert names.index(scratch) == names.index(task) + 1
        cell = code_cells[f"check_{check}"]
        assert "check" in cell.metadata.tags
        assert f"check({check})" in cell.source


def test_helpers_are_hidden_whole_and_come_first() -> None:
    assert next(iter(test_cells)) == HELPERS
    assert marks(test_cells[HELPERS])["points"] == 0
    assert without_hidden(HELPERS) == ""


@pytest.mark.parametrize("name", pointed)
def test_an_example_is_shown_and_the_rest_hidden(name: str) -> None:
    shown = without_hidden(name)
    assert any(function in shown for function in GRADED)
    assert "assert " in shown
    hidden = "\n".join(HIDDEN.findall(test_cells[name].source))
    assert hidden.count("assert ") + hidden.count("need_") >= 1
    drawn = r"\b(draw|shuffled|alike|all_words_alike|one_word_each)\("
    assert re.search(drawn, hidden), "hidden tests try more than one fixed input"


@pytest.mark.parametrize("name", test_cells)
def test_every_name_resolves(name: str) -> None:
    """In the setup cell, the hidden helpers, the student's functions, the cell itself or Python; shown parts without
    the helpers."""
    given = names_bound(code_cells["setup"].source) | names_bound(code_cells["worked_example"].source)
    given |= set(GRADED) | set(dir(builtins))
    helpers = names_bound(test_cells[HELPERS].source)
    whole, shown = test_cells[name].source, without_hidden(name)
    assert names_read(compile(whole, name, "exec")) <= given | helpers | names_bound(whole)
    assert names_read(compile(shown, name, "exec")) <= given | names_bound(shown)


@pytest.mark.parametrize("name", test_cells)
def test_a_test_cell_ends_without_a_value(name: str) -> None:
    """Stock nbgrader takes a value as partial credit."""
    assert not isinstance(ast.parse(test_cells[name].source).body[-1], ast.Expr)


@pytest.mark.parametrize("name", test_cells)
def test_chance_comes_from_fresh_generators(name: str) -> None:
    chance = re.findall(r"(?:np|numpy)\.random\.\w+", test_cells[name].source)
    assert set(chance) <= {"np.random.default_rng"}


@pytest.mark.parametrize("name", test_cells)
def test_messages_are_sentences_that_carry_nothing_along(name: str) -> None:
    """Every assertion has a message, and nothing is put into one but the words for what it is about."""
    for node in ast.walk(ast.parse(test_cells[name].source)):
        if not isinstance(node, ast.Assert):
            continue
        assert node.msg is not None, ast.unparse(node)
        if isinstance(node.msg, ast.JoinedStr):
            put_in = [ast.unparse(part.value) for part in node.msg.values if isinstance(part, ast.FormattedValue)]
            assert set(put_in) <= {"who"}, ast.unparse(node)
        elif isinstance(node.msg, ast.Name):
            assert node.msg.id == "hint", ast.unparse(node)
        else:
            assert isinstance(node.msg, ast.Constant), ast.unparse(node)
            assert str(node.msg.value)[-1] in ".?", ast.unparse(node)


def test_tests_of_the_projection_come_last_and_bring_their_own_concat() -> None:
    order = ["concat" if "concat" in name else "attention" for name in pointed]
    assert order == sorted(order, key=["concat", "attention"].index)
    for name in pointed:
        first = ast.parse(test_cells[name].source).body[0]
        brings = isinstance(first, ast.FunctionDef) and first.name == "concat_heads"
        assert brings == ("attention" in name), name
        assert "def concat_heads" not in without_hidden(name)


def test_the_student_version_holds_no_hidden_line_and_no_solution() -> None:
    student = {line.strip() for cell in released.cells for line in cell.source.split("\n")}
    secret = [block for cell in test_cells.values() for block in HIDDEN.findall(cell.source)]
    secret += [match["lines"] for cell in code_cells.values() for match in SOLUTION.finditer(cell.source)]
    secret += [cell.source for cell in source.cells if name_of(cell) == "reflection"]
    lines = {line.strip() for block in secret for line in block.split("\n")} - {""}
    assert len(lines) > 100
    assert lines & student == set()
    assert not any("### " in line and ("BEGIN" in line or "END" in line) for line in student)


# What it gives


def test_the_solution_earns_every_point() -> None:
    assert run(source, warn="error") == {}


def test_the_notebook_as_released_runs_and_earns_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    failed = run(released, warn="error")
    assert set(failed) == set(pointed)
    assert all(isinstance(error, AssertionError) for error in failed.values())
    assert "wanted: (1, 3, 4)" in capsys.readouterr().out


@pytest.mark.parametrize("scenario", load_scenarios("honest"), ids=str)
def test_honest(scenario: Scenario) -> None:
    assert scenario.lost == set()
    assert run(submission_notebook(scenario), warn="error") == {}, scenario.behaviour


@pytest.mark.parametrize("scenario", load_scenarios("mistaken"), ids=str)
def test_mistaken(scenario: Scenario) -> None:
    failed = run(submission_notebook(scenario), warn="ignore")
    assert failed.keys() == scenario.lost, scenario.behaviour
    assert failed, "a mistake that costs nothing"


@pytest.mark.parametrize("name", pointed)
def test_each_test_earns_its_place(name: str) -> None:
    assert any(name in scenario.lost for scenario in load_scenarios("mistaken"))


def test_a_wrong_concat_costs_the_projection_nothing() -> None:
    wrong = [scenario for scenario in load_scenarios("mistaken") if scenario.name.startswith("concat_")]
    assert len(wrong) > 20
    assert not any("attention" in name for scenario in wrong for name in scenario.lost)
