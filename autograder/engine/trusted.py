"""The trusted side: runs the given cells and the test cells, with proxies in place of the student's functions."""

from __future__ import annotations

import builtins
import contextlib
import io
import math
import numbers
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..sandbox.limits import Limits
from ..sandbox.session import Raised, Returned, SessionLost
from . import messages
from .budget import Budget, OutOfTime
from .model import Cell, Found, Task, TestOutcome
from .names import needs_student
from .program import Program, program_of
from .proxy import FailedCall, Proxy
from .student import StudentSide

Diagnose = Callable[[str, Callable[..., Any], Callable[[], bool]], Found]
"""Given a function's name, the function and whether there is time for another call: what is known of it."""

GRACE_SECONDS = 1.0
"""Beyond a cell's own seconds, which end a call: so much a test may take by itself."""
DIAGNOSIS_SECONDS = 5.0
"""All calls together by which the catalogue finds out about one function; they take a tenth of a second."""


class TestTooSlow(BaseException):
    """A test used up its time by itself, not in a call."""


class BadTest(Exception):
    """A test is wrong in itself: the grader's fault, whatever was submitted."""


class TrustedSide:
    """One namespace in which all trusted cells of a submission run, in order."""

    def __init__(
        self,
        task: Task,
        side: StudentSide,
        budget: Budget,
        limits: Limits,
        diagnose: Diagnose | None,
        failures: Mapping[str, str],
    ) -> None:
        self._task = task
        self._side = side
        self._budget = budget
        self._limits = limits
        self._diagnose = diagnose
        self._failures = failures
        self._cells = {cell.key: cell for cell in task.cells}
        self._proxies = {name: Proxy(name, side) for name in sorted(task.functions)}
        self.found: dict[str, Found] = {}
        self._asides: dict[str, StudentSide] = {}
        self._unexplained: list[tuple[TestOutcome, list[str]]] = []
        self._unplaced: dict[str, list[tuple[TestOutcome, FailedCall]]] = {}
        self._namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins, **self._proxies}

    def run_locked(self, cell: Cell) -> None:
        """Run a given cell, unless its top level needs the student's code. Raises BadTest where it fails."""
        program = self._program(cell)
        if needs_student(program.top_level_loads, self._task):
            return
        try:
            with _quiet():
                for step in program.steps:
                    exec(step.code, self._namespace)
                if program.last is not None:
                    eval(program.last, self._namespace)
        except Exception as error:
            raise BadTest(f"given cell {cell.key!r} failed in the trusted process: {error!r}") from error

    def run_test(self, cell: Cell) -> TestOutcome:
        """Run one test cell and score it.

        Raises:
            OutOfTime: before it began.
            BadTest: the test itself is wrong.
        """
        program = self._program(cell)
        outcome = TestOutcome(0.0, cell.max_score)
        failed: FailedCall | None = None
        for proxy in self._proxies.values():
            proxy.called = False
        losses = len(self._side.losses)
        try:
            self._side.prepare()
            self._budget.start_cell()
            self._fetch_data(program)
            with _quiet(), self._alarm():
                value = self._run_steps(program)
            score = None
        except SessionLost as lost:
            value, score = None, 0.0
            where = self._side.losses[-1][0] if len(self._side.losses) > losses else "Your code"
            outcome.message = messages.stopped(where, lost)
            outcome.detail = messages.for_instructor(lost)
        except OutOfTime:
            value, score = None, 0.0
            outcome.message = messages.UNREACHED
        except TestTooSlow:
            value, score = None, 0.0
            outcome.message = messages.TEST_TOO_SLOW.format(seconds=self._limits.cell_seconds)
        except Exception as error:  # noqa: BLE001 - a failing test is what this is for
            value, score = None, 0.0
            calls = (call for proxy in self._proxies.values() for call in proxy.failed)
            failed = next((call for call in calls if call.error is error), None)
            outcome.message = messages.for_student(error, failed, self._cells, self._failures)
            outcome.detail = messages.for_instructor(error)
        if score is None and len(self._side.losses) > losses:  # a test that swallowed the loss
            score, outcome.message = 0.0, messages.stopped(*self._side.losses[-1])
        outcome.score = self._score(cell, value) if score is None else score
        if outcome.score < cell.max_score or (score is not None and not cell.max_score):
            self._explain(outcome, failed)
        return outcome

    def _run_steps(self, program: Program) -> Any:
        """Run a test's statements one after the other; the value is that of a last expression."""
        for step in program.steps:
            exec(step.code, self._namespace)
            if step.defines:
                self._side.define(step.defines, step.source)
        return None if program.last is None else eval(program.last, self._namespace)

    def _fetch_data(self, program: Program) -> None:
        for name in sorted(self._task.data & program.loads):
            self._namespace.pop(name, None)
            match self._side.fetch(name):
                case Returned(value):
                    self._namespace[name] = value

    def _score(self, cell: Cell, value: Any) -> float:
        if value is None:
            return cell.max_score
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or math.isnan(value):
            raise BadTest(messages.BAD_SCORE.format(key=cell.key, value=f"a value of type {type(value).__name__}"))
        return min(max(float(value), 0.0), cell.max_score)

    def _explain(self, outcome: TestOutcome, failed: FailedCall | None) -> None:
        """Say where a function was never written; else remember to ask which known mistakes it makes."""
        called = [name for name, proxy in self._proxies.items() if proxy.called]
        untouched = [name for name in called if not self._attempted(name)]
        if untouched:
            outcome.message = messages.not_attempted(untouched)
            return
        self._unexplained.append((outcome, called))
        if failed is not None and messages.where_it_raised(failed, self._cells):
            self._unplaced.setdefault(failed.function, []).append((outcome, failed))
        for name in called:
            if name not in self.found:
                self.found[name] = Found()
                if all(where != name for where, _ in self._side.losses):
                    self._asides[name] = self._side.apart()

    def explain(self) -> None:
        """Ask the catalogue about the functions that lost points, and put what it says beside the tests.

        Also name the line in which a function raised, where it does so again on numbers that anybody may know.

        All this is for the student, so it comes from sessions that never heard a hidden call: a function that did
        could spell a hidden input out by the mistakes it seems to make, or by the number of a line. To be called when
        the session of the tests has ended, since two that live at the same time could find a way to talk.
        """
        for name, side in self._asides.items():
            self.found[name] = self._ask_apart(name, side)
        for outcome, called in self._unexplained:
            for name in called:
                outcome.mistakes += [one for one in self.found[name].mistakes if one not in outcome.mistakes]

    def _attempted(self, name: str) -> bool:
        cells = [cell for cell in self._task.cells if name in cell.defines]
        return not cells or any(cell.attempted for cell in cells)

    def _ask_apart(self, name: str, side: StudentSide) -> Found:
        unplaced, found = self._unplaced.get(name, []), Found()
        if self._diagnose is None and not unplaced:
            return found
        try:
            side.prepare()
            self._budget.start_aside(DIAGNOSIS_SECONDS)
            if self._diagnose is not None:
                with _quiet():
                    found = self._diagnose(name, Proxy(name, side), self._budget.has_time)
            for outcome, failed in unplaced:
                self._place(outcome, failed, side)
            return replace(found, complete=self._budget.has_time())
        except (SessionLost, OutOfTime):
            return Found(complete=False)
        finally:
            side.close()

    def _place(self, outcome: TestOutcome, failed: FailedCall, side: StudentSide) -> None:
        """Name the line of a failed call where a call of the same form fails in the same way."""
        again = side.call(failed.function, failed.arguments, failed.options)
        if isinstance(again, Raised) and replace(again, text=failed.raised.text) == failed.raised:
            outcome.message = messages.where_it_raised(failed, self._cells)

    @contextlib.contextmanager
    def _alarm(self) -> Iterator[None]:
        def ring(*_: object) -> None:
            if not self._budget.has_time():
                raise TestTooSlow
            signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS)  # the machine stood still for a while

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self._limits.cell_seconds + GRACE_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _program(self, cell: Cell) -> Program:
        try:
            return program_of(cell.key, cell.source, self._task.functions)
        except SyntaxError as error:
            raise BadTest(f"cell {cell.key!r} is not Python: {error}") from error


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What trusted cells print or warn of is nobody's business: it costs and shows nothing."""
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield
