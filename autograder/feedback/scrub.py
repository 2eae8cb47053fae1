"""Texts that a student's code made, without what no reader needs: the machine's paths, and characters that act."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Final

from autograder.settings import Settings

ELSEWHERE: Final = "…"
TOO_COMMON: Final = frozenset({"/", "/usr", "/usr/local", "/tmp"})

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_PACKAGES = re.compile(r"(?:[A-Za-z]:)?(?:[/\\][^/\\\s'\"<>|:*?]+)+(?=[/\\](?:site|dist)-packages\b)")
_HOMES = re.compile(r"(?:/home|/Users)/[^/\s'\"<>]+|/root(?=[/\s'\"]|$)")


def plain(text: str) -> str:
    """The text without colour codes, control characters and marks that turn the direction of writing."""
    text = _ANSI.sub("", text.replace("\r\n", "\n")).replace("\r", "\n")
    return _DIRECTION.sub("\N{REPLACEMENT CHARACTER}", _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text))


def scrubbed(text: str, settings: Settings) -> str:
    """The text as `plain` gives it, and without the paths of the machine that graded."""
    text = plain(text)
    for place in _places(settings.root):
        text = text.replace(place, ELSEWHERE)
    text = _PACKAGES.sub(ELSEWHERE, text)
    return _HOMES.sub(ELSEWHERE, text).replace("/grader/", f"{ELSEWHERE}/")


@cache
def _places(root: Path) -> tuple[str, ...]:
    """The grader's own places, the longest first, so that none is left as another's rest."""
    prefixes = {root, Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).parent, Path.home()}
    prefixes |= {place.resolve() for place in prefixes} | {Path(__file__).resolve().parents[2]}
    return tuple(sorted({str(place) for place in prefixes} - TOO_COMMON, key=len, reverse=True))
