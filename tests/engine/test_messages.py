"""What the student reads of a failed test, and what they must not."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.engine.model import Found

from .conftest import Grade, check, given, student

SECRET = 48151623


def told(run: Grade, test: str, answer: str = "def f(x):\n    return 0", **options: Any) -> str:
    outcome = run(student(answer), check(test), **options)
    assert outcome.broken is None
    assert outcome.tests["test"].score == 0.0
    return outcome.tests["test"].message


def test_the_tests_own_words_pass(run: Grade):
    assert told(run, "assert f(1) == 2, 'Add one.'") == "Add one."


def test_also_from_a_helper_of_the_test(run: Grade):
    test = "def need(x):\n    assert x == 2, 'Add one.'\nneed(f(1))"
    assert told(run, test) == "Add one."


def test_an_assert_without_words_says_no_line(run: Grade):
    message = told(run, f"assert f({SECRET}) == 2")
    assert str(SECRET) not in message
    assert "assert" not in message


def test_a_librarys_assert_does_not_show_the_expected_values(run: Grade):
    test = f"import numpy as np\nnp.testing.assert_allclose(f(1), {SECRET})"
    outcome = run(student("def f(x): return 0"), check(test))
    assert str(SECRET) not in outcome.tests["test"].message
    assert str(SECRET) in outcome.tests["test"].detail


@pytest.mark.parametrize(
    "carry",
    [
        "raise ValueError(str(x))",
        "raise AssertionError(str(x))",
        "raise type(f'Got{x}', (Exception,), {})(str(x))",
        "raise type('ValueError', (Exception,), {'__str__': lambda self: str(x)})()",
        "raise KeyError(x)",
        "raise ExceptionGroup(str(x), [ValueError(str(x))])",
        "raise BaseException(str(x))",
        "raise SystemExit(x)",
        "import warnings; warnings.warn(str(x)); raise RuntimeWarning(str(x))",
        "assert False, str(x)",
        "exec(f'raise ValueError({x})')",
        "return type(f'Got{x}', (), {})()",
        "return '%d' % x",
        "import os; os._exit(x % 256)",
        "get_ipython().run_cell(f'raise ValueError({x})')",
        "return {x: x}",
        "return [x] * 10**7",
    ],
)
def test_no_word_of_the_student_carries_an_input_out(run: Grade, carry: str):
    answer = f"def f(x):\n    print(x)\n    open('kept', 'a').write(str(x))\n    {carry}"
    later = student("print('kept:', open('kept').read() if __import__('os').path.exists('kept') else '')", "later")
    outcome = run(student(answer), check(f"assert f({SECRET}) == 0"), later, check("assert f(1) == 0", "second"))
    assert outcome.broken is None
    seen = (outcome.outputs, outcome.notes, [(test.message, test.mistakes) for test in outcome.tests.values()])
    assert str(SECRET) not in repr(seen)


def test_a_hidden_input_is_in_no_shown_output(run: Grade):
    keep = "seen = []\ndef f(x):\n    seen.append(x); print('called with', x); return x + 1"
    show = student(
        "print(seen)\nimport gc\n[o for o in gc.get_objects() if type(o) is list and o and o == seen]", "show"
    )
    outcome = run(student(keep), student("f(7)", "own"), check(f"assert f({SECRET}) == {SECRET + 1}"), show)
    assert outcome.tests["test"].score == 2.0
    assert "called with 7" in repr(outcome.outputs["own"])
    assert str(SECRET) not in repr(outcome.outputs)


def test_a_builtin_exception_is_named_with_the_students_own_line(run: Grade):
    message = told(run, f"assert f({SECRET}) == 2", "def f(x):\n    y = x\n    return [][y]")
    assert message == "f raised IndexError in line 3 of your cell: return [][y]."


def test_an_exception_of_their_own_is_not_named(run: Grade):
    message = told(run, "assert f(1) == 2", "class Secret(Exception): pass\ndef f(x):\n    raise Secret")
    assert message == "f raised an exception of its own in line 3 of your cell: raise Secret."


def test_a_function_that_was_never_defined_is_said_to_be_so(run: Grade):
    assert "f is not defined" in told(run, "assert f(1) == 2", "def other(x): pass")
    assert "SyntaxError" in told(run, "assert f(1) == 2", "def f(x: return")


def test_not_attempted_is_said_and_is_no_mistake(run: Grade):
    def diagnose(*_: object) -> Found:
        raise AssertionError("nobody asks about a stub")

    outcome = run(
        student("def f(x):\n    ...", attempted=False), check("assert f(1) == 2, 'Add one.'"), diagnose=diagnose
    )
    assert outcome.tests["test"].message == "Not attempted: f is still as released."
    assert outcome.tests["test"].mistakes == []


def test_mistakes_are_asked_for_once_a_function(run: Grade):
    asked = []

    def diagnose(name: str, function: Any, has_time: Any) -> Found:
        asked.append((name, function(3), has_time()))
        return Found(["forgot_one"])

    tests = [
        check("assert f(1) == 2", "first"),
        check("assert f(2) == 3", "second"),
        check("assert f(0) == 0", "third"),
    ]
    outcome = run(student("def f(x): return 0"), *tests, diagnose=diagnose)
    assert asked == [("f", 0, True)]
    assert [test.mistakes for test in outcome.tests.values()] == [["forgot_one"], ["forgot_one"], []]


def test_a_search_that_did_not_end_says_so(run: Grade):
    answer = "import os\ndef f(x): return os._exit(0) if x > 90 else 0"
    cells = student(answer), check("assert f(1) == 2")
    ended = run(*cells, diagnose=lambda name, function, has_time: Found([str(function(3))]))
    cut = run(*cells, diagnose=lambda name, function, has_time: Found([str(function(99))]))
    assert (ended.found["f"].complete, cut.found["f"].complete) == (True, False)
    assert (ended.tests["test"].mistakes, cut.tests["test"].mistakes) == (["0"], [])


def test_text_of_a_given_cells_output_is_shown(run: Grade):
    outcome = run(given("print('hello')"), student("def f(x): return 0"), check("assert f(1) == 0"))
    assert "hello" in repr(outcome.outputs["given"])


def test_what_the_catalogue_says_never_comes_from_a_session_that_heard_a_hidden_call(run: Grade):
    """A function could answer the catalogue's calls with what the tests gave it."""
    answer = "heard = []\ndef f(x):\n    heard.append(x)\n    return list(heard)"

    def diagnose(name: str, function: Any, has_time: Any) -> Found:
        return Found([str(function(0))], [f"It returns {function(1)}."])

    outcome = run(
        student(answer), check(f"assert f({SECRET}) == 0"), check("assert f(5) == 0", "next"), diagnose=diagnose
    )
    assert outcome.found["f"].facts == ["It returns [0, 1]."]
    assert [test.mistakes for test in outcome.tests.values()] == [["[0]"], ["[0]"]]


