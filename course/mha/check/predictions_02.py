"""The predictions of lesson 2."""

from mha.check.prediction import Prediction, Wrong
from mha.check.report import Section

__all__ = ["PREDICTIONS"]

PREDICTIONS = (
    Prediction(
        id="2.equal-scores",
        right=(0.5, 0.5),
        because="Softmax looks at differences only. Equal scores get equal weights, however large they are.",
        wrong=(
            Wrong(
                (2, 2), "Those are the products, before the division. Softmax turns scores into shares of one whole."
            ),
            Wrong((1, 1), "Those are the scores themselves. Softmax turns them into shares: the two must sum to 1."),
        ),
        also=(0.5,),
        otherwise="Both keys fit equally well. How would you share out one whole between them?",
        section=Section(2, "Two tokens, by hand"),
    ),
    Prediction(
        id="2.scores-shape",
        right=(2, 4, 4, 6),
        because="B and h ride along; each of the 2 × 4 pairs multiplies (Tq, hs) by (hs, Tk) into (Tq, Tk) = (4, 6).",
        wrong=(
            Wrong((2, 4, 6, 4), "Turned round: queries go down the rows and keys across, so Tq comes before Tk."),
            Wrong(
                (2, 4, 4, 4), "That has as many keys as queries. Keys may come from another sentence: here there are 6."
            ),
            Wrong((2, 4, 6, 6), "That has as many queries as keys. There are 4 queries and 6 keys."),
            Wrong(
                (8, 4, 6), "The 2 × 4 tables are right, but `@` keeps the axes B and h apart: four axes in, four out."
            ),
            Wrong((4, 6), "That is one table. There is one for each sentence and each head."),
        ),
        otherwise="`@` leaves all axes but the last two alone. Then (Tq, hs) @ (hs, Tk) gives a table of which shape?",
        section=Section(2, "All heads with one @"),
    ),
    Prediction(
        id="2.last-input",
        right=5,
        because="Only position 5 may look at position 5. The others never saw what changed.",
        wrong=(
            Wrong((0, 1, 2, 3, 4, 5), "So it would be without the mask. With it, who may attend to position 5?"),
            Wrong("all", "So it would be without the mask. With it, who may attend to position 5?"),
            Wrong("none", "One position may attend to position 5: that position itself."),
            Wrong((0, 1, 2, 3, 4), "The other way round: these may not attend to position 5, so they cannot notice."),
        ),
        also=(-1, "last", "the last"),
        otherwise="Read column 5 of the mask from top to bottom: which queries hold True there?",
        section=Section(2, "A mask: who may look at whom"),
    ),
    Prediction(
        id="2.wrong-axis",
        right="columns",
        because="Softmax makes sums of 1 along the axis it runs over. Over the queries, that is down each column.",
        wrong=(
            Wrong(
                "rows", "Rows sum to 1 where softmax runs over the keys (axis -1). Here it runs over the queries (-2)."
            ),
            Wrong("both", "Softmax gives sums of 1 along one axis only; the other sums come out as they may."),
            Wrong(
                "neither", "Along the axis that softmax runs over, the sums are always 1. Which way does axis -2 run?"
            ),
        ),
        also=("column", "the columns", "cols", "columns sum to 1"),
        otherwise="Answer rows or columns. Axis -2 counts the queries, which go down the table.",
        section=Section(2, "Two slips, and what the sums can see"),
    ),
    Prediction(
        id="2.row-sum",
        right=1,
        because="Softmax makes every row sum to 1, whatever the scores were divided by. The sum cannot show this slip.",
        wrong=(
            Wrong(0.5, "The scores are halved, but before the softmax. Softmax then shares out one whole again."),
            Wrong(2, "The divisor is doubled, but before the softmax. Softmax then shares out one whole again."),
        ),
        otherwise="The division comes before the softmax. What does softmax make of any row of scores?",
        section=Section(2, "Two slips, and what the sums can see"),
        tolerance=0.01,
    ),
    Prediction(
        id="2.sharpness",
        right=0.741,
        because="Halving the scores takes the square root of each weight, and sharing out anew: √.972 of 1.33 in all.",
        wrong=(
            Wrong(0.972, "Nothing changes only where all scores are equal. Halved differences make the row flatter."),
            Wrong(
                0.486, "Half the score is not half the weight: halving the scores takes square roots of the weights."
            ),
            Wrong(0.986, "That is √.972, before sharing out anew: divide by the sum of all six square roots."),
            Wrong(1, "Dividing by more makes the row flatter, not sharper: the largest weight must fall."),
        ),
        otherwise=(
            "√64 is twice √16, so every score is halved. Then each weight becomes its square root, divided by the sum "
            "of the six square roots."
        ),
        section=Section(2, "Two slips, and what the sums can see"),
        tolerance=0.006,
    ),
)
