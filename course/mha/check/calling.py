"""Calling a student's function: whatever it is and does, there is an answer to be given."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import TextIO

import numpy as np

from mha.check.trouble import described

__all__ = ["Listener", "call", "listening", "nothing_yet", "own_name"]


def call(function: Callable[..., object], *args: object) -> tuple[object, str | None]:
    """Call ``function`` on copies of ``args`` and return ``(result, trouble)``.

    ``trouble`` is None, or the exception in words, with a full stop. Interrupting the kernel still works.
    """
    try:
        return function(*(arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args)), None
    except KeyboardInterrupt:
        raise
    # A student's function may raise anything at all, and a check must answer all the same.
    except BaseException as error:  # noqa: BLE001
        return None, f"{described(error)}."


def nothing_yet(name: str, *, printed: bool) -> str:
    """Say that the function called ``name`` handed over nothing, and what to do about it."""
    if printed:
        return f"`{name}` prints something and returns nothing. A print only shows: hand the result over with `return`."
    return f"`{name}` returns nothing yet. Fill in the blank, return the result, and run this again."


def own_name(function: object) -> str | None:
    """Return the name under which the student defined the function, None where it has none."""
    return function.__name__ if type(function) is FunctionType and function.__name__.isidentifier() else None


class Listener(io.TextIOBase):
    """Notices whether something is printed, and lets it through: a print is how a student looks at shapes."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.printed = False

    def write(self, text: str) -> int:
        self.printed = True
        return self._out.write(text)

    def flush(self) -> None:
        self._out.flush()


@contextlib.contextmanager
def listening() -> Iterator[Listener]:
    """Yield a `Listener` that hears everything that is printed inside of the block."""
    listener = Listener(sys.stdout)
    with contextlib.redirect_stdout(listener):
        yield listener
