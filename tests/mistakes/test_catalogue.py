"""What the catalogue holds, and that it gives no answer away."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re

import mha.mistakes
import numpy as np
import pytest
from mha.attention import split_heads
from mha.mistakes import CATALOGUE, Catalogue, Contract, Pointer
from mha.mistakes.probe import numbers

from tests.mistakes import right
from tests.support.scenarios import ROOT


def test_there_are_at_least_sixty_mistakes_and_some_for_every_contract():
    assert len(CATALOGUE) >= 60
    assert {mistake.contract for mistake in CATALOGUE} == set(CATALOGUE.contracts)


@pytest.mark.parametrize("mistake", CATALOGUE, ids=lambda mistake: mistake.id)
def test_entries_are_complete(mistake):
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", mistake.id)
    assert mistake.title
    assert mistake.message
    assert CATALOGUE[mistake.id] is mistake
    assert callable(mistake.function)


def test_every_pointer_is_a_heading_of_its_lesson():
    for lesson, section in {(mistake.lesson, mistake.section) for mistake in CATALOGUE}:
        notebook = json.loads((ROOT / "course" / f"{lesson}.ipynb").read_text(encoding="utf-8"))
        text = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
        assert re.search(rf"^#+ {re.escape(section)}$", text, re.MULTILINE), f"{lesson} has no heading {section!r}"


def test_attention_mistakes_become_wrong_multi_head_attention():
    arguments = [numbers(seed, 2, 3, 8) for seed in (1, 2, 3)]
    projection = numbers(4, 8, 8), numbers(5, 8)
    expected, _ = right.mha_plain(*arguments, 4, *projection)
    output, _ = CATALOGUE["divides_by_root_of_width"].as_multi_head_attention()(*arguments, 4, *projection)
    assert output.shape == expected.shape
    assert not np.allclose(output, expected)


def test_a_mistake_that_shows_only_in_its_own_function_has_no_place_in_another():
    assert CATALOGUE["clears_its_input"].as_multi_head_attention() is None
    assert CATALOGUE["bias_missing"].for_contract("concat_heads") is None


def public_callables():
    for module in pkgutil.walk_packages(mha.mistakes.__path__, "mha.mistakes."):
        if not any(part.startswith("_") for part in module.name.split(".")[2:]):
            for name, value in vars(importlib.import_module(module.name)).items():
                if callable(value) and not name.startswith("_"):
                    yield f"{module.name}.{name}", value
    yield from ((name, getattr(mha.mistakes, name)) for name in mha.mistakes.__all__)


def test_no_public_callable_is_an_answer():
    x, arguments = numbers(1, 2, 3, 8), [numbers(seed, 2, 3, 8) for seed in (1, 2, 3)]
    projection = numbers(4, 8, 8), numbers(5, 8)
    expected, _ = right.mha_plain(*arguments, 4, *projection)
    callables = [value for _, value in public_callables() if callable(value)]
    assert len(callables) >= 10
    for function in callables:
        assert not gives(function, (split_heads(x, 4),), x)
        assert not gives(function, (*arguments, 4, *projection), expected)


def gives(function, arguments, expected):
    try:
        result = function(*arguments)
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    first = result[0] if isinstance(result, tuple) and result else result
    return isinstance(first, np.ndarray) and first.shape == expected.shape and np.allclose(first, expected)


def test_each_wrong_function_really_is_wrong_and_never_the_right_one_by_another_name():
    x = np.ascontiguousarray(split_heads(numbers(9, 2, 4, 15), 3))
    spoils = {"clears_its_input", "writes_into_its_input"}
    keeps_numbers = spoils | {"turns_integers_into_floats", "squeezes_the_result"}
    for mistake in CATALOGUE:
        if mistake.contract == "concat_heads" and mistake.id not in keeps_numbers:
            assert not gives_exactly(mistake.function, x), mistake.id


def gives_exactly(function, x):
    try:
        result = function(x.copy())
    except ValueError:
        return False
    return isinstance(result, np.ndarray) and result.dtype == x.dtype and np.array_equal(result, right.concat_einsum(x))


@pytest.fixture
def empty():
    contract = Contract("double", frozenset({"double"}), lambda steps: steps["double"], tuple, ("result",), ("x",))
    return Catalogue((contract,))


def test_an_id_can_be_used_once(empty):
    empty.add("one", "One", "Words.", "double", Pointer("a", "b"), {"double": abs})
    with pytest.raises(ValueError, match="already a mistake called one"):
        empty.add("one", "One", "Words.", "double", Pointer("a", "b"), {"double": abs})


def test_a_mistake_needs_a_message(empty):
    with pytest.raises(ValueError, match="needs a title"):

        @empty.mistake("double", "double", Pointer("a", "b"))
        def one(x):
            """Only a title"""


def test_a_mistake_belongs_to_a_step_of_its_contract(empty):
    with pytest.raises(ValueError, match="has no step"):
        empty.add("one", "One", "Words.", "double", Pointer("a", "b"), {"treble": abs})
