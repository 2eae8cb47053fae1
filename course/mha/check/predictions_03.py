"""The predictions of lesson 3: concat."""

from __future__ import annotations

from mha.check.prediction import Prediction, Wrong
from mha.check.report import Section

__all__ = ["PREDICTIONS"]

PREDICTIONS = (
    Prediction(
        id="3.two-heads",
        right=((0, 2), (1, 3)),
        because="Position 0 gets what head 0 says about it, 0, beside what head 1 says about it, 2. Position 1 gets 1 "
        "and 3. Reading down a column gives one head back.",
        wrong=(
            Wrong(
                ((0, 1), (2, 3)),
                "That puts head 0's two positions into one row: row 0 would hold position 0 and position 1 of the "
                "same head. A row belongs to one position and takes one number from each head.",
            ),
            Wrong(
                (0, 1, 2, 3),
                "Those are the right numbers, but the result has a row for each of the two positions: write it as "
                "two rows, [[…, …], […, …]].",
            ),
            Wrong(
                ((2, 0), (3, 1)),
                "Right numbers in each row, but the heads are in reverse order: head 0 comes first.",
            ),
        ),
        otherwise="Take one position at a time. What does head 0 say there, and what does head 1 say there? These two "
        "stand side by side in that position's row.",
        section=Section(3, "One sentence, two heads"),
    ),
    Prediction(
        id="3.columns",
        right=(32, 48),
        because="Heads 0 and 1 fill 2 × 16 = 32 columns before it, and it has 16 of its own: the slice 32:48.",
        wrong=(
            Wrong((32, 47), "The last of its columns is 47, yes. A slice names the column after the last."),
            Wrong((16, 32), "That is head 1. Heads count from 0, so two heads come before head 2."),
            Wrong((2, 18), "Two whole heads come before it, not two columns: it starts at 2*hs."),
        ),
        also=(tuple(range(32, 48)),),
        otherwise="How many heads come before head 2, and how many columns does each of them fill?",
        section=Section(3, "One sentence, two heads"),
    ),
    Prediction(
        id="3.which-move",
        right=(1, 3),
        because="Position 1 holds head 0's tokens 2 and 3, position 3 holds head 1's tokens 2 and 3: both contain "
        "token 3. That position 1 moves is the damage: it is not allowed to know token 3.",
        wrong=(
            Wrong(
                3,
                "That is what a right concat does. Here four numbers at a time are cut from memory, where all of head "
                "0 comes before head 1: find out which two rows receive a piece of token 3.",
            ),
            Wrong(
                (2, 3),
                "Look at the memory again: head 0's tokens 2 and 3 fill one row, and head 1's tokens 2 and 3 another. "
                "Which rows are these?",
            ),
            Wrong(
                (0, 1, 2, 3),
                "Too many: rows 0 and 2 are cut from tokens 0 and 1 of a head, and the causal mask keeps those two "
                "from knowing token 3.",
            ),
        ),
        otherwise="The memory holds head 0's tokens 0, 1, 2, 3 and then head 1's. Each row takes the next two tokens. "
        "Which rows receive a token 3?",
        section=Section(3, "The slip side by side"),
        any_order=True,
    ),
)
