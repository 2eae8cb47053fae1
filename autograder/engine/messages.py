"""What is said about a test: to the student no hidden line, input or expected value; to the instructor all."""

from __future__ import annotations

import builtins
import traceback
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

from ..sandbox.session import Raised, SessionLost
from .model import Cell, Role
from .proxy import UNDEFINED, UNREADABLE, FailedCall

MAX_MESSAGE = 600

NOT_ATTEMPTED = "Not attempted: {names} is still as released."
STOPPED = "{what} was stopped: {reason}."
STUDENT_RAISED = "{name} raised {error}{place}."
STUDENT_UNDEFINED = "{name} is not defined: the cell that should define it {why}."
STUDENT_UNREADABLE = "{name} returned a value that is too large, or too deeply nested, to be read."
STOPPED_WITH = "stopped with {error}"
DID_NOT_DEFINE = "does not do so"
PLACE = " in line {line} of your cell: {code}"
UNUSABLE = "What your code returned could not be used ({error})."
UNREACHED = "Not graded: the time for the whole submission was used up before this test."
TEST_TOO_SLOW = "Not graded in time: this test was stopped after {seconds:g} s."
BAD_SCORE = "test cell {key!r} ends in {value}, which is no score"


def not_attempted(names: Sequence[str]) -> str:
    return NOT_ATTEMPTED.format(names=" and ".join(names))


def stopped(what: str, lost: SessionLost) -> str:
    return STOPPED.format(what=what, reason=lost.reason)


def for_student(
    error: BaseException, failed: FailedCall | None, cells: Mapping[str, Cell], failures: Mapping[str, str]
) -> str:
    """One sentence on a failed test.

    Only two kinds of words may pass: a message that stands in a test's own ``assert``, and the name of a builtin
    exception. An exception's text could carry a hidden input out; so could a line of the student's own code, which
    is named by `where_it_raised` when that is known not to depend on one.

    Args:
        error: what ended the test.
        failed: the call of the student's that raised it, if one did.
        cells: the notebook's cells, by key.
        failures: the exception's name for each student cell that raised one.
    """
    if failed is not None:
        return _of_student(failed, cells, failures)
    if isinstance(error, AssertionError) and _own_assert(error.__traceback__):
        text = str(error).strip()
        if text:
            return text[:MAX_MESSAGE]
    return UNUSABLE.format(error=type(error).__name__)


def where_it_raised(failed: FailedCall, cells: Mapping[str, Cell]) -> str:
    """The same sentence with the line of the student's own code, or "" where there is none to name."""
    raised, cell = failed.raised, cells.get(failed.raised.cell)
    # the place is the student's word too: named by them, a test cell would show its hidden lines
    lines = cell.source.splitlines() if cell and cell.role is Role.STUDENT else []
    if not 0 < raised.line <= len(lines):
        return ""
    place = PLACE.format(line=raised.line, code=lines[raised.line - 1].strip()[:200])
    return STUDENT_RAISED.format(name=failed.function, error=_name_of(raised), place=place)


def for_instructor(error: BaseException) -> str:
    """The whole story, with the test's own lines."""
    return "".join(traceback.format_exception(error))[-20_000:]


def failures_in(outputs: Mapping[str, list[dict[str, Any]]]) -> dict[str, str]:
    """By cell key: the name of the exception that ended the cell."""
    errors = {key: [one for one in shown if one["output_type"] == "error"] for key, shown in outputs.items()}
    return {key: str(found[-1]["ename"]) for key, found in errors.items() if found}


def _of_student(failed: FailedCall, cells: Mapping[str, Cell], failures: Mapping[str, str]) -> str:
    name, raised = failed.function, failed.raised
    if raised.name == UNDEFINED:
        errors = [failures[cell.key] for cell in cells.values() if name in cell.defines and cell.key in failures]
        known = [error for error in errors if _is_builtin(error)]
        why = STOPPED_WITH.format(error=known[0]) if known else DID_NOT_DEFINE
        return STUDENT_UNDEFINED.format(name=name, why=why)
    if raised.name == UNREADABLE:
        return STUDENT_UNREADABLE.format(name=name)
    return STUDENT_RAISED.format(name=name, error=_name_of(raised), place="")


def _name_of(raised: Raised) -> str:
    return raised.name if _is_builtin(raised.name) else "an exception of its own"


def _is_builtin(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def _own_assert(trace: TracebackType | None) -> bool:
    """Whether an AssertionError comes from a cell's own ``assert`` and not from a library's, whose text has values."""
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename.startswith("<trusted ")
