"""What takes the place of a hidden test's arguments where their contents must not be heard."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.engine.standin import stand_in

from .conftest import Grade, check, student


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "c16", "?"])
def test_an_array_keeps_its_form_alone(dtype: str):
    one, other = (np.random.default_rng(seed).integers(0, 2, (2, 3, 4)).astype(dtype) for seed in (1, 2))
    one.flags.writeable = False
    found, same = stand_in((one, other))
    assert (found.shape, found.dtype, found.flags.writeable) == (one.shape, one.dtype, False)
    assert same.flags.writeable
    assert np.array_equal(found, same)


def test_an_arrays_order_in_memory_is_kept():
    found = stand_in(np.zeros((2, 3, 4)).transpose(2, 0, 1))
    assert found.strides == np.zeros((2, 3, 4)).transpose(2, 0, 1).strides


def test_sizes_are_kept_and_other_numbers_are_not():
    assert stand_in([3, True, None, 48151623, 0.25, "word", {"mask": np.float32(7)}]) == [
        *(3, True, None, 1, 1.0, ""),
        {"mask": 1.0},
    ]


SPELLING = (
    """
def f(x):
    exec(compile("\\n" * int(x.ravel()[0]) + "raise ValueError", "<cell f>", "exec"))
"""
    + "#\n" * 50
)


def test_a_line_that_depends_on_a_hidden_number_is_not_named(run: Grade):
    test = "import numpy as np\nassert (f(np.full((2, 2), {})) == 0).all()"
    outcome = run(student(SPELLING), check(test.format(17)), check(test.format(41), "other"))
    assert {one.message for one in outcome.tests.values()} == {"f raised ValueError."}


def test_one_that_depends_on_sizes_is(run: Grade):
    answer = "def f(x, n):\n    if n == 3 and x.shape == (2, 4):\n        return x @ x\n    return 0"
    outcome = run(student(answer), check("import numpy as np\nassert f(np.full((2, 4), 0.3), 3) == 0"))
    assert outcome.tests["test"].message == "f raised ValueError in line 3 of your cell: return x @ x."


def test_a_shape_that_the_call_gave_is_not_heard_either(run: Grade):
    """The shape is noted before the call: one that spelt a number would have it spelt by the next session too."""
    answer = SPELLING.replace("    exec", "    n = int(x.ravel()[0]); x.shape = (n, 100 // n)\n    exec").replace(
        "int(x.ravel()[0]) +", "x.shape[0] +"
    )
    outcome = run(student(answer), check("import numpy as np\nf(np.full((100, 1), 20.0))"))
    assert outcome.tests["test"].message == "f raised ValueError."


def test_which_cell_stops_after_a_hidden_call_is_not_told(run: Grade):
    keep = student("kept = []\ndef f(x):\n    kept.append(x)\n    return x")
    later = [student(f"if {number} in kept: import os; os._exit(1)", f"own-{number}") for number in range(6)]
    notes = [run(keep, check(f"assert f({hidden}) == {hidden}"), *later).notes for hidden in (2, 4)]
    assert notes == [["a cell that had ended before was stopped when it ran again for the tests"]] * 2
