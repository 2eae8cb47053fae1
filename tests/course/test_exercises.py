"""The checks of lessons 3 to 5: right answers in every style pass, and each wrong one gets words of its own."""

from __future__ import annotations

import json
from pathlib import Path

import mha.check as checks
import numpy as np
import pytest
from mha.check.exercises import report_on_silence, report_on_survey
from mha.check.lesson_03 import CHECKPOINT as CONCAT
from mha.check.lesson_03 import SLIPS
from mha.check.lesson_04 import BLOCK
from mha.check.lesson_04 import CHECKPOINT as PROJECT
from mha.check.report import Mood
from mha.forward import multi_head_attention_forward

EXERCISES = Path(__file__).parents[2] / "source/exercises/05_exercises.ipynb"


def _buffer(x):
    out = np.empty((x.shape[0], x.shape[2], x.shape[1] * x.shape[3]), x.dtype)
    for i in range(x.shape[1]):
        out[..., i * x.shape[3] : (i + 1) * x.shape[3]] = x[:, i]
    return out


def _flat(x):
    return x.reshape(*x.shape[:2], -1)


RIGHT_CONCATS = {
    "transpose": lambda x: _flat(x.transpose(0, 2, 1, 3)),
    "swapaxes": lambda x: _flat(x.swapaxes(1, 2)),
    "moveaxis": lambda x: _flat(np.moveaxis(x, 1, 2)),
    "einsum": lambda x: _flat(np.einsum("bhtd->bthd", x)),
    "stack": lambda x: _flat(np.stack([x[:, i] for i in range(x.shape[1])], axis=2)),
    "loop": lambda x: np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1),
    "buffer": _buffer,
    "split and squeeze": lambda x: np.concatenate(np.split(x, x.shape[1], axis=1), axis=-1)[:, 0],
    "a list of lists": lambda x: _flat(x.swapaxes(1, 2)).tolist(),
}

WRONG_CONCATS = {
    "reshape without transpose": (lambda x: x.reshape(x.shape[0], x.shape[2], -1), "reshape without the transpose"),
    "interleaved": (lambda x: _flat(x.transpose(0, 2, 3, 1)), "interleaved"),
    "heads reversed": (lambda x: np.concatenate([x[:, i] for i in range(x.shape[1])][::-1], -1), "wrong order"),
    "each row reversed": (lambda x: _flat(x.swapaxes(1, 2))[..., ::-1], "backwards"),
    "axes (2, 0, 1, 3)": (lambda x: x.transpose(2, 0, 1, 3).reshape(x.shape[0], x.shape[2], -1), "shuffled"),
    "axes (0, 1, 3, 2)": (
        lambda x: x.transpose(0, 1, 3, 2).reshape(x.shape[0], x.shape[2], -1),
        "positions and features",
    ),
    "first head only": (lambda x: np.tile(x[:, 0], x.shape[1]), "Every block holds head 0"),
    "last head only": (lambda x: np.tile(x[:, -1], x.shape[1]), "Every block holds the last head"),
    "not merged": (lambda x: x.transpose(0, 2, 1, 3), "still four"),
    "stacked last": (lambda x: np.stack(list(x.swapaxes(0, 1)), axis=-1), "new axis"),
    "nothing done": (lambda x: x, "input itself"),
    "glued in time": (lambda x: np.concatenate(list(x.swapaxes(0, 1)), axis=1), "one after the other in time"),
    "glued as sentences": (lambda x: np.concatenate(list(x.swapaxes(0, 1)), axis=0), "the axis of sentences"),
    "concatenate over axis 0": (lambda x: np.concatenate(x, axis=-1), "went through axis 0"),
    "return inside the loop": (lambda x: x[:, 0], "Only head 0"),
    "overwritten by the loop": (lambda x: x[:, -1], "Only the last head"),
    "averaged": (lambda x: x.mean(axis=1), "averaged"),
    "added": (lambda x: x.sum(axis=1), "added up"),
    "one sentence": (lambda x: _flat(x.swapaxes(1, 2))[0], "without its batch axis"),
    "sentences merged": (lambda x: np.concatenate(list(_flat(x.swapaxes(1, 2)))), "run into each other"),
}


