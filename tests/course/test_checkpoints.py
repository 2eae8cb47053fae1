"""The checkpoints of lessons 1 and 2: right in any way is right, each slip is named, nothing raises."""

import math
from itertools import combinations

import numpy as np
import pytest
from mha.attention import multi_head_attention_per_head, softmax, split_heads
from mha.bugs import BUGS
from mha.check import (
    check_attend,
    check_scores,
    check_split,
    check_split_one,
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
)
from mha.check.exercises import report_on_silence, report_on_survey
from mha.check.hunt import report_on_catch
from mha.check.report import Mood

CHECKPOINTS = [lesson_01._ONE, lesson_01._BATCH, lesson_02._SCORES, lesson_02._ATTEND]
each_checkpoint = pytest.mark.parametrize("checkpoint", CHECKPOINTS, ids=lambda c: c.name)


def with_loop(x, h):
    size = x.shape[-1] // h
    return np.stack([x[:, :, i * size : (i + 1) * size] for i in range(h)], axis=1)


RIGHT_SPLITS = [
    split_heads,
    with_loop,
    lambda x, h: np.einsum("bthd->bhtd", x.reshape(*x.shape[:2], h, -1)),
    lambda x, h: np.moveaxis(x.reshape(*x.shape[:2], h, -1), 2, 1),
    lambda x, h: np.array(np.split(x, h, axis=-1)).swapaxes(0, 1),
    lambda x, h: split_heads(x, h).tolist(),
]


@pytest.mark.parametrize("split", RIGHT_SPLITS, ids=range(len(RIGHT_SPLITS)))
def test_every_right_split_is_right(split):
    assert lesson_01._BATCH.report(split).mood is Mood.RIGHT
    assert lesson_01._ONE.report(lambda x, h: np.asarray(split(x[np.newaxis], h))[0]).mood is Mood.RIGHT


def attend(q, k, v, mask, *, scale=None, softmax=softmax):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(scale or q.shape[-1])
    return softmax(np.where(mask, scores, -np.inf)) @ v


def attend_packed(q, k, v, mask):
    def joined(x):
        return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)

    return multi_head_attention_per_head(joined(q), joined(k), joined(v), q.shape[1], mask)[0]


@pytest.mark.parametrize("function", [attend, attend_packed])
def test_every_right_attention_is_right(function):
    assert lesson_02._ATTEND.report(function).mood is Mood.RIGHT


def test_right_scores_are_right():
    assert lesson_02._SCORES.report(lambda q, k: np.einsum("bhqd,bhkd->bhqk", q / q.shape[-1] ** 0.5, k)).mood is (
        Mood.RIGHT
    )


def masked(q, k, mask, fill):
    return np.where(mask, q @ k.swapaxes(2, 3) / math.sqrt(q.shape[3]), fill)


