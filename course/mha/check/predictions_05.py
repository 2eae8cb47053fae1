"""The predictions of lesson 5: exercises and the bug hunt."""

from __future__ import annotations

from mha.check.prediction import Prediction, Wrong
from mha.check.report import Section

__all__ = ["PREDICTIONS"]

PREDICTIONS = (
    Prediction(
        id="5.slices",
        right=2,
        because="Until the output projection nothing crosses from one head to another. So only head 2's slice of the "
        "concat changes, and since its values are all zero, it changes to zero.",
        wrong=(
            Wrong(
                (0, 1, 2, 3),
                "They would all change after the output projection. We look at the concat, before it: has anything "
                "crossed from one head to another by then?",
            ),
            Wrong(
                (0, 1, 3),
                "The other way round: these three keep their values, and it is head 2 that lost its own.",
            ),
            Wrong(
                (2, 3),
                "Head 3 has columns of W_v of its own, 48 to 63, and they were left alone. The slice ends before 3*hs.",
            ),
            Wrong(
                1,
                "Heads count from 0 here: columns 2*hs to 3*hs belong to the head with index 2.",
            ),
        ),
        otherwise="Which heads read the columns of W_v that were set to zero, and where in the concat do these heads "
        "write?",
        section=Section(3, "Block i is head i"),
        any_order=True,
    ),
    Prediction(
        id="5.parameters",
        right=16384,
        also=((16, 384),),  # what Python makes of 16,384
        because="Four matrices of 64 × 64, however they are cut into heads. More heads are narrower heads: 8 of 8 "
        "features in place of 4 of 16.",
        wrong=(
            Wrong(
                32768,
                "Twice as many heads, but each is half as wide: the two cancel. The matrices stay 64 × 64.",
            ),
            Wrong(
                8192,
                "Each head is half as wide, but there are twice as many: the two cancel. The matrices stay 64 × 64.",
            ),
            Wrong(
                12288,
                "That counts three matrices. W_o is the fourth.",
            ),
            Wrong(
                131072,
                "The 16,384 are for all heads together: each head only owns a slice of each matrix, so there is no "
                "factor of 8.",
            ),
        ),
        otherwise="Count the numbers in W_q, W_k, W_v and W_o. Does h appear anywhere in their shapes?",
        section=Section(5, "Exercise 3: more heads at the same price"),
    ),
    Prediction(
        id="5.one-sentence",
        right="no",
        because="With B = 1 the axis of sentences has one place, and moving an axis of size 1 reorders nothing. A test "
        "with one sentence never sees this bug, however large it is.",
        wrong=(
            Wrong(
                "yes",
                "It moves the axis of sentences behind the axis of positions. With a single sentence, does that change "
                "the order of any two numbers?",
            ),
        ),
        otherwise='Answer "yes" or "no".',
        section=Section(3, "The slip side by side"),
    ),
)
