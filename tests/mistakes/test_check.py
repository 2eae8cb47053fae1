"""``check`` answers whatever the function does, names the mistake, and never gives the answer."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
from mha.check import check
from mha.check.functions import report_on
from mha.check.report import PUBLIC_NOTE, Mood
from mha.mistakes import CATALOGUE

from tests.mistakes import right


class Odd(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Stranger:
    @property
    def __name__(self):
        raise RuntimeError

    def __call__(self, *arguments):
        return self

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


def raises(error):
    def concat_heads(x):
        raise error

    return concat_heads


def recurses(x):
    return recurses(x)


def yields_nothing(x):
    yield x


@pytest.mark.parametrize("mistake", CATALOGUE, ids=lambda mistake: mistake.id)
def test_every_mistake_gets_its_title_message_and_place(mistake):
    report = report_on(mistake.function, mistake.contract)
    if mistake.id.startswith("returns_nothing"):
        assert report.mood is Mood.WAITING
        return
    assert report.mood is Mood.WRONG
    assert mistake.message in report.text() or f"“{mistake.title}”" in report.text()
    assert report.section is not None
    assert PUBLIC_NOTE in report.text()


@pytest.mark.parametrize("function", [*right.CONCATS.values()])
def test_right_concats_are_praised(function):
    report = report_on(function, "concat_heads")
    assert report.mood is Mood.RIGHT
    assert PUBLIC_NOTE in report.text()


def test_a_loop_is_praised_and_advised():
    text = report_on(right.mha_loop_over_heads, "multi_head_attention").text()
    assert "Advice that costs no points" in text
    assert "loops over the heads" in text


def test_the_contract_follows_from_the_name(capsys):
    def concat_heads(x):
        return CATALOGUE["reverses_the_heads"].function(x)

    check(concat_heads)
    assert "Puts the heads in reverse order" in capsys.readouterr().out


def test_a_name_that_says_nothing_gets_a_hint():
    report = report_on(right.concat_einsum)
    assert report.mood is Mood.NOTE
    assert "`concat_heads`" in report.text()


@pytest.mark.parametrize("value", [None, ...])
def test_it_is_calm_when_nothing_is_written(value):
    report = report_on(lambda x: value, "concat_heads")
    assert report.mood is Mood.WAITING
    assert "gives nothing back yet" in report.text()


def test_a_function_not_implemented_is_not_written_yet():
    assert report_on(raises(NotImplementedError()), "concat_heads").mood is Mood.WAITING


def test_a_function_that_prints_is_told_the_difference_and_its_prints_stay_out(capsys):
    def concat_heads(x):
        print(right.concat_einsum(x))

    check(concat_heads)
    out = capsys.readouterr().out
    assert "a print hands nothing over" in out
    assert "[[[" not in out


@pytest.mark.parametrize(
    "function",
    [
        None,
        3,
        "concat_heads",
        np.zeros(3),
        Stranger(),
        recurses,
        yields_nothing,
        raises(Odd()),
        raises(SystemExit(1)),
        raises(KeyboardInterrupt()),
        raises(GeneratorExit()),
        raises(MemoryError()),
        lambda x: sys.exit(),
        lambda x: Stranger(),
        lambda x: [[[]]] * 100,
        lambda x: x.astype(object),
        lambda x: np.array(["a"]),
        lambda x: float("nan"),
        lambda x: 10**400,
        lambda x: 1 + 2j,
        lambda x: np.full((1, 2, 4), np.nan),
        lambda x: np.zeros((0,)),
        lambda x, y: x,
        lambda: None,
    ],
    ids=repr,
)
@pytest.mark.parametrize("contract", CATALOGUE.contracts)
def test_it_never_raises(function, contract, capsys):
    check(function, contract)
    assert capsys.readouterr().out


def test_an_exception_becomes_one_sentence_with_its_line():
    def concat_heads(x):
        x = np.asarray(x)
        return x.permute(0, 2, 1, 3)

    text = report_on(concat_heads).text()
    line = concat_heads.__code__.co_firstlineno + 2
    assert (
        f"The first exception was AttributeError ('numpy.ndarray' object has no attribute 'permute') at line {line}"
        in text
    )
    assert "a word of PyTorch's" in text


def test_a_line_in_a_comprehension_is_found_in_the_function_around_it():
    def concat_heads(x):
        heads = range(len(x) + 9)
        return np.concatenate([x[:, head] for head in heads], axis=-1)

    message = report_on(concat_heads).message
    assert "of `concat_heads`" in message
    assert "comp>" not in message


def test_lists_in_a_list_are_called_so():
    message = report_on(lambda x: [x.tolist()], "concat_heads").message
    assert "it returns a list of 1 (a list), not an array of numbers" in message


def test_views_of_pytorch_are_recognised():
    text = report_on(lambda x: x.view(1, 2, 4), "concat_heads").text()
    assert "TypeError (view() takes" in text
    assert "a word of PyTorch's" in text


def test_two_mistakes_at_once_are_both_explained():
    def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
        steps = {**CATALOGUE["reverses_the_heads"].steps, **CATALOGUE["bias_missing"].steps}
        return CATALOGUE.contracts["multi_head_attention"].assemble(steps)(
            query, key, value, num_heads, weight_o, bias_o, mask
        )

    text = report_on(multi_head_attention).text()
    assert "Two things at once." in text
    assert "In the concat: " in text
    assert CATALOGUE["bias_missing"].message in text


def test_an_unknown_mistake_gets_facts():
    text = report_on(lambda x: right.concat_einsum(x) * 3, "concat_heads").text()
    assert "right up to a factor of 3." in text


def test_what_was_tried_stands_in_a_table():
    text = report_on(CATALOGUE["reshape_without_transpose"].function, "concat_heads").text()
    assert re.search(r"one head +✓ right", text)
    assert re.search(r"as many tokens as heads +✗ wrong", text)


def test_where_everything_is_wrong_alike_the_table_is_one_row():
    text = report_on(raises(ValueError("no")), "concat_heads").text()
    assert "all 12 inputs  ✗ ValueError" in text
    assert "one head" not in text


def test_a_slow_function_is_stopped_in_good_time(monkeypatch):
    now = iter(range(0, 1000, 2))
    monkeypatch.setattr("mha.check.functions.time.monotonic", lambda: next(now))
    report = report_on(right.concat_einsum, "concat_heads")
    assert report.mood is Mood.RIGHT
    assert "The function is slow" in report.text()


def test_html_escapes_what_the_function_says():
    html = report_on(raises(ValueError("<script>alert(1)</script>")), "concat_heads").html()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize("mistake", CATALOGUE, ids=lambda mistake: mistake.id)
def test_it_never_holds_a_line_to_type(mistake):
    text = report_on(mistake.function, mistake.contract).message
    shown_of_their_own = re.sub(r"The first exception was .*", "", text)
    assert not re.search(r"\w\(|\bnp\.|@", shown_of_their_own)
