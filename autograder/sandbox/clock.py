"""The time that limits are counted in: it stands still while the machine does."""

from __future__ import annotations

import time

LATE_SECONDS = 0.5
"""A wait that ends so much later than it should was none: this process did not run, nor did the student's."""


class Clock:
    """Monotonic seconds without those in which a suspended or overwhelmed machine did not let the grader run."""

    def __init__(self) -> None:
        self._lost = 0.0

    def now(self) -> float:
        """The time."""
        return time.monotonic() - self._lost

    def waited(self, seconds: float, most: float) -> None:
        """Tell of a wait that took ``seconds`` and could take ``most`` at the most."""
        if seconds > most + LATE_SECONDS:
            self._lost += seconds - most
