"""Which side of the wall a name lives on: proxies, data by value, definitions that follow, given cells."""

from __future__ import annotations

import pytest

from .conftest import Grade, check, given, student


def test_a_change_in_place_comes_back_into_the_tests_array(run: Grade):
    answer = "def f(x):\n    x[0] = 7\n    return x"
    test = "import numpy as np\nx = np.arange(3)\ny = f(x)\nassert x.tolist() == [7, 1, 2] and y is not x"
    assert run(student(answer), check(test)).tests["test"].score == 2.0


def test_a_function_that_leaves_its_input_alone_is_seen_to(run: Grade):
    test = "import numpy as np\nx = np.arange(3)\nx.flags.writeable = False\nf(x)\nassert x.tolist() == [0, 1, 2]"
    assert run(student("def f(x): return x + 1"), check(test)).tests["test"].score == 2.0


@pytest.mark.parametrize("trick", ["x.flags.writeable = True\n    x[0] = 7", "x.setflags(write=1); x[...] = 7"])
def test_a_lifted_write_protection_shows(run: Grade, trick: str):
    test = "import numpy as np\nx = np.arange(3)\nx.flags.writeable = False\nf(x)\nassert x.tolist() == [0, 1, 2]"
    assert run(student(f"def f(x):\n    {trick}"), check(test)).tests["test"].score == 0.0


def test_opaque_values_are_only_their_types_name(run: Grade):
    test = "assert repr(f(1)) == '<an object of type Thing>' and type(f(1)).__name__ == 'Opaque'"
    assert run(student("class Thing: pass\ndef f(x): return Thing()"), check(test)).tests["test"].score == 2.0


def test_data_is_fetched_afresh_for_every_test_and_never_shared(run: Grade):
    cells = (
        student("rows = [1]\ndef f(x):\n    rows.append(x)", defines=("f", "rows")),
        check("assert rows == [1]\nrows.append('of the test')\nf(2)", "first"),
        check("assert rows == [1, 2]", "second"),
    )
    outcome = run(*cells, data=("rows",))
    assert [test.score for test in outcome.tests.values()] == [2.0, 2.0]


def test_missing_data_fails_the_test_and_no_older_value_stands_in(run: Grade):
    cells = (student("x = 1"), check("assert x == 1", "a"), student("del x", "later"), check("assert x == 1", "b"))
    outcome = run(*cells, data=("x",))
    assert [test.score for test in outcome.tests.values()] == [2.0, 0.0]


def test_a_function_that_a_test_defines_is_defined_for_the_student_too(run: Grade):
    cells = (
        student("def f(x): return -1"),
        student("def g(x): return f(x) * 10", "g", defines=("g",)),
        check("assert g(1) == 10", "before"),
        check("def f(x):\n    return x\nassert g(1) == 10 and f(3) == 3", "with"),
        check("assert g(2) == 20", "after"),
    )
    outcome = run(*cells)
    assert [test.score for test in outcome.tests.values()] == [0.0, 2.0, 2.0]


def test_such_a_definition_survives_a_rebuilt_session(run: Grade):
    cells = (
        student("def f(x): return -1"),
        student("def g(x):\n    if x == 13: import os; os._exit(0)\n    return f(x)", "g", defines=("g",)),
        check("def f(x):\n    return x\nassert g(1) == 1", "a"),
        check("g(13)", "b"),
        check("assert g(2) == 2", "c"),
    )
    outcome = run(*cells)
    assert [test.score for test in outcome.tests.values()] == [2.0, 0.0, 2.0]


def test_the_students_own_later_cell_may_define_it_again(run: Grade):
    cells = (
        student("def f(x): return -1"),
        check("def f(x):\n    return x\nassert f(1) == 1", "a"),
        student("def f(x): return x + 5", "again"),
        student("def g(x): return f(x)", "g", defines=("g",)),
        check("assert g(1) == 6", "b"),
    )
    outcome = run(*cells)
    assert [test.score for test in outcome.tests.values()] == [2.0, 2.0]


def test_a_given_cell_that_uses_the_students_names_runs_in_the_sessions_alone(run: Grade):
    cells = (
        student("def f(x): return 'out of the sandbox'"),
        given("print(f(1))\nfrom_student = f(1)"),
        check("assert 'from_student' not in globals()"),
    )
    outcome = run(*cells)
    assert outcome.tests["test"].score == 2.0
    assert "out of the sandbox" in repr(outcome.outputs["given"])


def test_a_given_function_that_calls_the_student_calls_through_the_wall(run: Grade):
    cells = (given("def twice(x): return f(f(x))"), student("def f(x): return x + 1"), check("assert twice(1) == 3"))
    assert run(*cells).tests["test"].score == 2.0


def test_a_test_may_pass_only_what_goes_through_the_wall(run: Grade):
    outcome = run(student("def f(x): return 1"), check("f(object)\nNone", "class"), check("f({(1, 2): 3})", "key"))
    assert [test.score for test in outcome.tests.values()] == [2.0, 0.0]


def test_exceptions_come_as_the_builtin_of_their_name(run: Grade):
    answer = "class Own(ValueError): pass\ndef f(x):\n    raise (ValueError if x else Own)('text')"
    test = """
try:
    f(1)
    raise RuntimeError
except ValueError as error:
    assert type(error) is ValueError and str(error) == 'text'
try:
    f(0)
    raise RuntimeError
except Exception as error:
    assert type(error).__name__ == 'StudentError'
"""
    assert run(student(answer), check(test)).tests["test"].score == 2.0


def test_an_exception_named_like_a_builtin_is_only_that_builtin(run: Grade):
    """Nothing but the name passes, so a forged name gives what raising the builtin itself would give."""
    answer = (
        "class MemoryError(Exception):\n    def __init__(self): self.args = (lambda: 1,)\ndef f(x): raise MemoryError"
    )
    test = "try:\n    f(1)\nexcept MemoryError as error:\n    assert type(error.args[0]) is str"
    assert run(student(answer), check(test)).tests["test"].score == 2.0


def test_time_and_seeds_are_the_trusted_sides_own(run: Grade):
    answer = "import numpy as np, random, time\nnp.random.seed(0)\ntime.time = time.monotonic = lambda: 0\n"
    answer += "def f(x):\n    np.random.seed(0); random.seed(0)\n    return np.random.rand()"
    test = "import numpy as np, time\nnp.random.seed(5)\na = np.random.rand()\nf(1)\nnp.random.seed(5)\n"
    test += "assert np.random.rand() == a and time.monotonic() > 0"
    assert run(student(answer), check(test)).tests["test"].score == 2.0


def test_a_flood_of_outputs_over_all_cells_is_cut(run: Grade):
    cells = [student("print('x' * 60_000)", f"cell-{i}", defines=()) for i in range(60)]
    outcome = run(*cells, student("def f(x): return x"), check("assert f(1) == 1"))
    assert outcome.tests["test"].score == 2.0
    assert len(repr(outcome.outputs)) < 40 * 64 * 1024


def test_write_protection_lifted_from_a_view_shows_as_without_a_wall(run: Grade):
    test = """
import numpy as np
whole = np.arange(3)
held, fast = whole[:], np.frombuffer(bytes(3), np.uint8)
held.flags.writeable = False
f(held)
f(fast)
assert whole.tolist() == [7, 7, 7] and not held.flags.writeable and fast.tolist() == [0, 0, 0]
"""
    outcome = run(student("def f(x):\n    x.flags.writeable = True\n    x[...] = 7"), check(test))
    assert outcome.tests["test"].score == 2.0
