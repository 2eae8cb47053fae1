"""Advice from the source: for right functions that could be better."""

from __future__ import annotations

import inspect

import pytest
from mha.mistakes import advice
from mha.mistakes.source import LOOP_OVER_BATCH, LOOP_OVER_HEADS, LOOP_TO_JOIN, NESTED_LOOPS, PRINTS

from tests.mistakes import right


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (right.mha_loop_over_heads, [LOOP_OVER_HEADS]),
        (right.mha_sum_over_heads, [LOOP_OVER_HEADS]),
        (right.concat_filled_buffer, [LOOP_TO_JOIN]),
        (right.concat_concatenate, [LOOP_TO_JOIN]),
        (right.concat_one_number_at_a_time, [NESTED_LOOPS]),
        (right.mha_plain, []),
        (right.concat_transpose, []),
        (right.mha_einsum_throughout, []),
    ],
)
def test_advice_on_right_functions(function, expected):
    assert advice(inspect.getsource(function)) == expected


def test_loops_over_the_batch():
    source = "def f(x):\n    for b in range(batch):\n        y[b] = x[b] @ w\n"
    assert advice(source) == [LOOP_OVER_BATCH]


def test_loops_over_single_numbers():
    source = (
        "def f(x):\n    for i in a:\n        for j in b:\n            for k in c:\n                y[i, j, k] = 1\n"
    )
    assert advice(source) == [NESTED_LOOPS]


def test_prints():
    assert advice("def f(x):\n    print(x.shape)\n    return x\n") == [PRINTS]


def test_an_indented_source_is_read():
    assert advice("    def f(x):\n        print(x)\n") == [PRINTS]


@pytest.mark.parametrize("source", ["", "def f(:", "x = 1", "\0", "(" * 5000, "x" * 200_000, None, 3])
def test_what_cannot_be_read_gets_none(source):
    assert advice(source) == []
