"""A small assignment, once with tests that are good enough and once with tests that have every fault at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.course import CONFIG, Course, cell, make_course, marks

TOTAL = """def total(values):
    ### BEGIN SOLUTION
    result = 0
    while values:
        result = result + values[0]
        values = values[1:]
    return result
    ### END SOLUTION"""

GOOD_TEST = """assert total([1, 2]) == 3, "1 and 2 make 3"
### BEGIN HIDDEN TESTS
assert total([5, -7, 9]) == 7, "some numbers are left out"
assert total([0.5, 0, 4]) == 4.5, "zeros are no end"
### END HIDDEN TESTS"""
EMPTY_TEST = """### BEGIN HIDDEN TESTS
assert total([]) == 0, "nothing makes nothing"
### END HIDDEN TESTS"""

WEAK_TEST = """### BEGIN HIDDEN TESTS
assert total([3]) == 3
### END HIDDEN TESTS"""
FORGIVING_TEST = """### BEGIN HIDDEN TESTS
assert total([3]) != 4
### END HIDDEN TESTS"""
PETTY_TEST = """### BEGIN HIDDEN TESTS
assert type(total([3])) is int
### END HIDDEN TESTS"""

CATALOGUE = '''
from mha.mistakes.model import Catalogue, Contract, Pointer

CATALOGUE = Catalogue(
    tuple(
        Contract(name, frozenset({"whole"}), lambda steps: steps["whole"], tuple, results=("result",), arguments=())
        for name in ("total", "other")
    )
)


@CATALOGUE.mistake("total", "whole", Pointer("lesson", "section"))
def first_only(values):
    """Takes the first number

    Your function gives the first number back.
    """
    return values[0] if values else 0


@CATALOGUE.mistake("total", "whole", Pointer("lesson", "section"))
def never_negative(values):
    """Leaves out negative numbers

    Your function leaves out what is below zero.
    """
    return sum(value for value in values if value > 0)


@CATALOGUE.mistake("total", "whole", Pointer("lesson", "section"))
def needs_a_number(values):
    """Cannot add up nothing

    Your function needs a first number.
    """
    return values[0] + sum(values[1:])


@CATALOGUE.mistake("other", "whole", Pointer("lesson", "section"), local=True)
def not_here(values):
    """Belongs to another function

    Your function is none of this assignment's.
    """
    return None
'''


def good_course(root: Path) -> Course:
    """Tests that catch everything; the settings excuse nothing that they need not."""
    settings = """
catalogue = "small_catalogue_good:CATALOGUE"
right = "right"

[elsewhere]
not_here = "another function makes it"

[about]
test_total = ["first_only", "never_negative"]
test_empty = ["needs_a_number"]
"""
    return _course(root, "small_catalogue_good", settings, test_total=GOOD_TEST, test_empty=EMPTY_TEST)


def weak_course(root: Path) -> Course:
    """Tests with every fault that an audit knows."""
    settings = """
catalogue = "small_catalogue_weak:CATALOGUE"
right = "right"

[equivalent]
"total: result = 0 → result = 7" = "no such mutant"
"total: return result → return" = "it is caught, in truth"

[overlapping]
test_gone = "no such cell"

[elsewhere]
first_only = "it can be made, in truth"
unheard_of = "no such mistake"

[about]
test_total = ["first_only", "unheard_of_too"]
test_vanished = ["first_only"]
"""
    return _course(
        root, "small_catalogue_weak", settings, test_total=WEAK_TEST, test_stub=FORGIVING_TEST, test_petty=PETTY_TEST
    )


def _course(root: Path, package: str, settings: str, **tests: str) -> Course:
    cells: list[dict[str, Any]] = [cell("code", "total", TOTAL, marks("total", solution=True))]
    cells += [
        cell("code", name.replace("_", "-"), source, marks(name, grade=True, locked=True, points=2))
        for name, source in tests.items()
    ]
    course = make_course(root, cells, CONFIG + "c.Autograder.cell_seconds = 2\n")
    (root / "audits").mkdir()
    (root / "audits" / "sums.toml").write_text(settings, encoding="utf-8")
    (root / package).mkdir()
    (root / package / "__init__.py").write_text(CATALOGUE, encoding="utf-8")
    _right(root, "uses_sum", "def total(values):\n    return sum(values)")
    _right(root, "uses_floats", "def total(values):\n    return float(sum(values))")
    return course


def _right(root: Path, name: str, source: str) -> None:
    folder = root / "right" / name
    folder.mkdir(parents=True)
    (folder / "solution.py").write_text(f"# %% total\n{source}\n", encoding="utf-8")
    (folder / "expected.json").write_text(json.dumps({"behaviour": f"It {name}.", "lost": []}), encoding="utf-8")
