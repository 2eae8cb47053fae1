"""How a failed test is put into words: its own message, and the names of the mistakes that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

LOOKS_LIKE: Final = "{message} (Looks like: {titles}.)"


def titles(mistakes: Sequence[str]) -> list[str]:
    """What a person would call these mistakes; an id that the catalogue does not know is read as words."""
    from mha.mistakes import CATALOGUE

    return [CATALOGUE[name].title.rstrip(".") if name in CATALOGUE else name.replace("_", " ") for name in mistakes]


def with_mistakes(message: str, mistakes: Sequence[str]) -> str:
    """The message of a failed test together with its mistakes."""
    if not mistakes:
        return message
    return LOOKS_LIKE.format(message=message, titles=" · ".join(titles(mistakes)))
