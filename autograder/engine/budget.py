"""How long things may take, for one submission."""

from __future__ import annotations

from ..sandbox.clock import Clock
from ..sandbox.limits import Limits


class OutOfTime(BaseException):
    """The submission's whole time is used up. A BaseException, so that no test can catch it."""


class Budget:
    """The time of one submission: each cell and call gets its share, and all together no more than the whole."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._end = self._clock.now() + limits.submission_seconds
        self._cell_end = self._end
        self._slow: set[str] = set()

    def start_cell(self) -> None:
        """From here the seconds of one cell count. Raises OutOfTime where nothing is left."""
        if self._clock.now() >= self._end:
            raise OutOfTime
        self._cell_end = min(self._end, self._clock.now() + self._limits.cell_seconds)

    def start_aside(self, seconds: float) -> None:
        """Give the next calls, which are no test, at most ``seconds`` together."""
        self._cell_end = min(self._end, self._clock.now() + seconds)

    def has_time(self) -> bool:
        """Whether anything is left of the share that was given last."""
        return self._clock.now() < self._cell_end

    def seconds(self, function: str | None = None) -> float:
        """What the next cell, or the next call of ``function``, may take.

        Raises:
            OutOfTime: nothing is left of the submission's time.
        """
        now = self._clock.now()
        if now >= self._end:
            raise OutOfTime
        left = max(self._cell_end - now, 0.001)
        return min(left, self._limits.impatient_seconds) if function in self._slow else left

    def lose_patience(self, function: str) -> None:
        """A function that has hung or died once does not get the whole time again."""
        self._slow.add(function)
