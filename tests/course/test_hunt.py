"""The bug hunt: what is a catch, what is the smallest one, and why an input hides the bug."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from mha.bugs import BUGS, TOLERANCE, source_of
from mha.check.hunt import check_catch, report_on_catch
from mha.check.report import Mood

QK = (np.ones((1, 2, 1, 1)), np.array([1.0, 0, 1, 0]).reshape(1, 2, 2, 1))
MASKED = (np.zeros((1, 2)), np.ones((2, 1)), np.array([[True, False]]))
BIASED = (np.zeros((1, 2, 1, 1)), np.zeros((2, 2)), np.ones(2))

SMALLEST = {
    "concat": (np.arange(4).reshape(2, 1, 2, 1), 4),
    "scale": (QK, 6),
    "mask": (MASKED, 6),
    "bias": (BIASED, 8),
}

HIDDEN = [
    ("concat", np.arange(4).reshape(1, 2, 2, 1), "one sentence"),
    ("concat", np.arange(4).reshape(2, 2, 1, 1), "one position"),
    ("concat", np.ones((2, 1, 2, 1)), "all different"),
    ("scale", (np.ones((1, 1, 1, 2)), np.arange(4).reshape(1, 1, 2, 2)), "one head"),
    ("scale", (np.ones((1, 2, 1, 1)), np.ones((1, 2, 1, 1))), "single key"),
    ("scale", (np.ones((1, 2, 1, 1)), np.ones((1, 2, 2, 1))), "all equal"),
    ("mask", (MASKED[0], MASKED[1], np.array([[True, True]])), "hides nothing"),
    ("mask", (np.zeros((1, 1)), np.ones((1, 1)), np.array([[False]])), "single key"),
    ("mask", (MASKED[0], MASKED[1], np.array([[False, False]])), "hides everything"),
    ("mask", (MASKED[0], np.zeros((2, 1)), MASKED[2]), "All values are 0"),
    ("mask", (MASKED[0], np.array([[0.0], [1.0]]), MASKED[2]), "visible values are 0"),
    ("bias", (BIASED[0], BIASED[1], np.zeros(2)), "added twice is still 0"),
    ("bias", (np.zeros((1, 1, 1, 2)), np.zeros((2, 2)), np.ones(2)), "one head"),
]

UNREADABLE = [
    ("concat", np.arange(4).reshape(2, 2), "needs 4 axes"),
    ("concat", np.zeros((2, 0, 2, 1)), "no number at all"),
    ("concat", "abc", "not an array of numbers"),
    ("concat", [[1], [1, 2]], "not an array of numbers"),
    ("concat", np.full((2, 1, 2, 1), np.inf), "not finite"),
    ("scale", QK[0], "Return 2 arrays"),
    ("scale", (QK[0], np.ones((1, 3, 2, 1))), "h is 2 in one argument and 3 in k"),
    ("mask", (*MASKED[:2], np.array([[1, 0]])), "True and False"),
    ("mask", (MASKED[0], np.ones((3, 1)), MASKED[2]), "Tk is 2"),
    ("bias", (BIASED[0], np.zeros((3, 3)), np.ones(3)), "C must be h*hs = 2"),
]


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_catch_is_praised(name):
    given, numbers = SMALLEST[name]
    report = report_on_catch(name, lambda: given)
    assert report.mood is Mood.RIGHT
    assert report.heading == "Smallest catch"
    assert f"an input of {numbers} numbers" in report.message


def test_a_list_of_arrays_is_read_like_a_tuple_and_a_blank_waits():
    assert report_on_catch("scale", lambda: list(QK)).heading == "Smallest catch"
    assert report_on_catch("concat", lambda: [[[[0], [1]]], [[[2], [3]]]]).heading == "Smallest catch"
    for blank in (None, ...):
        assert report_on_catch("scale", lambda blank=blank: blank).mood is Mood.WAITING


@pytest.mark.parametrize("name", SMALLEST)
def test_a_larger_catch_is_told_that_a_smaller_one_exists(name):
    rng = np.random.default_rng(1)
    larger = {
        "concat": rng.standard_normal((2, 3, 4, 2)),
        "scale": tuple(rng.standard_normal((2, 2, 3, 2)) for _ in range(2)),
        "mask": (rng.standard_normal((3, 3)), rng.standard_normal((3, 2)), np.tri(3, dtype=bool)),
        "bias": (rng.standard_normal((2, 2, 3, 2)), rng.standard_normal((4, 4)), np.ones(4)),
    }[name]
    report = report_on_catch(name, lambda: larger)
    assert report.heading == "Caught, not yet smallest"
    assert "A smaller one exists" in report.message


@pytest.mark.parametrize(("name", "given", "words"), HIDDEN + UNREADABLE)
def test_an_input_that_catches_nothing_is_told_why(name, given, words):
    report = report_on_catch(name, lambda: given)
    assert report.mood is Mood.WRONG
    assert words in report.message


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_no_smaller_input_shows_the_bug(bug):
    letters = sorted({a for axes in bug.arguments.values() for a in axes.strip("()").rstrip(",").split(", ")} - {"C"})
    rng = np.random.default_rng(3)
    for sizes in product((1, 2, 3), repeat=len(letters)):
        size = dict(zip(letters, sizes, strict=True))
        size["C"] = size.get("h", 1) * size.get("hs", 1)
        shapes = [[size[a] for a in axes.strip("()").rstrip(",").split(", ")] for axes in bug.arguments.values()]
        if sum(int(np.prod(shape)) for shape in shapes) >= bug.smallest:
            continue
        for _ in range(20):
            arrays = [rng.standard_normal(shape) * 5 for shape in shapes]
            if bug.name == "mask":
                arrays[2] = arrays[2] > 0
            assert bug.error(*arrays) <= TOLERANCE, shapes


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_source_that_is_shown_is_the_function(bug):
    assert source_of(bug).startswith(f"def {bug.broken.__name__}(")
    assert len(source_of(bug).splitlines()) <= 7


def test_a_hunt_answers_whatever_it_is_given(capsys):
    def leaves():
        raise SystemExit

    for given, words in (
        (lambda: None, "Return `x` (B, h, T, hs)"),
        (5, "should be a function"),
        (leaves, "SystemExit"),
        (lambda x: x, "TypeError"),
        (object, "not an array of numbers"),
    ):
        check_catch("concat", given)
        assert words in capsys.readouterr().out
    check_catch("elephant", lambda: 1)
    assert "no such bug" in capsys.readouterr().out
