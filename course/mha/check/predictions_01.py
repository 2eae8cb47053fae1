"""The predictions of lesson 1."""

from mha.check.prediction import Prediction, Wrong
from mha.check.report import Section

__all__ = ["PREDICTIONS"]

PREDICTIONS = (
    Prediction(
        id="1.one-average",
        right=4,
        because="Half of 8 and half of 0 make 4. So do half of 6 and half of 2: an average forgets its parts.",
        wrong=(
            Wrong(
                (8, 0), "Those are the two numbers that went in. One row of weights adds its shares up to one number."
            ),
            Wrong(8, "That is the sum. Each of the two counts half: add 0.5 × 8 and 0.5 × 0."),
        ),
        otherwise="Multiply each value by its weight and add up: 0.5 × 8 + 0.5 × 0 + 0 × 4 + 0 × 2.",
        section=Section(1, "One row of weights, one average"),
    ),
    Prediction(
        id="1.shared",
        right="yes",
        because="Both arrays look at the same 24 numbers, so a change seen through one is seen through the other.",
        wrong=(
            Wrong(
                "no",
                "It would be so if the reshape had copied. It only looks at the same memory in other groups: nothing "
                "was computed, and nothing was copied.",
            ),
        ),
        otherwise="Answer yes or no: does `packed` change when `by_token` does?",
        section=Section(1, "Step 1: give the heads an axis"),
    ),
    Prediction(
        id="1.strides",
        right=(24, 3, 6, 1),
        because="The transpose swapped the two strides along with the two axes, and left every number where it was.",
        wrong=(
            Wrong(
                (24, 12, 3, 1),
                "Those would be the strides if the numbers had been moved into the new order. Nothing moved: in memory "
                "the next head is still 3 further on, and the next token 6.",
            ),
            Wrong(
                (24, 6, 3, 1),
                "Those are the strides before the transpose. It swaps axes 1 and 2; their strides go with them.",
            ),
            Wrong(
                (192, 24, 48, 8), "That is right in bytes. The question counts elements, of 8 bytes each: divide by 8."
            ),
            Wrong((1, 2, 4, 3), "That is the shape: how many there are. The strides say how far apart they lie."),
        ),
        otherwise=(
            "Take the axes one by one: sentence, head, token, feature. For each, how many places further on in memory "
            "does the next one begin?"
        ),
        section=Section(1, "Nothing moved"),
    ),
    Prediction(
        id="1.whose-vector",
        right=("river", 0),
        because=(
            "A straight reshape deals the 24 numbers out in memory order, three at a time: The·h0, The·h1, river·h0. "
            "Place 2 of “head 0” gets the third group, and that is river's."
        ),
        wrong=(
            Wrong(
                ("bank", 0),
                "The index says head 0, token 2, and the shape agrees. But naming an axis “head” does not move any "
                "data: the reshape deals the numbers out in memory order, three at a time.",
            ),
            Wrong(
                ("bank", 1), "Count in groups of three from the start of memory: The·h0 is group 0, The·h1 is group 1."
            ),
            Wrong(
                ("river", 1), "One group too far: The·h0 is group 0, The·h1 group 1, and the question asks for group 2."
            ),
            Wrong(
                ("The", 1), "One group too early: The·h0 is group 0, The·h1 group 1, and the question asks for group 2."
            ),
            Wrong("river", 'The token is right. Which head\'s vector is it? Answer with both, such as `("was", 1)`.'),
        ),
        otherwise="Write the memory down in groups of three (The·h0, The·h1, …) and count: which group is number 2?",
        section=Section(1, "The slip: reshape straight"),
    ),
)
