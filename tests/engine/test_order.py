"""When the session that showed the outputs may take the hidden calls, and when a fresh one must."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.engine.model import Cell, Task
from autograder.engine.order import tests_may_wait as may_wait
from autograder.engine.walk import grade
from autograder.sandbox.sandbox import Sandbox

from .conftest import PATIENT, check, given, student

FIRST = "def f(x):\n    return 2 * x"
ASKS_F = check("assert f(2) == 4")


def task(*cells: Cell) -> Task:
    return Task(cells, frozenset({"f", "g"}), frozenset())


HARMLESS = [
    "def g(x):\n    return f(x) + 1",
    "def g(x: int = 3, *, y: float | None = None, z=(-1, 'a')) -> dict[str, int]:\n    return {}",
    "def g(x: np.ndarray, y: 'f' = None) -> np.typing.NDArray[np.float64]:\n    return x",
    "import math\nimport numpy as np\n\ndef g(x):\n    return math.sqrt(x)",
    "# nothing but a comment",
    "def helper(x):\n    return x\n\ndef g(x):\n    return helper(x)",
]
TELLING = {
    "binds the function anew": "def f(x):\n    return 0",
    "calls it": "print(f(2))",
    "runs something": "y = 1",
    "decorates": "import functools\n\n@functools.cache\ndef g(x):\n    return x",
    "has a default that runs": "def g(x=print()):\n    return x",
    "has a default that may run": "def g(x=f + f):\n    return x",
    "has a default that a call may have changed": "def g(x=count):\n    return x",
    "has a function of the student's for a default": "def g(x, h=f):\n    return h(x)",
    "is annotated with what a call may have left": "def g(x: f.last):\n    return x",
    "imports a part of a module": "import numpy.lib.recfunctions as rfn",
    "imports a value": "from math import pi",
    "imports what is not loaded": "import statistics",
    "makes a class": "class G:\n    pass",
    "imports what is not known": "import own_module",
    "imports everything": "from math import *",
    "shows something": "def g(x):\n    return x\n\n3",
    "is no Python": "def g(x:",
    "uses magic": "%matplotlib inline\n\ndef g(x):\n    return x",
}


@pytest.mark.parametrize("later", HARMLESS)
def test_a_cell_that_only_defines_what_nobody_heard_of_tells_a_test_nothing(later: str):
    assert may_wait(task(student(FIRST), ASKS_F, student(later, "g"), check("g(1)", "other")))


@pytest.mark.parametrize("later", TELLING.values(), ids=TELLING)
def test_a_cell_after_a_test_that_could_make_a_difference(later: str):
    assert not may_wait(task(student(FIRST), ASKS_F, student(later, "g")))


@pytest.mark.parametrize("later", TELLING.values(), ids=TELLING)
def test_before_all_tests_a_cell_may_do_what_it_likes_as_long_as_it_can_be_seen_through(later: str):
    unreadable = later == "def g(x:" or "%" in later or "import own" in later or "import *" in later
    assert may_wait(task(student(FIRST), student(later, "g"), ASKS_F)) != unreadable


@pytest.mark.parametrize(
    "looks",
    [
        *(
            "globals()['g']",
            "eval('g')",
            "get_ipython().user_ns['g']",
            "f.__globals__['g']",
            "getattr(f, '__globals__')",
        ),
        *("g(x)", "lambda: g", "[g for g in x]", "np._core.multiarray", "typing.get_type_hints(f)"),
        *("import sys as s; s.modules", "from builtins import globals as gl; gl()", "import __main__"),
        *("import importlib", "from operator import attrgetter", "import own_module", "import threading"),
        *(
            "'{0.__globals__[g]}'.format(f)",
            "(i for i in x).gi_frame.f_globals",
            "import numpy.__config__",
            "from numpy import _core",
            "from . import own",
        ),
    ],
)
def test_a_function_that_could_look_for_a_later_name(looks: str):
    first = f"def f(x):\n    try:\n        {looks}\n        return 0\n    except NameError:\n        return 2 * x"
    assert not may_wait(task(student(first), ASKS_F, student(HARMLESS[0], "g")))


def test_a_test_that_looks_for_names_may_find_a_later_one():
    assert not may_wait(task(student(FIRST), check("globals()['g'](1)"), student(HARMLESS[0], "g")))


def test_a_test_counts_also_where_it_is_tagged_not_to_be_run_as_a_cell():
    tagged = replace(ASKS_F, runs=False)
    assert not may_wait(task(student(FIRST), tagged, student("def f(x):\n    return 0", "g")))


def test_what_is_imported_by_star_could_be_anything():
    star = student("from math import *\n" + FIRST)
    assert not may_wait(task(star, ASKS_F, student("def sqrt(x):\n    return x", "g")))


def test_a_test_that_defines_a_name_of_the_students_comes_in_its_turn():
    defines = check("def g(x):\n    return 7\nassert f(1) == 2")
    assert not may_wait(task(student(FIRST), defines, student(HARMLESS[0], "g")))


def test_a_given_cell_counts_like_one_of_the_students():
    assert may_wait(task(student(FIRST), ASKS_F, given("import math")))
    assert not may_wait(task(student(FIRST), ASKS_F, given("print(1)")))


@pytest.mark.parametrize(("later", "sessions"), [(HARMLESS[0], 1), ("count = []\n" + HARMLESS[0], 2)])
def test_one_session_does_where_the_order_cannot_matter(sandbox: Sandbox, later: str, sessions: int):
    made = []

    def session():
        made.append(sandbox.session())
        return made[-1]

    sandbox.ready()
    cells = student("print('shown')\n" + FIRST), ASKS_F, student(later, "g", defines=("g",)), check("g(1)", "other")
    outcome = grade(task(*cells), session, PATIENT)
    assert len(made) == sessions
    assert [test.score for test in outcome.tests.values()] == [2.0, 2.0]
    assert outcome.outputs["f"][0]["text"] == "shown\n"


def test_whatever_a_hidden_call_leaves_behind_no_cell_shows_it(sandbox: Sandbox):
    """The cells that print come after the first test, and run before it: there is nothing yet to print."""
    keeps = student("heard = []\ndef f(x):\n    heard.append(x)\n    return 2 * x")
    prints = student("def g(x):\n    return heard\nprint(heard)", "g", defines=("g",))
    for cells in ((keeps, ASKS_F, prints, check("g(1)", "other")), (keeps, prints, ASKS_F, check("g(1)", "other"))):
        sandbox.ready()
        outcome = grade(task(*cells), sandbox.session, PATIENT)
        assert outcome.outputs["g"] == [{"output_type": "stream", "name": "stdout", "text": "[]\n"}]


def test_where_nobody_reads_the_outputs_no_session_is_made_for_them(sandbox: Sandbox):
    made = []

    def session():
        made.append(sandbox.session())
        return made[-1]

    sandbox.ready()
    outcome = grade(task(student("x = 1\n" + FIRST), ASKS_F, student("y = 1", "g")), session, PATIENT, outputs=False)
    assert (len(made), outcome.outputs) == (1, {})
    assert outcome.tests["test"].score == 2.0
