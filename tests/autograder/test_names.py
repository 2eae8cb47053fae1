"""Names are read from source that nobody trusts."""

from __future__ import annotations

import pytest

from autograder.names import PARSED_CHARACTERS, PARSED_TOGETHER, Names, names_of, names_of_all, parse


def test_bound_imported_and_used() -> None:
    found = names_of(
        "import a.b\nfrom c import d as e\ndef f(x=g):\n    return h(x)\nk = lambda: 0\nm: int = 1\nn += 1"
    )
    assert found.functions == {"f", "k"}
    assert found.data == {"m", "n"}
    assert found.imported == {"a", "e"}
    assert {"g", "h"} <= found.used


def test_what_binds_nothing_at_the_top_level() -> None:
    source = "def f():\n    inner = 1\ntry:\n    pass\nexcept E as gone:\n    kept = 1\n[x for x in y]\nlambda z: z"
    assert names_of(source).bound == {"f", "kept"}


def test_a_function_bound_twice_is_a_function() -> None:
    assert names_of("f = None\ndef f(): pass") == Names(frozenset({"f"}), frozenset(), frozenset(), frozenset())


def test_magics_are_looked_past() -> None:
    assert names_of("%matplotlib inline\n!ls\nx = 1").data == {"x"}
    assert names_of("%%time\nx = 1").data == {"x"}


@pytest.mark.parametrize(
    "source",
    [
        "x = (",
        "\0",
        "(" * 5000 + ")" * 5000,
        "-" * 50_000 + "1",
        "x" + ".a" * 30_000,
        "1" + "+1" * 40_000,
        "x = '\\d'  # a warning is not an error\n(",
        "\ud800",
    ],
)
def test_what_cannot_be_parsed_has_no_names(source: str) -> None:
    found = names_of(source)
    assert found.functions == frozenset()
    assert found.data == frozenset()


def test_absurd_sizes_are_not_parsed() -> None:
    long = "x = 1\n" + "#" * PARSED_CHARACTERS
    assert parse(long) is None
    many = {index: f"x{index} = 1\n" + "#" * 90_000 for index in range(40)}
    found = names_of_all(many)
    assert len(found) == 40
    assert found[0].data == {"x0"}
    assert sum(bool(names.data) for names in found.values()) == PARSED_TOGETHER // 90_008
