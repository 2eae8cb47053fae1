"""Checkpoints: run a student's function on small inputs and say at once what is right or which slip it made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mha.check.calling import call, listening, nothing_yet, own_name
from mha.check.report import Block, Mood, Report, Section
from mha.check.trouble import kind

__all__ = ["Case", "Checkpoint", "Slip"]


@dataclass(frozen=True)
class Case:
    """One input and what a right function makes of it.

    Attributes:
        args: the positional arguments; arrays among them are copied for each call.
        want: the right result, an array.
        words: what is special about this input ("two sentences", say).
    """

    args: tuple[object, ...]
    want: np.ndarray
    words: str


@dataclass(frozen=True)
class Slip:
    """A mistake that people make: a function that makes it, and the words that help."""

    make: Callable[..., object]
    message: str
    section: Section | None = None


@dataclass(frozen=True)
class Checkpoint:
    """What to run, what may have slipped, and what to say.

    Attributes:
        name: what the lesson calls the function; a student's own name for it is used where there is one.
        cases: inputs in the order in which they are tried.
        because: said when every case is right.
        section: where it was taught; a slip may name a place of its own.
        slips: known mistakes; the first whose result equals the student's on the failing case is named.
        public: hidden checks exist beside these.
    """

    name: str
    cases: tuple[Case, ...]
    because: str
    section: Section
    slips: tuple[Slip, ...] = ()
    public: bool = False

    def report(self, function: object) -> Report:
        """Return the answer to ``function``. Never raises, whatever it is and whatever it does."""
        if not callable(function):
            return self._wrong(f"`{self.name}` should be a function; this is {kind(function)}.")
        name = own_name(function) or self.name
        for case in self.cases:
            with listening() as heard:
                got, trouble = call(function, *case.args)
            if trouble is not None:
                return self._wrong(f"On {case.words}, `{name}` stopped with {trouble}")
            if got is None or got is ...:
                return Report(Mood.WAITING, nothing_yet(name, printed=heard.printed), section=self.section)
            answer = self._compare(got, case, name)
            if answer is not None:
                return answer
        return Report(Mood.RIGHT, self.because, public=self.public)

    def _compare(self, got: object, case: Case, name: str) -> Report | None:
        if issubclass(type(got), tuple):
            return self._wrong(f"On {case.words}, `{name}` returned {kind(got)}. Return one array, and nothing beside.")
        array, trouble = call(_numbers, got)
        if trouble is not None:
            return self._wrong(f"On {case.words}, `{name}` returned {kind(got)}, not an array of numbers.")
        if _equal(array, case.want):
            return None
        for slip in self.slips:
            made, trouble = call(slip.make, *case.args)
            if trouble is None and _equal(array, np.asarray(made)):
                return self._wrong(slip.message, section=slip.section)
        if array.shape != case.want.shape:
            words = f"On {case.words} the shape is {array.shape}; it should be {case.want.shape}."
            return self._wrong(words)
        where = tuple(int(i) for i in np.argwhere(~np.isclose(array, case.want, rtol=1e-6, atol=1e-9))[0])
        words = f"The shape is right, but on {case.words} the numbers are not."
        block = Block(
            f"The first that differs is at {where}:",
            f"yours {float(array[where]):.6g}, right {float(case.want[where]):.6g}",
        )
        return self._wrong(words, blocks=(block,))

    def _wrong(self, message: str, *, blocks: tuple[Block, ...] = (), section: Section | None = None) -> Report:
        return Report(Mood.WRONG, message, blocks=blocks, section=section or self.section, public=self.public)


def _numbers(result: object) -> np.ndarray:
    array = np.asarray(result)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"dtype {array.dtype}")
    return array


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-6, atol=1e-9))
