"""The explorers of the lessons: figures with sliders and switches, and a good still picture where none can run.

``from mha.explore import explore_shelves`` loads the module that holds it, and nothing else.
"""

from __future__ import annotations

import importlib
from typing import Any

HOMES = {
    "explore_shelves": "shelves",
    "explore_margins": "margins",
    "explore_leak": "leak",
    "explore_reading": "reading",
    "explore_kill": "kill",
    "Choice": "base",
    "Slider": "base",
    "Switch": "base",
    "explore": "base",
}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(importlib.import_module(f"{__name__}.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