@pytest.mark.parametrize("name", RIGHT_CONCATS)
def test_a_right_concat_passes_in_any_style(name):
    assert CONCAT.report(RIGHT_CONCATS[name]).mood is Mood.RIGHT


@pytest.mark.parametrize("name", WRONG_CONCATS)
def test_a_wrong_concat_is_named(name):
    function, words = WRONG_CONCATS[name]
    report = CONCAT.report(function)
    assert report.mood is Mood.WRONG
    assert words in report.message
    assert report.section is not None


def test_every_slip_of_the_concat_has_words_of_its_own_and_a_test():
    said = {CONCAT.report(function).message for function, _ in WRONG_CONCATS.values()}
    assert said == {slip.message for slip in SLIPS}
    assert len(said) == len(WRONG_CONCATS)


def test_sizes_written_in_as_numbers_are_found_by_the_second_input():
    report = CONCAT.report(lambda x: x.transpose(0, 2, 1, 3).reshape(2, 4, 15))
    assert report.mood is Mood.WRONG
    assert "three sentences" in report.message


RIGHT_BLOCKS = (
    lambda w, i, hs: w[:, i * hs : (i + 1) * hs],
    lambda w, i, hs: w.T[i * hs : i * hs + hs].T,
    lambda w, i, hs: np.split(w, len(w) // hs, axis=1)[i],
    lambda w, i, hs: w.reshape(len(w), -1, hs)[:, i],
)

WRONG_BLOCKS = (
    (lambda w, i, hs: w[i * hs : (i + 1) * hs], "Those are rows"),
    (lambda w, i, hs: w.T[i * hs : (i + 1) * hs], "but turned"),
    (lambda w, i, hs: w[:, i : i + hs], "start too early"),
    (lambda w, i, hs: w[:, (i - 1) * hs : i * hs], "the head before"),
    (lambda w, i, hs: w[:, i :: len(w) // hs], "every h-th column"),
    (lambda w, i, hs: w[:, i * hs], "a single column"),
)


@pytest.mark.parametrize("number", range(len(RIGHT_BLOCKS)))
def test_a_right_block_passes_in_any_style(number):
    assert BLOCK.report(RIGHT_BLOCKS[number]).mood is Mood.RIGHT


@pytest.mark.parametrize("number", range(len(WRONG_BLOCKS)))
def test_a_wrong_block_is_named(number):
    function, words = WRONG_BLOCKS[number]
    report = BLOCK.report(function)
    assert report.mood is Mood.WRONG
    assert words in report.message


RIGHT_PROJECTIONS = {
    "plain": lambda c, w, b: c @ w.T + b,
    "einsum": lambda c, w, b: np.einsum("ti,oi->to", c, w) + b,
    "loop": lambda c, w, b: np.array([[row @ w[j] + b[j] for j in range(len(b))] for row in c]),
    "turned": lambda c, w, b: (w @ c.T).T + b,
}

WRONG_PROJECTIONS = {
    "not transposed": (lambda c, w, b: c @ w + b, "not transposed"),
    "no bias": (lambda c, w, b: c @ w.T, "bias is missing"),
    "neither": (lambda c, w, b: c @ w, "Two things"),
    "bias first": (lambda c, w, b: (c + b) @ w.T, "before the product"),
    "bias taken away": (lambda c, w, b: c @ w.T - b, "subtracted"),
    "all biases": (lambda c, w, b: c @ w.T + b.sum(), "all biases"),
    "diagonal": (lambda c, w, b: c * np.diag(w) + b, "diagonal"),
    "turned round": (lambda c, w, b: (c @ w.T + b).T, "changed places"),
    "wrong shape": (lambda c, w, b: (c @ w.T + b)[0], "it should be (3, 4)"),
}


@pytest.mark.parametrize("name", RIGHT_PROJECTIONS)
def test_a_right_projection_passes_in_any_style(name):
    assert PROJECT.report(RIGHT_PROJECTIONS[name]).mood is Mood.RIGHT


@pytest.mark.parametrize("name", WRONG_PROJECTIONS)
def test_a_wrong_projection_is_named(name):
    function, words = WRONG_PROJECTIONS[name]
    report = PROJECT.report(function)
    assert report.mood is Mood.WRONG
    assert words in report.message


def _zero(columns, rows=slice(None)):
    def silence(Wv, i, h):
        quiet = Wv.copy()
        quiet[rows, columns(i, h, len(Wv))] = 0
        return quiet

    return silence


def _block(i, h, C):
    return slice(i * C // h, (i + 1) * C // h)


def _others(i, h, C):
    return [c for c in range(C) if c // (C // h) != i]


def _by_head_axis(Wv, i, h):
    quiet = Wv.reshape(len(Wv), h, -1).copy()
    quiet[:, i] = 0
    return quiet.reshape(Wv.shape)


def _head_axis_first(Wv, i, h):
    quiet = Wv.reshape(h, -1, len(Wv)).copy()
    quiet[i] = 0
    return quiet.reshape(Wv.shape)


def _in_place(Wv, i, h):
    Wv[:, _block(i, h, len(Wv))] = 0
    return Wv


RIGHT_SILENCES = {
    "slice": _zero(_block),
    "loop": _zero(lambda i, h, C: list(range(i * C // h, (i + 1) * C // h))),
    "reshape": _by_head_axis,
    "where": lambda W, i, h: np.where(np.arange(len(W)) // (len(W) // h) == i, 0, W),
    "einsum": lambda W, i, h: np.einsum("ij,j->ij", W, np.arange(len(W)) // (len(W) // h) != i),
    "stack": lambda W, i, h: np.hstack([p * (k != i) for k, p in enumerate(np.split(W, h, axis=1))]),
    "moveaxis": lambda W, i, h: np.moveaxis(
        np.moveaxis(W.reshape(len(W), h, -1), 1, 0) * (np.arange(h) != i)[:, None, None], 0, 1
    ).reshape(W.shape),
}

WRONG_SILENCES = {
    "rows": (lambda W, i, h: _zero(_block)(W.T, i, h).T, "must be columns"),
    "reshape without transpose": (_head_axis_first, "must be columns"),
    "counted from 1": (_zero(lambda i, h, C: _block(i - 1, h, C)), "head before"),
    "one too far": (_zero(lambda i, h, C: slice((i + 1) * C // h, (i + 2) * C // h)), "no whole column"),
    "interleaved": (_zero(lambda i, h, C: slice(i, None, h)), "every h-th column"),
    "h wide": (_zero(lambda i, h, C: slice(i * h, (i + 1) * h)), "h columns wide"),
    "one column": (_zero(lambda i, h, C: i), "a single column"),
    "all others": (_zero(_others), "other way round"),
    "everything": (lambda W, i, h: W * 0, "every head is silent"),
    "nothing": (lambda W, i, h: W.copy(), "no whole column"),
    "cut out": (lambda W, i, h: np.delete(W, _block(i, h, len(W)), axis=1), "instead of cutting them out"),
    "doubled": (lambda W, i, h: 2 * _zero(_block)(W, i, h), "outside the head's columns"),
    "in place": (_in_place, "copy"),
    "in place, returning nothing": (lambda W, i, h: W.__setitem__(slice(None), 0), "copy"),
    "words": (lambda W, i, h: "quiet", "not a matrix of numbers"),
    "raises": (lambda W, i, h: W[:, 99], "IndexError"),
    "two columns": (_zero(lambda i, h, C: slice(2, 4)), "are not those of head 2"),
}


@pytest.mark.parametrize("name", RIGHT_SILENCES)
def test_a_right_silence_passes_in_any_style(name):
    assert report_on_silence(RIGHT_SILENCES[name]).mood is Mood.RIGHT


@pytest.mark.parametrize("name", WRONG_SILENCES)
def test_a_wrong_silence_is_named(name):
    function, words = WRONG_SILENCES[name]
    report = report_on_silence(function)
    assert report.mood is Mood.WRONG
    assert words in report.message


def test_the_columns_of_the_head_after_are_named():
    after = _zero(lambda i, h, C: slice((i + 1) % h * C // h, ((i + 1) % h + 1) * C // h))
    head_0_right = lambda W, i, h: (RIGHT_SILENCES["slice"] if i == 2 else after)(W, i, h)  # noqa: E731
    assert "head after" in report_on_silence(head_0_right).message


def _survey(row):
    def survey(X, head_counts):
        rng = np.random.default_rng(0)
        C = X.shape[-1]
        rows = []
        for h in head_counts:
            W = [rng.standard_normal((C, C)) for _ in range(4)]
            out, cache = multi_head_attention_forward(X, *W, h)
            rows.append(row(h, C, cache, out, W))
        return rows

    return survey


def _row(h, C, cache, out, W):
    return h, C // h, cache["scores"].shape, out.shape, sum(w.size for w in W)


def _with(place, make):
    return _survey(lambda *a: (*_row(*a)[:place], make(*a), *_row(*a)[place + 1 :]))


RIGHT_SURVEYS = {
    "tuples": _survey(_row),
    "lists": _survey(lambda *a: list(_row(*a))),
    "array shapes": _with(2, lambda h, C, cache, out, W: np.array(cache["scores"].shape)),
    "by formula": _with(4, lambda h, C, cache, out, W: 4 * C**2),
    "stacked": _with(4, lambda h, C, cache, out, W: np.stack(W).size),
}

WRONG_SURVEYS = {
    "hs": (_with(1, lambda h, C, *_: h), "C // h"),
    "per head": (_with(2, lambda h, C, cache, *_: cache["per_head"].shape), "shape of the per-head output"),
    "heads with heads": (_with(2, lambda h, C, c, out, W: (*out.shape[:2], h, h)), "heads with heads"),
    "no heads": (_with(2, lambda h, C, c, out, W: (*out.shape[:2], out.shape[1])), "no axis of heads"),
    "wrong order": (_with(2, lambda h, C, c, out, W: c["scores"].swapaxes(1, 2).shape), "wrong order"),
    "other scores": (_with(2, lambda *_: (7,)), "look into"),
    "output": (_with(3, lambda h, C, c, out, W: out[0].shape), "output's shape"),
    "three matrices": (_with(4, lambda h, C, *_: 3 * C * C), "only three"),
    "one matrix": (_with(4, lambda h, C, *_: C * C), "one matrix"),
    "times h": (_survey(lambda h, C, *a: (*_row(h, C, *a)[:4], 4 * C * C * (h if h > 1 else 1))), "multiplies by h"),
    "by h": (_with(4, lambda h, C, *_: 4 * C * C // h), "divides by h"),
    "biases": (_with(4, lambda h, C, *_: 4 * C * C + 4 * C), "counts biases"),
    "any number": (_with(4, lambda *_: 17), "the count is 17"),
    "four entries": (_survey(lambda *a: _row(*a)[:4]), "five entries"),
    "words": (_survey(lambda *a: "row!!"), "five entries"),
    "reversed": (lambda X, counts: _survey(_row)(X, counts)[::-1], "in the order given"),
    "one row": (lambda X, counts: _survey(_row)(X, counts)[:1], "One row for each h"),
    "a number": (lambda X, counts: 5, "five entries"),
    "raises": (lambda X, counts: X.view(3), "TypeError"),
}


@pytest.mark.parametrize("name", RIGHT_SURVEYS)
def test_a_right_survey_passes_in_any_style(name):
    assert report_on_survey(RIGHT_SURVEYS[name]).mood is Mood.RIGHT


@pytest.mark.parametrize("name", WRONG_SURVEYS)
def test_a_wrong_survey_is_named(name):
    function, words = WRONG_SURVEYS[name]
    report = report_on_survey(function)
    assert report.mood is Mood.WRONG
    assert words in report.message


@pytest.mark.parametrize("check", ["check_concat", "check_projection", "check_silence", "check_survey"])
def test_a_check_answers_whatever_it_is_given(check, capsys):
    def leaves(*_):
        raise SystemExit

    for given, words in (
        (lambda *_: None, "Your turn"),
        (5, "should be a function"),
        (lambda: 1, "TypeError"),
        (leaves, "SystemExit"),
        (lambda *_: object(), "Not quite"),
    ):
        getattr(checks, check)(given)
        assert words in capsys.readouterr().out


def test_the_solutions_of_the_exercises_pass_their_checks(capsys):
    notebook = json.loads(EXERCISES.read_text(encoding="utf-8"))
    space: dict[str, object] = {}
    checked = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        exec("".join(cell["source"]), space)
        said = capsys.readouterr().out
        if "check" in cell["metadata"].get("tags", []):
            assert said.startswith("✓"), said
            assert "not yet smallest" not in said
            checked += 1
    assert checked == 7
