"""Checks that answer at once: predictions, checkpoints, exercises and ``check(concat_heads)``.

Each part lists in ``__all__`` what lessons may import from here. Parts are loaded when they are first asked for, so
that a lesson pays for nothing that it does not use.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

PARTS = (
    "prediction",
    "lesson_01",
    "lesson_02",
    "lesson_03",
    "lesson_04",
    "exercises",
    "functions",
    "report",
    "checkpoint",
)


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        for part in PARTS:
            module = f"{__name__}.{part}"
            if importlib.util.find_spec(module) is None:
                continue
            exported = importlib.import_module(module)
            if name in exported.__all__:
                return getattr(exported, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
