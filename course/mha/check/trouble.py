"""What a student's function did instead, in words: an exception with its line, or a value of another kind."""

from __future__ import annotations

import linecache
from pathlib import Path
from types import TracebackType

import numpy as np

import mha

__all__ = ["described", "in_one_sentence", "kind"]

LONGEST = 200
NOT_THEIRS = tuple(str(Path(package.__file__).parent) for package in (np, mha))
TORCH_WORDS = ("contiguous", "masked_fill", "permute", "unsqueeze", "view()", "'dim'", "'keepdim'")


def in_one_sentence(error: Exception) -> str:
    """Say what was raised and on which of the student's lines; never raises."""
    return f"The first exception was {described(error)}."


def described(error: BaseException) -> str:
    """Return the exception's name, its words and the student's line, without a full stop; never raises."""
    words = type(error).__name__
    if text := _text(error):
        words += f" ({text})"
    if place := _place(error.__traceback__):
        words += f" at {place}"
    if any(word in text for word in TORCH_WORDS):
        words += "; that is a word of PyTorch's, and NumPy's arrays do not know it"
    return words


def kind(thing: object) -> str:
    """Say what kind of thing this is, with its article: "an int", "a tuple of 2 things"; never raises."""
    if thing is ...:
        return "still the blank `...`"
    if thing is None:
        return "None"
    if issubclass(type(thing), np.ndarray):
        return f"an array of dtype {thing.dtype}"
    name = type(thing).__name__
    words = f"{'an' if name[:1].lower() in tuple('aeiou') else 'a'} {name}"
    return f"{words} of {len(thing)} things" if type(thing) is tuple else words


def _text(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split()).rstrip(".").replace("`", "'")
    except Exception:  # noqa: BLE001 - the exception's own __str__ may be the student's too
        return ""
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _place(traceback: TracebackType | None) -> str:
    """Return the innermost line that is neither NumPy's nor this course's."""
    found = name = ""
    while traceback is not None:
        code, line = traceback.tb_frame.f_code, traceback.tb_lineno
        if not code.co_filename.startswith((*NOT_THEIRS, "<__array_function__")):
            source = linecache.getline(code.co_filename, line).strip().replace("`", "'")
            if not name or not code.co_name.startswith("<"):  # a comprehension is no place to look for a line
                name = code.co_name
            found = f"line {line} of `{name}`" + (f": `{source[:LONGEST]}`" if source else "")
        traceback = traceback.tb_next
    return found
