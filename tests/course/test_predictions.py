"""Every declared prediction, and how answers are read."""

import importlib
import pkgutil

import mha.check
import numpy as np
import pytest
from mha.check import predict
from mha.check.prediction import Prediction, find
from mha.check.reading import read, same
from mha.check.report import Mood, Section

MODULES = sorted(m.name for m in pkgutil.iter_modules(mha.check.__path__) if m.name.startswith("predictions_"))
ALL = [p for name in MODULES for p in importlib.import_module(f"mha.check.{name}").PREDICTIONS]
NAMED = [(p, wrong) for p in ALL for wrong in p.wrong]

EXAMPLE = Prediction(id="1.example", right=(2, 4, 4, 6), because="b", otherwise="o", section=Section(1, "s"))


def test_all_lessons_with_predictions_are_found():
    assert {"predictions_01", "predictions_02"} <= set(MODULES)
    assert len({p.id for p in ALL}) == len(ALL)


@pytest.mark.parametrize("prediction", ALL, ids=lambda p: p.id)
def test_right_answer_is_right_and_blank_is_no_error(prediction):
    for right in (prediction.right, *prediction.also):
        report = prediction.answer(right)
        assert (report.mood, report.message) == (Mood.RIGHT, prediction.because)
    for blank in (..., None, "", "...", (..., ...)):
        assert prediction.answer(blank).mood is Mood.WAITING


@pytest.mark.parametrize(("prediction", "wrong"), NAMED, ids=lambda x: getattr(x, "id", None) or str(x.answer))
def test_each_named_wrong_answer_gets_its_own_words(prediction, wrong):
    report = prediction.answer(wrong.answer)
    assert (report.mood, report.message) == (Mood.WRONG, wrong.message)
    assert report.section == prediction.section


@pytest.mark.parametrize("prediction", ALL, ids=lambda p: p.id)
def test_any_other_answer_gets_a_way_to_the_right_one(prediction):
    report = prediction.answer("perhaps a zebra")
    assert (report.mood, report.message) == (Mood.WRONG, prediction.otherwise)


@pytest.mark.parametrize("prediction", ALL, ids=lambda p: p.id)
def test_prediction_points_to_a_heading_that_exists(prediction, headings):
    lesson = int(prediction.id.split(".")[0])
    assert find(prediction.id) is prediction
    assert prediction.section.heading in headings[prediction.section.lesson]
    assert prediction.section.lesson <= lesson


@pytest.mark.parametrize(
    "spelling",
    [
        (2, 4, 4, 6),
        [2, 4, 4, 6],
        np.array([2, 4, 4, 6]),
        np.zeros((2, 4, 4, 6)).shape,
        (2.0, np.int64(4), np.float32(4), 6),
        "(2, 4, 4, 6)",
        " [2,4,4,6] ",
        "2, 4, 4, 6",
        "2 x 4 x 4 x 6",
        "2x4x4x6",
        "2×4×4×6",
        "2 4 4 and 6",
        [[2, 4, 4, 6]],
    ],
    ids=str,
)
def test_sensible_spellings_of_numbers(spelling):
    assert EXAMPLE.answer(spelling).mood is Mood.RIGHT


@pytest.mark.parametrize(
    "spelling",
    [
        ("river", 0),
        ["River", 0],
        "river, head 0",
        "RIVER 0",
        "river·h0",
        (0, "river"),
        "head 0 of river",
        ("river", "0"),
    ],
    ids=str,
)
def test_sensible_spellings_of_words(spelling):
    assert find("1.whose-vector").answer(spelling).mood is Mood.RIGHT


@pytest.mark.parametrize("spelling", [0.741, 0.74, "0.74", "about .741", np.float64(0.7407), [0.741], np.array(0.741)])
def test_numbers_within_rounding(spelling):
    assert find("2.sharpness").answer(spelling).mood is Mood.RIGHT


@pytest.mark.parametrize("spelling", ["yes", "Yes.", True, np.True_, "true"])
def test_yes_in_many_words(spelling):
    assert find("1.shared").answer(spelling).mood is Mood.RIGHT


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("1.one-average", "four"),
        ("1.shared", "Yes, it does"),
        ("2.equal-scores", "half and half"),
        ("2.equal-scores", "0.5 and 0.5"),
        ("2.last-input", "the last"),
        ("2.last-input", -1),
        ("2.wrong-axis", "columns do"),
        ("2.wrong-axis", "columns sum to 1"),
        ("2.row-sum", "still 1"),
        ("2.row-sum", "it stays one"),
        ("3.columns", slice(32, 48)),
        ("3.columns", range(32, 48)),
        ("3.columns", "32:48"),
        ("4.permutation", "16 moved, 1 read"),
        ("4.both", "five"),
        ("5.parameters", "16,384"),
        ("5.parameters", "16_384"),
        ("5.one-sentence", "No, it does not"),
    ],
    ids=str,
)
def test_a_right_answer_in_a_persons_own_words_is_right(question, answer):
    assert find(question).answer(answer).mood is Mood.RIGHT


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("1.strides", (24, 3, 6, 1)),
        ("1.whose-vector", ("river", 0)),
        ("4.permutation", (16, 1)),
        ("5.parameters", (16, 384)),
    ],
    ids=str,
)
def test_forgotten_parentheses_are_no_error(question, answer, capsys):
    predict(question, *answer)
    assert capsys.readouterr().out.startswith("✓ Right.")


def test_order_matters_unless_the_question_says_otherwise():
    assert not same(read((3, 1)), read((1, 3)), 0)
    assert same(read((3, 1)), read((1, 3)), 0, any_order=True)


class Hostile:
    """An answer whose every method raises."""

    def __getattribute__(self, name):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


def endless():
    nested = []
    nested.append(nested)
    return nested


STRANGE = [
    Hostile(), endless(), object(), int, print, {1: 2}, {1, "a"}, b"4", 1j, float("nan"), float("inf"), 10**400,
    np.zeros((50, 50)), np.array([object()]), np.array(["river"]), range(10**9), "[" * 150, "(" + "1," * 90 + ")",
    "x" * 10**6, "[[[[[[[1]]]]]]]", iter([1]), [], (), "\x00", "!!!", [Hostile()], [[1, 2], [3]], np.ma.masked,
]  # fmt: skip


# By number: pytest itself would trip over some of them.
@pytest.mark.parametrize("number", range(len(STRANGE)))
def test_no_answer_makes_it_raise(number):
    for prediction in ALL:
        assert prediction.answer(STRANGE[number]).mood in (Mood.WRONG, Mood.WAITING)


def test_unknown_question_is_no_error(capsys):
    for question in ("1.no-such", "99.none", "nothing", "", None, 3, ..., Hostile()):
        predict(question, 1)
        assert "no such question" in capsys.readouterr().out


def test_predict_shows_the_answer(capsys):
    predict("1.whose-vector", ("bank", 0))
    assert "does not move any data" in capsys.readouterr().out
