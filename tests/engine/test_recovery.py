"""One cell or call that hangs or dies costs its own points; the session is rebuilt for the rest."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from autograder.engine.messages import UNREACHED
from autograder.sandbox.errors import SandboxGone
from autograder.sandbox.sandbox import Sandbox
from tests.support.isolations import LIMITS

from .conftest import Grade, check, given, student

QUICK = replace(LIMITS, cell_seconds=2.0, impatient_seconds=0.5, submission_seconds=60.0)
ENDS = {
    "hangs": "while True: pass",
    "dies": "import os; os._exit(0)",
    "catches all": "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_a_call_that_does_not_return_costs_its_own_test(run: Grade, end: str):
    answer = f"def f(x):\n    if x == 13:\n        {end.replace(chr(10), chr(10) + '    ')}\n    return x + 1"
    tests = [check(f"assert f({x}) == {x + 1}", f"test-{x}") for x in (1, 13, 2)]
    outcome = run(student(answer), *tests, limits=QUICK)
    assert [test.score for test in outcome.tests.values()] == [2.0, 0.0, 2.0]
    assert "f was stopped" in outcome.tests["test-13"].message
    assert any("a call of f was stopped" in note for note in outcome.notes)


@pytest.mark.parametrize("end", ["while True: pass", "import os; os._exit(0)"])
def test_a_cell_that_does_not_end_costs_no_other(run: Grade, end: str):
    cells = [
        student("def f(x): return x + y"),
        student("y = 1", "before"),
        student(end, "bad"),
        student("y = 2", "after"),
    ]
    outcome = run(*cells, check("assert f(1) == 3"), limits=QUICK)
    assert outcome.tests["test"].score == 2.0
    assert [note for note in outcome.notes if "bad" in note]
    assert outcome.outputs["bad"][0]["ename"] == "Stopped"


def test_a_function_that_dies_the_second_time_is_called_in_a_fresh_session_the_third(run: Grade):
    answer = "calls = []\ndef f(x):\n    calls.append(x)\n    if len(calls) == 2: import os; os._exit(0)\n    return x"
    outcome = run(student(answer), *(check("assert f(1) == 1", f"test-{i}") for i in range(3)), limits=QUICK)
    assert [test.score for test in outcome.tests.values()] == [2.0, 0.0, 2.0]


def test_a_test_that_swallows_the_loss_earns_nothing(run: Grade):
    test = "try:\n    f(1)\nexcept BaseException:\n    pass"
    outcome = run(student("def f(x): import os; os._exit(0)"), check(test), limits=QUICK)
    assert outcome.tests["test"].score == 0.0
    assert "f was stopped" in outcome.tests["test"].message


def test_after_its_first_timeout_a_function_gets_less_time(run: Grade):
    outcome = run(
        student("def f(x):\n    while True: pass"),
        *(check("f(1)", f"test-{i}") for i in range(4)),
        limits=replace(LIMITS, cell_seconds=3.0, impatient_seconds=0.2, submission_seconds=120.0),
    )
    times = [re.findall(r"took too long \(([0-9.]+) s\)", test.detail)[-1] for test in outcome.tests.values()]
    assert times == ["3.0", "0.2", "0.2", "0.2"]


def test_what_the_budget_leaves_unreached_says_so(run: Grade):
    limits = replace(LIMITS, cell_seconds=30.0, submission_seconds=2.0)
    outcome = run(
        student("def f(x):\n    while x == 0: pass\n    return x"),
        check("f(0)", "a"),
        check("f(2)", "b"),
        limits=limits,
    )
    assert outcome.tests["b"].score == 0.0
    assert outcome.tests["b"].message == UNREACHED


def test_a_test_that_hangs_by_itself_is_stopped(run: Grade):
    outcome = run(
        student("def f(x): return x"),
        check("while True: pass", "endless"),
        check("assert f(1) == 1", "next"),
        limits=QUICK,
    )
    assert outcome.tests["endless"].score == 0.0
    assert "this test was stopped" in outcome.tests["endless"].message
    assert outcome.tests["next"].score == 2.0


def test_an_alarm_in_the_middle_of_a_call_harms_no_later_test(run: Grade):
    test = """
import signal
class Alarm(BaseException): pass
def ring(*_): raise Alarm
before = signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    f(0)
except Alarm:
    1 / 0
finally:
    signal.signal(signal.SIGALRM, before)
"""
    answer = "def f(x):\n    while x == 0: pass\n    return x"
    outcome = run(student(answer), check(test, "cut"), check("assert f(1) == 1", "next"))
    assert [test.score for test in outcome.tests.values()] == [0.0, 2.0]


def test_an_end_of_loop_raised_by_the_student_ends_no_loop_of_the_test(run: Grade):
    test = "for x, y in zip([1, 2], map(f, [1, 2])):\n    assert x == y"
    outcome = run(student("def f(x): raise StopIteration"), check(test))
    assert outcome.tests["test"].score == 0.0


KILL = """
from autograder.sandbox.headcount import descendants, kill_all
kill_all([killed, *descendants(killed)])
f(1)
"""


def test_a_sandbox_that_ends_is_no_evidence(run: Grade, sandbox: Sandbox):
    with pytest.raises(SandboxGone):
        run(
            given("1"),
            student("def f(x): return x"),
            check(KILL),
            limits=_killing(sandbox),
        )
    sandbox.ready()
    outcome = run(student("def f(x): return x"), check("assert f(1) == 1"))
    assert outcome.tests["test"].score == 2.0


def _killing(sandbox: Sandbox):
    """Patience, and the sandbox killed behind the engine's back."""
    import builtins

    from .conftest import PATIENT

    builtins.killed = sandbox._process.pid
    return PATIENT


def test_files_of_the_student_are_there_in_every_session(run: Grade):
    answer = "text = open('data/mine.txt').read()\ndef f(x):\n    if x: import os; os._exit(0)\n    return text"
    tests = (check("assert f(0) == 'mine'", "a"), check("f(1)", "b"), check("assert f(0) == 'mine'", "c"))
    outcome = run(student(answer), *tests, files={"data/mine.txt": b"mine"}, limits=QUICK)
    assert [test.score for test in outcome.tests.values()] == [2.0, 0.0, 2.0]


def test_more_files_than_there_is_room_for_are_said_and_harm_nothing_else(run: Grade):
    files = {"fits.txt": b"fits", "x" * 300: b"no such name", "fits.txt/inside": b"no such folder"}
    files |= {f"{number}.bin": bytes(LIMITS.file) for number in range(8)}
    answer = "def f(x):\n    return open('fits.txt').read()"
    outcome = run(student(answer), check("assert f(1) == 'fits'"), files=files)
    assert outcome.tests["test"].score == 2.0
    assert any("x" * 300 in note for note in outcome.notes)
    assert any("fits.txt/inside" in note for note in outcome.notes)
