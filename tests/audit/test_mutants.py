"""Mutants: each operator does what it says, and every mutant is a real and repeatable change."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.assignment import read_assignment
from autograder.audit.mutants import Mutant, mutants
from autograder.audit.operators import OPERATORS
from autograder.settings import load_settings
from tests.support.scenarios import ASSIGNMENT, ROOT, SCENARIOS, load_scenario

EXAMPLES = [
    ("elements swapped", "a, b = x.shape", "b, a = x.shape"),
    ("elements swapped", "return output, weights", "return (weights, output)"),
    ("elements swapped", "y = np.zeros((2, 3, 4))", "y = np.zeros((4, 3, 2))"),
    ("element dropped", "return output, weights", "return (output,)"),
    ("arguments swapped", "y = x.transpose(0, 2, 1, 3)", "y = x.transpose(2, 0, 1, 3)"),
    ("arguments swapped", "y = attend(query, key, value)", "y = attend(value, key, query)"),
    ("argument dropped", "y = attend(q, k, mask=mask)", "y = attend(q, k)"),
    ("argument dropped", "y = x.sum(0, keepdims=True)", "y = x.sum(keepdims=True)"),
    ("call dropped", "y = x.transpose(0, 2, 1).copy()", "y = x.transpose(0, 2, 1)"),
    ("call dropped", "y = np.sqrt(size)", "y = size"),
    ("attribute dropped", "y = joined @ weight.T", "y = joined @ weight"),
    ("number changed", "y = x[:, 1]", "y = x[:, 2]"),
    ("number changed", "y = x[:, 1]", "y = x[:, 0]"),
    ("number changed", "y = x[:, 1]", "y = x[:, -1]"),
    ("number changed", "y = x.sum(keepdims=True)", "y = x.sum(keepdims=False)"),
    ("operator changed", "y = a @ b", "y = a * b"),
    ("operator changed", "y = a @ b", "y = b @ a"),
    ("operator changed", "y = a + b", "y = a - b"),
    ("operator changed", "y = a // b", "y = a / b"),
    ("operator changed", "y += b", "y -= b"),
    ("operator changed", "y += b", "y = b"),
    ("operand dropped", "y = a @ w + bias", "y = a @ w"),
    ("operand dropped", "y = a @ w + bias", "y = bias"),
    ("operand dropped", "y = not a", "y = a"),
    ("operand transposed", "y = a @ b", "y = a.T @ b"),
    ("operand transposed", "y = a @ b", "y = a @ b.T"),
    ("comparison changed", "y = a < b", "y = a <= b"),
    ("comparison changed", "y = a is None", "y = a is not None"),
    ("comparison changed", "y = a and b", "y = a or b"),
    ("condition negated", "if ready:\n    y = 1", "if not ready:\n    y = 1"),
    ("condition negated", "y = a if ready else b", "y = b if ready else a"),
    ("result changed", "return total", "return -total"),
    ("result changed", "return total", "return"),
    ("result changed", "y = total", "y = -total"),
    ("function confused", "y = x.max(axis=1)", "y = x.min(axis=1)"),
    ("function confused", "y = np.zeros(3)", "y = np.ones(3)"),
    ("loop changed", "for x in xs:\n    f(x)", "for x in xs:\n    f(x)\n    break"),
    ("loop changed", "for x in xs:\n    f(x)", "for x in list(xs)[1:]:\n    f(x)"),
    ("statement removed", "y = 1\nz = 2", "z = 2"),
    ("statement removed", "y = 1", "pass"),
]


def within_function(body: str) -> str:
    return "def f(x):\n" + textwrap.indent(body, "    ")


@pytest.mark.parametrize(("operator", "before", "after"), EXAMPLES)
def test_each_operator_makes_the_change_that_it_is_named_for(operator: str, before: str, after: str) -> None:
    found = {mutant.source for mutant in mutants(within_function(before)) if mutant.operator == operator}
    assert ast.unparse(ast.parse(within_function(after))) in found


def test_every_operator_is_shown_by_an_example() -> None:
    named = {operator for operator, _, _ in EXAMPLES} | {"name confused"}
    assert named == {*OPERATORS, "statement removed"}


def test_a_name_is_confused_with_its_neighbours_only() -> None:
    source = "def f(query, key, value):\n    return g(key)"
    found = {mutant.after for mutant in mutants(source) if mutant.operator == "name confused"}
    assert found == {"g(query)", "g(value)"}


LONGER = {"attention_all_its_own": "multi_head_attention", "concat_loop_concatenate": "concat_heads"}
"""Right answers that are longer than the solution, with branches and loops."""


def solutions() -> list[str]:
    assignment = read_assignment(load_settings(ROOT), ASSIGNMENT)
    own = [cell.source for cell in assignment.solution_cells if cell.cell_type == "code"]
    longer = [
        next(cell.source for cell in load_scenario(SCENARIOS / "honest" / name).cells if cell.name == function)
        for name, function in LONGER.items()
    ]
    return own + longer


@pytest.mark.parametrize("source", solutions())
def test_every_mutant_is_python_differs_and_is_met_once(source: str) -> None:
    found = mutants(source)
    original = ast.unparse(ast.parse(source))
    texts = [mutant.source for mutant in found]
    for text in texts:
        compile(text, "<mutant>", "exec")
    assert original not in texts
    assert len(set(texts)) == len(texts) > 0
    assert found == mutants(source), "the list is the same on every run"


@pytest.mark.parametrize("source", solutions())
def test_the_change_that_is_told_is_the_change_that_was_made(source: str) -> None:
    for mutant in mutants(source):
        assert mutant.before != mutant.after
        assert 1 <= mutant.line <= len(source.splitlines())
        if mutant.after != "(removed)" and "\n" not in mutant.source:
            assert mutant.after in mutant.source


@given(
    st.recursive(
        st.sampled_from(["x", "y", "1", "2.5", "x.T"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "*", "@", "-", "/", "//"]), inner).map(lambda t: f"({' '.join(t)})"),
            st.tuples(inner, inner).map(lambda t: f"x.reshape({t[0]}, {t[1]})"),
        ),
        max_leaves=6,
    )
)
def test_whatever_the_expression_its_mutants_compile_and_differ(expression: str) -> None:
    source = f"def f(x, y):\n    return {expression}"
    original = ast.unparse(ast.parse(source))
    for mutant in mutants(source):
        compile(mutant.source, "<mutant>", "exec")
        assert mutant.source != original


def test_the_docstring_the_signature_and_given_lines_stay() -> None:
    source = (
        'def f(x, scale=2):\n    """Doubles 1 to 2."""\n    given = 1 + 2\n'
        "    ### BEGIN SOLUTION\n    return x * scale\n    ### END SOLUTION"
    )
    found = mutants(source)
    assert {mutant.line for mutant in found} == {5}
    for mutant in found:
        assert "def f(x, scale=2):" in mutant.source
        assert '"""Doubles 1 to 2."""' in mutant.source
        assert "given = 1 + 2" in mutant.source


def test_a_cell_without_regions_is_all_solution() -> None:
    assert {mutant.line for mutant in mutants("a = 1 + 2\nb = a * 3")} == {1, 2}


def test_the_name_of_a_change_outlives_a_line_that_moves() -> None:
    below = mutants("# a comment more\ndef f(x):\n    return x + 1")
    assert [mutant.change for mutant in below] == [mutant.change for mutant in mutants("def f(x):\n    return x + 1")]


def test_the_function_is_named() -> None:
    found = mutants("start = 1\ndef f(x):\n    return x + 1")
    assert {mutant.function for mutant in found} == {"", "f"}
    assert all(isinstance(mutant, Mutant) for mutant in found)
