"""The checks of the exercises in lesson 5. (Exercise 1 shares ``check_concat`` with lesson 3.)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mha.check.calling import call, listening, nothing_yet
from mha.check.hunt import check_catch
from mha.check.report import Block, Mood, Report, Section
from mha.check.trouble import kind

__all__ = ["check_catch", "check_silence", "check_survey"]

SILENCE = Section(3, "Block i is head i")
SURVEY = Section(2, "All heads with one @")


def check_silence(function: object) -> None:
    """Try ``silence(Wv, i, h)`` and say what is right or which slip it made. Never raises.

    Args:
        function: returns a copy of the value projection (C, C) in which the columns of head i are zero.
    """
    report_on_silence(function).show()


def report_on_silence(function: object) -> Report:
    """Return what `check_silence` shows."""
    if not callable(function):
        return _wrong(f"`silence` should be a function; this is {kind(function)}.", SILENCE)
    for C, h, i in ((12, 3, 2), (12, 3, 0), (8, 4, 1), (6, 1, 0), (6, 6, 4)):
        report = _silence_once(function, C, h, i)
        if report is not None:
            return report
    words = "Exactly the columns of that head are zero, all others are as they were, and the original is untouched."
    return Report(Mood.RIGHT, words)


def _silence_once(function: Callable[..., object], C: int, h: int, i: int) -> Report | None:
    Wv = np.arange(1.0, C * C + 1).reshape(C, C)  # no zero anywhere: each zero in the result was put there
    given = Wv.copy()
    # A tuple around it keeps the check's own array in the student's hands: changing it must show.
    with listening() as heard:
        got, trouble = call(lambda box: function(box[0], i, h), (given,))
    at = f"For C = {C}, h = {h} and head {i}"
    if trouble is not None:
        return _wrong(f"{at}, `silence` stopped with {trouble}", SILENCE)
    if (got is None or got is ...) and np.array_equal(given, Wv):
        return Report(Mood.WAITING, nothing_yet("silence", printed=heard.printed), section=SILENCE)
    if not np.array_equal(given, Wv):
        words = (
            "The matrix that was passed in has changed too, so there is no *before* left to compare with. Work on a "
            "copy: `Wv.copy()`."
        )
        return _wrong(words, SILENCE)
    result, trouble = call(lambda: np.asarray(got, dtype=float))
    if trouble is not None:
        return _wrong(f"{at}, `silence` returned {kind(got)}, not a matrix of numbers.", SILENCE)
    if result.shape != Wv.shape:
        words = f"{at}, the shape is {result.shape}; a projection keeps its shape, {Wv.shape}. Set columns to zero "
        return _wrong(words + "instead of cutting them out.", SILENCE)
    return _judge_zeros(result, Wv, h, i, at)


def _judge_zeros(result: NDArray[Any], Wv: NDArray[Any], h: int, i: int, at: str) -> Report | None:
    C = len(Wv)
    hs = C // h
    want = Wv.copy()
    want[:, i * hs : (i + 1) * hs] = 0
    if np.array_equal(result, want):
        return None
    zero = result == 0
    if not np.array_equal(result[~zero], Wv[~zero]):
        return _wrong(
            f"{at}, numbers outside the head's columns have changed too. They must stay as they are.", SILENCE
        )
    columns = [int(c) for c in np.flatnonzero(zero.all(axis=0))]
    rows = [int(r) for r in np.flatnonzero(zero.all(axis=1))]
    words = _which_zeros(columns, rows, C, h, i)
    shown = Block("Set to zero:", f"columns {columns or 'none'}\nrows    {rows or 'none'}")
    return _wrong(f"{at}: {words}", SILENCE, shown)


def _which_zeros(columns: list[int], rows: list[int], C: int, h: int, i: int) -> str:
    hs = C // h
    own = list(range(i * hs, (i + 1) * hs))
    if not columns and not rows:
        return "no whole column is zero. Head i reads the columns from i*hs up to (i+1)*hs, all rows of them."
    if not columns:
        return (
            "rows are zero, and it must be columns. In `X @ Wv` a row belongs to an input feature, which all heads "
            "read; a column belongs to one head."
        )
    if len(columns) == C:
        return "everything is zero, so every head is silent. Only this head's columns may be."
    if columns == [c for c in range(C) if c not in own]:
        return "the other way round: this head kept its columns and all others lost theirs."
    if columns == list(range((i - 1) * hs, i * hs)):
        return "these are the columns of the head before. Heads count from 0: head 0 has columns 0 to hs - 1."
    if columns == list(range((i + 1) * hs, (i + 2) * hs)):
        return "these are the columns of the head after. Head i starts at column i*hs."
    if columns == list(range(i, C, h)):
        return "every h-th column is zero. A head's columns lie in one block, side by side."
    if columns == list(range(i * h, min((i + 1) * h, C))):
        return "the slice is h columns wide. It must be hs = C // h wide, and start at i*hs."
    if len(columns) == 1:
        return "a single column is zero. A head has hs = C // h of them."
    return f"the zero columns are not those of head {i}: these run from i*hs up to (i+1)*hs, with hs = C // h."


def check_survey(function: object) -> None:
    """Try ``survey(X, head_counts)`` and say what is right or which slip it made. Never raises.

    Args:
        function: returns one row (h, hs, shape of the scores, shape of the output, parameters) for each head count.
    """
    report_on_survey(function).show()


def report_on_survey(function: object) -> Report:
    """Return what `check_survey` shows."""
    if not callable(function):
        return _wrong(f"`survey` should be a function; this is {kind(function)}.", SURVEY)
    for (B, T, C), counts in (((2, 6, 64), (1, 2, 4, 8)), ((3, 5, 12), (3, 1, 6))):
        X = np.random.default_rng(C).standard_normal((B, T, C))
        got, trouble = call(function, X, list(counts))
        at = f"For X of shape ({B}, {T}, {C}) and h in {list(counts)}"
        if trouble is not None:
            return _wrong(f"{at}, `survey` stopped with {trouble}", SURVEY)
        if got is None or got is ... or (type(got) in (list, tuple) and not got):
            words = "`survey` returns no rows yet. Fill in the blank, append one row for each h, and run this again."
            return Report(Mood.WAITING, words, section=SURVEY)
        rows, trouble = call(_rows, got)
        if trouble is not None or any(len(row) != 5 for row in rows):
            words = f"{at}: each row needs five entries, (h, hs, scores shape, output shape, parameters)."
            return _wrong(words, SURVEY)
        if [row[0] for row in rows] != list(counts):
            words = f"{at}: the first entries are {[row[0] for row in rows]}. One row for each h, in the order given."
            return _wrong(words, SURVEY)
        for row in rows:
            words = _judge_row(row, B, T, C)
            if words is not None:
                return _wrong(f"{at}, in the row of h = {row[0]}: {words}", SURVEY, Block("Your row:", str(row)))
    words = (
        "The width is shared out differently each time, and nothing else changes: the output keeps its shape, and four "
        "C × C matrices hold the same number of parameters for every h."
    )
    return Report(Mood.RIGHT, words)


def _rows(got: object) -> list[tuple[object, ...]]:
    def plain(entry: object) -> object:
        if isinstance(entry, list | tuple | np.ndarray):
            return tuple(int(size) for size in entry)
        return int(entry)  # type: ignore[call-overload]

    return [tuple(plain(entry) for entry in row) for row in got]  # type: ignore[attr-defined]


def _judge_row(row: tuple[Any, ...], B: int, T: int, C: int) -> str | None:
    h, hs, scores, out, parameters = row
    if hs != C // h:
        return f"hs is {hs}; the heads share the width C = {C}, so it is C // h."
    if scores != (B, h, T, T):
        return _wrong_scores(scores, B, h, T, hs)
    if out != (B, T, C):
        return f"the output's shape is {out}; concat and W_o bring it back to the shape of X, (B, T, C)."
    if parameters != 4 * C * C:
        return _wrong_count(parameters, C, h)
    return None


def _wrong_scores(scores: object, B: int, h: int, T: int, hs: int) -> str:
    if scores == (B, h, T, hs):
        return "the scores have the shape of the per-head output, (B, h, T, hs). Each query meets each key: (…, T, T)."
    if scores == (B, T, h, h):
        return "the scores compare heads with heads, (B, T, h, h). Positions meet positions: (…, T, T)."
    if scores == (B, T, T):
        return "the scores have no axis of heads. Each head has a table of its own: (B, h, T, T)."
    if scores == (B, T, h, T):
        return "the scores' axes are in the wrong order: heads come before positions, (B, h, T, T)."
    return f"the shape of the scores is {scores}; look into `cache['scores'].shape`."


def _wrong_count(parameters: int, C: int, h: int) -> str:
    known = {
        3 * C * C: "only three matrices are counted. W_o is the fourth.",
        C * C: "that is one matrix. There are four: W_q, W_k, W_v and W_o.",
        4 * C * C * h: "that multiplies by h. Each head owns a slice of the four matrices, not a set of its own.",
        4 * C * C // h: "that divides by h: it is the share of one head. Count all of them.",
        4 * C * C + 4 * C: "that counts biases, and this layer has none.",
    }
    return known.get(parameters, f"the count is {parameters}. Add up the sizes of the four weight matrices.")


def _wrong(words: str, section: Section, *blocks: Block) -> Report:
    return Report(Mood.WRONG, words, blocks=blocks, section=section)
