"""The checks of the bug hunt: does this input show the bug, and could a smaller one?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mha.bugs import BUGS, TOLERANCE, Bug
from mha.check.calling import call
from mha.check.report import Mood, Report, Section
from mha.check.trouble import kind

__all__ = ["check_catch"]

TAUGHT = {
    "concat": Section(3, "One sentence, two heads"),
    "scale": Section(2, "Two slips, and what the sums can see"),
    "mask": Section(2, "A mask: who may look at whom"),
    "bias": Section(4, "What the bias does"),
}
Arrays = tuple[NDArray[Any], ...]


def check_catch(name: str, function: object) -> None:
    """Try the input that ``function()`` returns on a broken function, and say whether it shows the bug. Never raises.

    Args:
        name: the bug: "concat", "scale", "mask" or "bias".
        function: takes nothing and returns the broken function's arguments: one array, or a tuple of arrays.
    """
    report_on_catch(name, function).show()


def report_on_catch(name: str, function: object) -> Report:
    """Return what `check_catch` shows."""
    bug = next((bug for bug in BUGS if bug.name == name), None)
    if bug is None:
        return Report(Mood.NOTE, "There is no such bug: leave the first argument as the lesson gives it.")
    if not callable(function):
        return _wrong(f"This should be a function that returns the input; it is {kind(function)}.")
    got, trouble = call(function)
    if trouble is not None:
        return _wrong(f"Your function stopped with {trouble}")
    if got is None or got is ...:
        wanted = ", ".join(f"`{argument}` {axes}" for argument, axes in bug.arguments.items())
        return Report(Mood.WAITING, f"Return {wanted} and run this again.")
    arrays, report = _read(bug, got)
    return report or _judge(bug, arrays)


def _read(bug: Bug, got: object) -> tuple[Arrays, Report | None]:
    items = got if issubclass(type(got), tuple | list) and len(bug.arguments) > 1 else (got,)
    if len(items) != len(bug.arguments):
        words = f"Return {len(bug.arguments)} arrays, {', '.join(bug.arguments)}; this is {len(items)}."
        return (), _wrong(words)
    arrays = []
    for argument, item in zip(bug.arguments, items, strict=True):
        array, trouble = call(np.asarray, item)
        if trouble is not None or array.dtype.kind not in "biuf":
            return (), _wrong(f"`{argument}` is not an array of numbers.")
        if argument == "mask" and array.dtype != np.bool_:
            return (), _wrong("The mask must hold True and False (True = may attend), not numbers.")
        arrays.append(array if argument == "mask" else array.astype(float))
    return tuple(arrays), None


def _judge(bug: Bug, arrays: Arrays) -> Report:
    with np.errstate(all="ignore"):  # numbers so large that they overflow get words of their own below
        try:
            error = bug.error(*arrays)
        except ValueError as misfit:
            return _wrong(str(misfit))
    if not np.isfinite(error):
        return _wrong("These numbers are so large that the result is not finite. Small whole numbers will do.")
    if error <= TOLERANCE:
        words = f"Not caught: the broken function is right here. {WHY_HIDDEN[bug.name](*arrays)}"
        return Report(Mood.WRONG, words, section=TAUGHT[bug.name])
    numbers = sum(array.size for array in arrays)
    caught = f"Caught: the broken function is off by {error:.3g}, on an input of {numbers} numbers"
    if numbers > bug.smallest:
        words = f"{caught}. A smaller one exists: which axes can still be 1?"
        return Report(Mood.RIGHT, words, heading="Caught, not yet smallest")
    return Report(Mood.RIGHT, f"{caught}. No input with fewer can show this bug.", heading="Smallest catch")


def _concat_hidden(x: NDArray[Any]) -> str:
    B, _, T, _ = x.shape
    if B == 1:
        return "With one sentence (B = 1), moving the axis of sentences reorders nothing."
    if T == 1:
        return "With one position (T = 1), there is nothing that sentences could change places with."
    return "Several of your numbers are equal, so a change of order cannot be seen. Make them all different."


def _scale_hidden(q: NDArray[Any], k: NDArray[Any]) -> str:
    if q.shape[1] == 1:
        return "With one head (h = 1), hs is C, and both divisors are the same."
    if k.shape[2] == 1:
        return "With a single key (Tk = 1) its weight is 1, whatever the score."
    return "The scores of each query are all equal, so any divisor gives the same weights. Make them differ."


def _mask_hidden(scores: NDArray[Any], v: NDArray[Any], mask: NDArray[Any]) -> str:
    if mask.all():
        return "The mask hides nothing."
    if scores.shape[1] == 1:
        return "With a single key (Tk = 1), hiding it leaves nothing to attend to: both versions give 0."
    if not mask.any():
        return "The mask hides everything, and then both versions give 0. Leave one key visible."
    if not v.any():
        return "All values are 0, so the output is 0 whatever the weights are."
    return "Either the hidden keys have almost no weight anyway, or the visible values are 0. Try equal scores."


def _bias_hidden(x: NDArray[Any], weight_o: NDArray[Any], bias_o: NDArray[Any]) -> str:
    if not bias_o.any():
        return "The bias is 0, and 0 added twice is still 0."
    return "With one head (h = 1), the sum over heads has one term, and the bias is added once."


WHY_HIDDEN: dict[str, Callable[..., str]] = {
    "concat": _concat_hidden,
    "scale": _scale_hidden,
    "mask": _mask_hidden,
    "bias": _bias_hidden,
}


def _wrong(words: str) -> Report:
    return Report(Mood.WRONG, words)