def test_the_catalogue_hears_the_function_with_what_the_tests_defined_beside_it(run: Grade):
    cells = (
        student("def f(x): return -1"),
        student("def g(x): return f(x) * 10", "g", defines=("g",)),
        check("def f(x):\n    return x\nassert g(1) == 11"),
    )
    outcome = run(*cells, diagnose=lambda name, function, has_time: Found([], [str(function(7))]))
    assert outcome.found["g"].facts == ["70"]


def test_a_thousand_stopped_cells_are_not_a_thousand_notes(run: Grade):
    cells = [student("import os; os._exit(0)", f"cell-{i}", defines=()) for i in range(60)]
    outcome = run(*cells, student("def f(x): return x"), check("assert f(1) == 1"))
    assert outcome.tests["test"].score == 2.0
    assert len(outcome.notes) == 51
    assert outcome.notes[-1] == "and 10 more of the kind"


@pytest.mark.parametrize("line", [1, 2, 3, 4, 10**9, -1])
def test_a_forged_place_shows_no_line_of_a_test(run: Grade, line: int):
    answer = f"""
def f(x):
    code = compile("\\n" * {max(line, 1) - 1} + "raise ValueError", "<cell test>", "exec") if {line} < 100 else None
    exec(code or "raise ValueError")
"""
    test = f"hidden = {SECRET}\nhidden_too = {SECRET}\nassert f(1) == 2"
    assert str(SECRET) not in told(run, test, answer)
    assert "hidden" not in told(run, test, answer)