SLIPS = [
    (lesson_01._ONE, lambda x, h: x.reshape(h, len(x), -1), "straight reshape"),
    (lesson_01._BATCH, lambda x, h: x.reshape(len(x), h, x.shape[1], -1), "straight reshape"),
    (lesson_01._ONE, lambda x, h: x.reshape(len(x), h, -1), "Half-way"),
    (lesson_01._BATCH, lambda x, h: x.reshape(*x.shape[:2], -1, h).transpose(0, 3, 1, 2), "every h-th feature"),
    (lesson_01._BATCH, lambda x, h: x.reshape(*x.shape[:2], h, -1).transpose(0, 1, 3, 2), "heads and features"),
    (lesson_01._BATCH, lambda x, h: x.reshape(*x.shape[:2], h, -1).transpose(2, 1, 0, 3), "heads and sentences"),
    (lesson_01._BATCH, lambda x, h: split_heads(x[:1], h), "should be (2,"),
    (lesson_01._BATCH, lambda x, h: split_heads(x, h)[:, ::-1], "the numbers are not"),
    (lesson_02._SCORES, lambda q, k: q @ k.swapaxes(2, 3), "nothing scales them"),
    (lesson_02._SCORES, lambda q, k: q @ k.swapaxes(2, 3) / math.sqrt(q.shape[1] * q.shape[3]), "Divided by √C"),
    (lesson_02._SCORES, lambda q, k: q @ k.swapaxes(2, 3) / q.shape[-1], "square root"),
    (lesson_02._SCORES, lambda q, k: q @ k.swapaxes(2, 3) / math.sqrt(16), "of the cells above"),
    (lesson_02._SCORES, lambda q, k: q @ k.swapaxes(2, 3) / math.sqrt(q.shape[2]), "number of queries"),
    (lesson_02._SCORES, lambda q, k: k @ q.swapaxes(2, 3) / math.sqrt(q.shape[-1]), "changed places"),
    (lesson_02._ATTEND, lambda q, k, v, m: attend(q, k, v, ~m), "wrong way round"),
    (lesson_02._ATTEND, lambda q, k, v, m: attend(q, k, v, True), "no effect"),
    (lesson_02._ATTEND, lambda q, k, v, m: attend(q, k, v, m, scale=1), "not scaled"),
    (lesson_02._ATTEND, lambda q, k, v, m: attend(q, k, v, m, scale=q.shape[1] * q.shape[3]), "Divided by √C"),
    (lesson_02._ATTEND, lambda q, k, v, m: attend(q, k, v, m, scale=16), "of the cells above"),
    (lesson_02._ATTEND, lambda q, k, v, m: softmax(masked(q, k, m, 0)) @ v, "still gets weight"),
    (lesson_02._ATTEND, lambda q, k, v, m: softmax(masked(q, k, m, -1e20)) @ v, "nothing to share"),
    (lesson_02._ATTEND, lambda q, k, v, m: softmax(masked(q, k, m, -np.inf)), "One step is left"),
    (
        lesson_02._ATTEND,
        lambda q, k, v, m: attend(q, k, v, m, softmax=lambda s: softmax(s, axis=-2)),
        "over the queries",
    ),
    (
        lesson_02._ATTEND,
        lambda q, k, v, m: (softmax(q @ k.swapaxes(2, 3) / math.sqrt(q.shape[3])) * m) @ v,
        "Masked after",
    ),
]


@pytest.mark.parametrize(("checkpoint", "function", "words"), SLIPS, ids=range(len(SLIPS)))
def test_each_slip_is_named(checkpoint, function, words):
    report = checkpoint.report(function)
    assert report.mood is Mood.WRONG
    assert words in report.message
    assert report.section is not None


@each_checkpoint
def test_slips_differ_from_what_is_right_and_from_each_other(checkpoint):
    """On some case each: otherwise a slip could never be named, or would be named for another."""
    made = [[case.want for case in checkpoint.cases]]
    made += [[np.asarray(slip.make(*case.args)) for case in checkpoint.cases] for slip in checkpoint.slips]
    for one, other in combinations(made, 2):
        pairs = zip(one, other, strict=True)
        assert any(a.shape != b.shape or not np.allclose(a, b) for a, b in pairs)


@each_checkpoint
def test_sections_exist(checkpoint, headings):
    for section in {checkpoint.section, *(slip.section for slip in checkpoint.slips if slip.section)}:
        assert section.heading in headings[section.lesson]


class BadMessage(Exception):
    def __str__(self):
        raise RuntimeError("no")


def raising(error):
    def function(*args):
        raise error

    return function


ODD = [
    None, 3, "split", raising(ValueError("no\nway " * 500)), raising(BadMessage()), raising(SystemExit(1)),
    lambda: 1, lambda *a: "words", lambda *a: [[1], [1, 2]], lambda *a: np.array([None]), lambda *a: float("nan"),
    lambda *a: np.full_like(a[0], np.nan), lambda *a: a, lambda *a: print, lambda *a: np.array(1 + 2j),
]  # fmt: skip


