"""What a test cell earns, and what is the test's own fault."""

from __future__ import annotations

import pytest

from .conftest import Grade, check, given, student

RIGHT = student("def f(x): return x + 1")


def scored(run: Grade, test: str, answer: str = "def f(x): return x + 1") -> float:
    outcome = run(student(answer), check(test))
    assert outcome.broken is None, outcome.broken
    return outcome.tests["test"].score


@pytest.mark.parametrize(
    ("test", "score"),
    [
        ("assert f(1) == 2", 2.0),
        ("assert f(1) == 3", 0.0),
        ("f(1) == 2 or 1 / 0\nNone", 2.0),
        ("f(1)", 2.0),
        ("f(0)", 1.0),
        ("0.5 * f(0)", 0.5),
        ("f(100)", 2.0),
        ("-f(100)", 0.0),
        ("import numpy as np\nnp.float64(0.25)", 0.25),
        ("from fractions import Fraction\nFraction(1, 2)", 0.5),
        ("float('inf')", 2.0),
        ("x = f(1)", 2.0),
        ("", 2.0),
    ],
)
def test_a_cell_earns_its_points_nothing_or_a_number(run: Grade, test: str, score: float):
    assert scored(run, test) == score


@pytest.mark.parametrize("value", ["True", "False", "float('nan')", "'1'", "[1]", "f", "1j", "object()"])
def test_anything_else_as_a_last_expression_is_the_tests_fault(run: Grade, value: str):
    outcome = run(RIGHT, check(value))
    assert outcome.broken is not None
    assert "test" in outcome.broken


def test_a_test_that_is_not_python_is_the_graders_fault(run: Grade):
    assert "not Python" in (run(RIGHT, check("assert f(1) ==")).broken or "")


def test_a_given_cell_that_fails_is_the_graders_fault(run: Grade):
    assert "given cell" in (run(given("1 / 0"), RIGHT, check("assert f(1) == 2")).broken or "")


def test_a_name_of_the_students_own_does_not_reach_a_test(run: Grade):
    outcome = run(student("def f(x): return 0\nlen = lambda x: 7\nexpected = 0"), check("assert len([1]) == 1"))
    assert outcome.tests["test"].score == 2.0
    outcome = run(student("def f(x): return 0\nexpected = 0"), check("assert f(1) == expected"))
    assert outcome.tests["test"].score == 0.0


def test_given_names_are_the_graders_own(run: Grade):
    cells = (given("limit = 5"), student("limit = 1\ndef f(x): return x"), check("assert f(limit) == 5"))
    assert run(*cells).tests["test"].score == 2.0


@pytest.mark.parametrize(
    "patch",
    [
        "import numpy as np\nnp.allclose = np.array_equal = np.isclose = lambda *a, **k: True",
        "import builtins\nbuiltins.abs = builtins.len = lambda x: 0\nbuiltins.AssertionError = Exception",
        "import numpy.testing\nnumpy.testing.assert_allclose = numpy.testing.assert_array_equal = lambda *a, **k: None",
        "import sys\nsys.modules['numpy'] = None",
        "import ast\nclass Strip(ast.NodeTransformer):\n    def visit_Assert(self, node): return ast.Pass()\n"
        "get_ipython().ast_transformers.append(Strip())",
        "get_ipython().input_transformers_cleanup.append(lambda lines: [])",
        "import sys\nsys.displayhook = lambda value: None",
    ],
)
def test_patching_what_tests_use_patches_nothing(run: Grade, patch: str):
    test = """
import numpy as np
import numpy.testing
assert np.allclose(f(1), 2)
numpy.testing.assert_allclose(f(1), 2)
assert abs(f(1) - 2) == 0
"""
    assert run(student(f"def f(x): return 99\n{patch}"), check(test)).tests["test"].score == 0.0


@pytest.mark.parametrize(
    "answer",
    [
        "class Same(np.ndarray):\n    __eq__ = __ne__ = __lt__ = lambda *a: True\n"
        "    def __array_function__(self, *a): return True\n    def __array_ufunc__(self, *a, **k): return 0\n"
        "def f(x): return np.zeros(3).view(Same)",
        "class Same:\n    __eq__ = lambda *a: True\n    shape, dtype = (3,), np.dtype(float)\ndef f(x): return Same()",
        "def f(x): return np.array([Ellipsis] * 3, dtype=object)",
        "def f(x): return np.full(3, np.nan)",
        "def f(x): return np.zeros((0, 3))",
        "def f(x): return np.ma.masked_all(3)",
        "class One(float):\n    __eq__ = lambda *a: True\ndef f(x): return [One(), One(), One()]",
        "class Text(str):\n    __eq__ = lambda *a: True\ndef f(x): return Text()",
        "def f(x): x[...] = 0; return x",
        "def f(x): return np.array(['a', 'b', 'c'])",
        "def f(x): return True",
    ],
)
def test_results_that_would_equal_anything_do_not(run: Grade, answer: str):
    test = """
import numpy as np
given = np.arange(3.0)
expected = 2 * given + 1
result = f(given)
assert type(result) is np.ndarray and result.shape == expected.shape and np.isfinite(result).all()
assert np.allclose(result, expected)
"""
    assert run(student(f"import numpy as np\n{answer}"), check(test)).tests["test"].score == 0.0


def test_an_object_arrives_as_nothing_that_has_its_methods(run: Grade):
    answer = "class Odd:\n    def __len__(self): return 3\n    def __array__(self): return [1]\ndef f(x): return Odd()"
    assert scored(run, "assert not hasattr(f(1), '__len__') and not hasattr(f(1), '__array__')", answer) == 2.0


def test_warnings_and_prints_cost_nothing(run: Grade):
    answer = "import warnings, sys\ndef f(x):\n    warnings.warn('w'); print('e', file=sys.stderr); return x + 1"
    outcome = run(student(answer), check("import warnings\nwarnings.warn('own')\nprint('own')\nassert f(1) == 2"))
    assert outcome.tests["test"].score == 2.0
    assert outcome.notes == []
