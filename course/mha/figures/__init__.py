"""The figures of the lessons: each a function that returns a `Picture`, a matplotlib figure and its description.

``from mha.figures import two_shelves`` loads the module that draws it, and nothing else.
"""

from __future__ import annotations

import importlib
from typing import Any

HOMES = {
    "two_shelves": "shelves",
    "attention_margins": "margins",
    "future_leak": "leak",
    "reading_map": "reading",
    "kill_matrix": "kill",
    "Picture": "style",
}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(importlib.import_module(f"{__name__}.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