@each_checkpoint
@pytest.mark.parametrize("function", ODD, ids=range(len(ODD)))
def test_nothing_makes_a_check_raise(checkpoint, function):
    report = checkpoint.report(function)
    assert report.mood is Mood.WRONG
    assert len(report.text()) < 1000


@each_checkpoint
@pytest.mark.parametrize("blank", [None, ...])
def test_unfinished_function_is_not_called_wrong(checkpoint, blank):
    assert checkpoint.report(lambda *args: blank).mood is Mood.WAITING


def test_exception_is_reported_in_one_sentence():
    report = lesson_01._BATCH.report(raising(ValueError("axes\ndon't match")))
    assert "`function` stopped with ValueError (axes don't match) at line" in report.message
    assert report.message.endswith("of `function`: `raise error`.")


@each_checkpoint
def test_a_print_is_heard_let_through_and_told_from_a_return(checkpoint, capsys):
    report = checkpoint.report(lambda *args: print("shape", args[0].shape))
    assert report.mood is Mood.WAITING
    assert "prints something and returns nothing" in report.message
    assert capsys.readouterr().out == f"shape {checkpoint.cases[0].args[0].shape}\n"


def test_the_answer_uses_the_name_that_the_student_gave():
    def my_split(x, h):
        return None

    assert "`my_split` returns nothing yet" in lesson_01._BATCH.report(my_split).message
    assert "`split` returns nothing yet" in lesson_01._BATCH.report(lambda x, h: None).message


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (3, "this is an int."),
        ("split", "this is a str."),
        (None, "this is None."),
        (..., "this is still the blank `...`."),
        (lambda x, h: (x, h), "returned a tuple of 2 things"),
        (lambda x, h: np.array([None]), "returned an array of dtype object"),
        (lambda x, h: 1j, "returned a complex"),
    ],
    ids=range(7),
)
def test_what_is_no_array_is_called_by_its_name(given, words):
    assert words in lesson_01._BATCH.report(given).message


@each_checkpoint
def test_a_function_that_spoils_its_input_spoils_no_later_case(checkpoint):
    kept = [[np.copy(arg) for arg in case.args] for case in checkpoint.cases]

    def spoil(*args):
        args[0][...] = 7
        return case_want(*args)

    def case_want(*args):
        return next(case.want for case in checkpoint.cases if case.args[0].shape == args[0].shape)

    checkpoint.report(spoil)
    for case, copies in zip(checkpoint.cases, kept, strict=True):
        assert all(np.array_equal(arg, copy) for arg, copy in zip(case.args, copies, strict=True))


def test_checks_show_their_answer(capsys):
    for check, function in (
        (check_split, split_heads),
        (check_split_one, lambda x, h: split_heads(x[None], h)[0]),
        (check_attend, attend),
        (check_scores, lambda q, k: q @ k.swapaxes(2, 3) / math.sqrt(q.shape[3])),
    ):
        check(function)
        assert capsys.readouterr().out.startswith("✓ Right.")


class Hostile:
    """A result whose every attribute raises, its class included."""

    def __getattribute__(self, name):
        raise RuntimeError("no")


HOSTILE = [lambda *args: Hostile(), raising(GeneratorExit()), raising(BaseException("no")), Hostile(), lambda *args: {}]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_no_result_and_no_exception_makes_any_check_raise(number):
    function = HOSTILE[number]
    reports = [checkpoint.report(function) for checkpoint in (*CHECKPOINTS, lesson_03.CHECKPOINT, lesson_04.BLOCK)]
    reports += [report_on_silence(function), report_on_survey(function)]
    reports += [report_on_catch(bug.name, function) for bug in BUGS]
    assert all(report.mood is Mood.WRONG for report in reports)


def test_an_interrupt_of_the_kernel_gets_through():
    with pytest.raises(KeyboardInterrupt):
        lesson_01._ONE.report(raising(KeyboardInterrupt()))
