"""What a hidden test holds in its hands instead of a student's function."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

from ..sandbox.session import Missing, Raised, Returned, Unsendable
from ..sandbox.wire import WireError
from .standin import stand_in, with_views
from .student import StudentSide

UNDEFINED, UNREADABLE = "<undefined>", "<unreadable>"
"""What a proxy found out by itself, in the place of an exception's name: no class can be called so."""

NOT_DEFINED = "name {name!r} is not defined"
NOT_SENDABLE = "The value that {name} returned cannot be read: {why}."

_ERRORS = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, Warning)
}
_NEED_MORE_THAN_TEXT = {"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError", "ExceptionGroup"}
_END_A_LOOP = {"StopIteration", "StopAsyncIteration"}
"""Raised in a test's `map` or `next`, these would end its loop early and in peace."""


class StudentError(Exception):
    """An exception of the student's code that is none of Python's own."""


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A call that raised: in the test as ``error``, and in the sandbox as ``raised`` tells."""

    function: str
    error: BaseException
    raised: Raised
    arguments: tuple[Any, ...]
    """Those of the call in form alone: see `stand_in`."""
    options: dict[str, Any]


class Proxy:
    """Calls a student's function in the sandbox; plain values and arrays go in and come back."""

    def __init__(self, name: str, side: StudentSide) -> None:
        self.__name__ = name
        self._side = side
        self.called = False
        self.failed: list[FailedCall] = []
        """The calls whose exceptions this proxy re-raised."""

    def __repr__(self) -> str:
        return f"<the student's function {self.__name__}>"

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call the function.

        Raises:
            Exception: the builtin of the same name as the student's exception, else StudentError. NameError where
                the student defined no such function.
            SessionLost: it hung, died or sent nonsense; no ``except Exception`` catches that.
        """
        self.called = True
        before = with_views((arguments, options))  # the call may give an array another shape
        try:
            answer = self._side.call(self.__name__, arguments, options)
        except WireError as error:
            raise TypeError(f"A test may only pass plain values and arrays: {error}.") from None
        match answer:
            case Returned(value):
                return value
            case Raised(name=name):
                raise self._failed(_as_exception(name, answer.text), answer, before)
            case Missing():
                error = NameError(NOT_DEFINED.format(name=self.__name__))
                raise self._failed(error, Raised(UNDEFINED, str(error), "", 0), before)
            case Unsendable(why=why):
                error = StudentError(NOT_SENDABLE.format(name=self.__name__, why=why))
                raise self._failed(error, Raised(UNREADABLE, str(error), "", 0), before)

    def _failed(self, error: Exception, raised: Raised, before: tuple[Any, Any]) -> Exception:
        self.failed.append(FailedCall(self.__name__, error, raised, *stand_in(before)))
        return error


def _as_exception(name: str, text: str) -> Exception:
    kind = _ERRORS.get(name)
    if kind is None or name in _NEED_MORE_THAN_TEXT | _END_A_LOOP:
        return StudentError(f"{name}: {text}")
    return kind(text)
