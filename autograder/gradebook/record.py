"""What is written into the gradebook for one submission."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Record:
    """What the gradebook is to keep of one graded submission."""

    student: str
    timestamp: datetime | None
    scores: Mapping[str, float | None]
    """Automatic score of each test cell, and of each answer marked by hand: 0 where it was left alone, else None."""
    comments: Mapping[str, str | None]
    """Automatic comment of each solution cell."""
    changed: bool = True
    """Whether this is another submission than the one that a person may have marked."""
