"""The time at which a submission was handed in, as nbgrader's exchange writes it."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from typing import Final

from dateutil import parser, tz

ZONE: Final = re.compile(r"[A-Za-z]\w*(?:[/+-]\w+)*", re.ASCII)
"""The name of a zone (``UTC``, ``America/Port-au-Prince``). With dots or a slash in front it would be a path, and
dateutil opens what it leads to."""


def parse_timestamp(text: str) -> datetime:
    """The time in UTC without a zone, read as nbgrader reads it (``2026-11-30 12:00:00 UTC``, ISO forms, ...).

    Raises:
        ValueError: it is no time.
    """
    parts = text.split(" ")
    try:
        if len(parts) == 3:
            offset = int(parts[2]) if parts[2].lstrip("+-").isdigit() else _zone(parts[2])
            time = parser.parse(" ".join([*parts[:2], "TZ"]), tzinfos={"TZ": offset})
        else:
            time = parser.parse(text)
        if time.tzinfo is not None:
            time = (time - (time.utcoffset() or time - time)).replace(tzinfo=None)
    except (ValueError, OverflowError, TypeError, AttributeError, OSError) as error:
        raise ValueError(f"{text[:40]!r} is no time") from error
    return time


def _zone(name: str) -> tzinfo | None:
    """The zone of that name; None where nobody knows it, or where it is no name."""
    return tz.gettz(name) if ZONE.fullmatch(name) else None
