"""The predictions of lesson 4: the output projection."""

from __future__ import annotations

from mha.check.prediction import Prediction, Wrong
from mha.check.report import Section

__all__ = ["PREDICTIONS"]

PREDICTIONS = (
    Prediction(
        id="4.permutation",
        right=(16, 1),
        because="Head 3's 16 numbers land on 16 outputs, wherever these are, and each output is a copy of one number "
        "from one head. It moved things around and mixed nothing.",
        wrong=(
            Wrong(
                (64, 4),
                "That is the dense projection. A permutation has a single 1 in each column, so an output copies one "
                "number: how many heads can one number come from?",
            ),
            Wrong(
                (16, 4),
                "16 move, yes. But an output of a permutation copies one number, and one number comes from one head.",
            ),
            Wrong(
                (64, 1),
                "Each output reads one head, yes. So only the outputs that read head 3 can move, and head 3 has 16 "
                "numbers to copy.",
            ),
        ),
        otherwise="A permutation has a single 1 in each row and each column. Head 3 fills 16 rows: how many outputs is "
        "that? And how many rows does one output read?",
        section=Section(4, "Moving is not mixing"),
    ),
    Prediction(
        id="4.both",
        right=5,
        because="The projection adds: 2 + 3. What one head contributes does not depend on what the other one does.",
        wrong=(
            Wrong(
                6,
                "That multiplies the two. Look at the sum over heads: contributions are added, and no head's number "
                "is ever multiplied with another head's.",
            ),
            Wrong(
                0,
                "Nothing cancels or waits here. The output is the sum of what the heads contribute.",
            ),
        ),
        otherwise="Look at the sum over heads: each head contributes its part, and the parts are added.",
        section=Section(4, "A sum over heads"),
    ),
    Prediction(
        id="4.weight",
        right=(7, 0),
        because="Row 0 of `weight_o` belongs to output 0 and reads input 1, which is 7. Row 1 is empty, so output 1 "
        "is 0.",
        wrong=(
            Wrong(
                (0, 5),
                "That is `concat @ weight_o`, without the `.T`: you took column 1 for output 1. In this convention an "
                "output owns a row.",
            ),
            Wrong(
                (0, 7),
                "The 7 is right, but it belongs to output 0: row 0 is the row that has something in it.",
            ),
            Wrong(
                (5, 0),
                "Output 0 is right to be the busy one, but its 1 stands at index 1: it reads input 1, not input 0.",
            ),
        ),
        otherwise="Each row of `weight_o` is one output: multiply it with [5, 7] number by number and add up.",
        section=Section(4, "Two ways to store the weight"),
    ),
)
