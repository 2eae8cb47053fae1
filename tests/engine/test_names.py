"""What is said of a trusted cell before any submission is graded with it."""

from __future__ import annotations

import pytest

from autograder.engine.model import Cell, Role, Task
from autograder.engine.names import authoring_errors


def errors(*sources: str, locked: str = "import numpy as np") -> list[str]:
    tests = [Cell(f"test_{number}", Role.TEST, source, 1.0) for number, source in enumerate(sources)]
    return authoring_errors(Task((Cell("given", Role.LOCKED, locked), *tests), frozenset({"f"}), frozenset({"answer"})))


@pytest.mark.parametrize(
    "source",
    [
        "assert f(np.ones(2)) == answer, __name__",
        "def f(x):\n    return x\nassert f(1) == 1",
        "%timeit f(1)\nassert f(1) == 1",
        "!ls\n  %time\nassert f(1) == 1",
        'text = """\n%s and !s\n"""\nassert f(text) == "\\n%s and !s\\n"',
        "assert [f for f in (1, 2)] == [1, 2]",
        "import math as m\nassert m.pi and (lambda f: f)(1)",
        "match f(1):\n    case [first, *rest] if first:\n        assert rest",
    ],
)
def test_cells_that_may_be_given_out(source: str) -> None:
    assert errors(source) == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("assert g(1)", "test cell 'test_0' uses 'g'"),
        ("def check():\n    assert missing(f)\ncheck()", "uses 'missing'"),
        ("assert (", "cell 'test_0' is not Python"),
        ("f = print", "binds 'f' otherwise than by a plain `def`"),
        ("f: object = print", "binds 'f' otherwise"),
        ("f = lambda x: x", "binds 'f' otherwise"),
        ("import math as f", "binds 'f' otherwise"),
        ("if np:\n    def f(x):\n        return x", "binds 'f' otherwise"),
        ("class f:\n    pass", "binds 'f' otherwise"),
        ("async def f(x):\n    return x", "binds 'f' otherwise"),
        ("for f in (1, 2):\n    pass", "binds 'f' otherwise"),
        ("assert (f := 1)", "binds 'f' otherwise"),
    ],
)
def test_cells_that_cannot_work(source: str, said: str) -> None:
    (error,) = errors(source)
    assert said in error


def test_a_name_counts_from_the_cell_that_binds_it() -> None:
    assert errors("helper = 1", "assert helper") == []
    assert "test cell 'test_0' uses 'helper'" in errors("assert helper", "helper = 1")[0]


def test_a_given_cell_that_needs_the_student_gives_no_names() -> None:
    assert "uses 'shown'" in errors("assert shown", locked="shown = f(1)")[0]
    assert errors("assert later()", locked="def later():\n    return f(1)") == []
