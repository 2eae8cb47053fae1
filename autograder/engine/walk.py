"""Grades one submission: walks its cells in order on both sides of the wall.

What a cell shows may be shown to the student, so no cell of the *run* session runs after a hidden call. The *test*
session takes the calls: one of its own, in which the same cells run again between the tests; or, where it can make no
difference to a test that all cells have run before it, the run session once all its outputs are in.
"""

from __future__ import annotations

from ..sandbox.clock import Clock
from ..sandbox.errors import SandboxError
from ..sandbox.limits import Limits
from ..sandbox.session import SessionLost, cost_of
from . import messages
from .budget import Budget, OutOfTime
from .model import Cell, Outcome, Role, Task, TestOutcome
from .order import tests_may_wait
from .student import OpenSession, StudentSide
from .trusted import BadTest, Diagnose, TrustedSide

FULL_CELLS = 32
"""The outputs of all cells together are kept up to what so many cells may show."""
LEFT_OUT = "This output is left out: the notebook shows more than is kept.\n"
CELL_STOPPED = "cell {key} was stopped: {reason}"
CELL_UNREACHED = "cell {key} was not run: the time for the whole submission was used up"
REPLAY_STOPPED = "a cell that had ended before was stopped when it ran again for the tests"
REPLAY_UNREACHED = "the time for the whole submission was used up before all cells had run again for the tests"
UNWRITTEN = "the file {file} could not be laid beside the notebook: there is no room for it, or no such name can be"
MORE_NOTES = "and {count} more of the kind"
MOST_NOTES = 50
FUNCTION_STOPPED = "a call of {key} was stopped: {reason}"


def grade(
    task: Task,
    open_session: OpenSession,
    limits: Limits,
    files: dict[str, bytes] | None = None,
    diagnose: Diagnose | None = None,
    *,
    outputs: bool = True,
    clock: Clock | None = None,
) -> Outcome:
    """Grade one submission.

    Args:
        task: the submission's cells, rebuilt from the source.
        open_session: makes a fresh session in the sandbox.
        limits: how long and how large things may be.
        files: the student's own files, by their paths below the working folder.
        diagnose: names the known mistakes of a function; None asks nobody.
        clock: what time limits are counted in: that of the sandbox which makes the sessions.
        outputs: keep what the cells show. Without it there is no run session, and cells that hang do so once only.

    Returns:
        The outcome. Where the grader itself failed, ``broken`` says so.

    Raises:
        SandboxGone: the sandbox died under the submission, which must be graded again from the start. Nothing that
            a submission does raises.
    """
    outcome = Outcome()
    budget = Budget(limits, clock or Clock())
    run_side = StudentSide(open_session, budget, files or {})
    try:
        stopped = _run_for_outputs(task, run_side, limits, outcome) if outputs else set()
        ran = outputs and not stopped and tests_may_wait(task)
        if ran:
            side = run_side
        else:
            run_side.close()
            side = StudentSide(open_session, budget, files or {})
        _run_tests(task, side, budget, limits, diagnose, stopped, outcome, ran=ran)
    except (SandboxError, BadTest) as error:
        outcome.broken = str(error)
    finally:
        run_side.close()
    if len(outcome.notes) > MOST_NOTES:
        outcome.notes[MOST_NOTES:] = [MORE_NOTES.format(count=len(outcome.notes) - MOST_NOTES)]
    return outcome


def _run_for_outputs(task: Task, side: StudentSide, limits: Limits, outcome: Outcome) -> set[str]:
    """Run all but the tests in the run session and keep what the cells show; give the cells that did not end."""
    stopped: set[str] = set()
    room = FULL_CELLS * limits.output
    for cell in task.cells:
        if cell.role is Role.TEST or not cell.runs:
            continue
        try:
            outputs = side.run(cell).outputs
            room -= sum(map(cost_of, outputs))
            outcome.outputs[cell.key] = outputs if room >= 0 else [_left_out()]
        except SessionLost as lost:
            stopped.add(cell.key)
            outcome.notes.append(CELL_STOPPED.format(key=cell.key, reason=lost.reason))
            outcome.outputs[cell.key] = [_stopped_output(lost)]
        except OutOfTime:
            stopped.add(cell.key)
            outcome.notes.append(CELL_UNREACHED.format(key=cell.key))
    return stopped


def _run_tests(
    task: Task,
    side: StudentSide,
    budget: Budget,
    limits: Limits,
    diagnose: Diagnose | None,
    stopped: set[str],
    outcome: Outcome,
    *,
    ran: bool,
) -> None:
    """Run the tests, and between them all other cells unless these ``ran`` in the same session before."""
    failures = messages.failures_in(outcome.outputs)
    trusted = TrustedSide(task, side, budget, limits, diagnose, failures)
    try:
        for cell in task.cells:
            if cell.role is Role.TEST:
                outcome.tests[cell.key] = _run_test(trusted, cell)
                continue
            if cell.runs and not ran and cell.key not in stopped:
                _run_again(side, cell, outcome)
            if cell.role is Role.LOCKED and cell.runs:
                trusted.run_locked(cell)
    finally:
        side.close()
    trusted.explain()
    outcome.found = trusted.found
    calls = {where: lost for where, lost in side.losses if where in task.functions}
    outcome.notes += [FUNCTION_STOPPED.format(key=where, reason=lost.reason) for where, lost in calls.items()]
    outcome.notes += [UNWRITTEN.format(file=name) for name in sorted(side.unwritten)]


def _run_test(trusted: TrustedSide, cell: Cell) -> TestOutcome:
    try:
        return trusted.run_test(cell)
    except OutOfTime:
        return TestOutcome(0.0, cell.max_score, messages.UNREACHED)


def _run_again(side: StudentSide, cell: Cell, outcome: Outcome) -> None:
    """Run a cell in the test session, after hidden calls: which cell stops, why and how often could spell them out."""
    try:
        side.run(cell)
    except SessionLost:
        note = REPLAY_STOPPED
    except OutOfTime:
        note = REPLAY_UNREACHED
    else:
        return
    if note not in outcome.notes:
        outcome.notes.append(note)


def _left_out() -> dict[str, object]:
    return {"output_type": "stream", "name": "stderr", "text": LEFT_OUT}


def _stopped_output(lost: SessionLost) -> dict[str, object]:
    return {"output_type": "error", "ename": "Stopped", "evalue": lost.reason, "traceback": [f"Stopped: {lost.reason}"]}
