"""Read an answer the way a person would: ``(2, 4)``, ``[2, 4]``, ``"2 x 4"`` and ``np.array([2, 4])`` say the same."""

from __future__ import annotations

import ast
import re
from itertools import permutations
from typing import TypeAlias

import numpy as np

__all__ = ["Reading", "is_unanswered", "read", "same"]

Reading: TypeAlias = "float | str | tuple[Reading, ...]"

MOST_ITEMS = 64
DEEPEST = 5
FILLERS = frozenset(
    {"a", "about", "and", "approx", "approximately", "are", "at", "do", "does", "h", "head", "heads", "index"}
    | {"is", "it", "its", "just", "move", "moved", "moves", "of", "only", "position", "positions", "read", "reads"}
    | {"row", "s", "stay", "stays", "still", "sum", "sums", "them", "to", "vector", "x"}
)
NUMBERS = {"zero": 0, "half": 0.5, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "sixteen": 16}
YES, NO = frozenset({"yes", "true", "y"}), frozenset({"no", "false", "n"})


def is_unanswered(given: object) -> bool:
    """Say whether this is still the blank that the lesson came with: ``...``, None, nothing, or a tuple of blanks."""
    if given is None or given is ...:
        return True
    if type(given) is str:
        return not given.strip(" .…?")
    return type(given) in (tuple, list) and len(given) <= MOST_ITEMS and any(item is ... for item in given)


def read(given: object) -> Reading | None:
    """Bring an answer into one form, or return None where it cannot be read. Never raises.

    Numbers become floats; words lose their case and fillers such as "head"; sequences become tuples, and one with a
    single item becomes that item. Where words and numbers stand side by side, the words come first.
    """
    try:
        return _read(given, DEEPEST)
    except Exception:  # noqa: BLE001 - an answer may be any object at all, and its own methods may raise anything
        return None


def same(one: Reading | None, other: Reading | None, tolerance: float, *, any_order: bool = False) -> bool:
    """Say whether two readings agree: words exactly, numbers within ``tolerance``."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        if len(one) != len(other):
            return False
        orders = permutations(one) if any_order and len(one) <= 4 else [one]
        return any(all(map(lambda a, b: same(a, b, tolerance), order, other)) for order in orders)
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= tolerance
    return one is not None and type(one) is type(other) and one == other


def _read(given: object, depth: int) -> Reading | None:
    if isinstance(given, bool | np.bool_):
        return "yes" if given else "no"
    if isinstance(given, int | float | np.integer | np.floating):
        return float(given)
    if isinstance(given, str):
        return _read_words(given, depth)
    if isinstance(given, np.ndarray):
        return _read(given.tolist(), depth) if given.size <= MOST_ITEMS else None
    if isinstance(given, slice):
        given = (given.start, given.stop)
    if isinstance(given, set | frozenset):
        given = sorted(given)
    if not isinstance(given, list | tuple | range) or not 0 < len(given) <= MOST_ITEMS or depth == 0:
        return None
    items = [_read(item, depth - 1) for item in given]
    return None if None in items else _arranged(items)


def _read_words(text: str, depth: int) -> Reading | None:
    if len(text) > 200:
        return None
    text = text.strip().casefold()
    if re.fullmatch(r"[\[({][\d\s.,\[\](){}-]*[\])}]", text):
        return _read(ast.literal_eval(text), depth - 1)
    text = re.sub(r"(?<=\d)[,_](?=\d{3}\b)", "", text)  # 16,384 is one number
    tokens = re.findall(r"[^\W\d_]+|-?\d*\.?\d+", text.replace("×", " x ").replace("−", "-"))
    if tokens and tokens[0] in YES | NO:
        return _token(tokens[0])  # "Yes, it does": what follows only says it again
    items = [_token(token) for token in tokens if token not in FILLERS]
    return _arranged(items) if items else None


def _token(token: str) -> float | str:
    if token in YES:
        return "yes"
    if token in NO:
        return "no"
    if token in NUMBERS:
        return float(NUMBERS[token])
    return float(token) if re.search(r"\d", token) else token


def _arranged(items: list[Reading]) -> Reading:
    if len(items) == 1:
        return items[0]
    return tuple(sorted(items, key=lambda item: not isinstance(item, str)))
