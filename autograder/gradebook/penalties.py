"""Late penalties, from whichever plugin nbgrader is told to use for them."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from autograder.settings import load_config


class LatePenalties:
    """Asks nbgrader's plugin (``c.AssignLatePenalties.plugin_class``); it is loaded when the first one is late."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._preprocessor = None

    def penalty(
        self,
        student: str,
        score: float,
        timestamp: datetime | None,
        duedate: datetime | None,
        extension: timedelta | None,
    ) -> float | None:
        """The points to take off, between 0 and the score; None where the submission is in time."""
        if timestamp is None or duedate is None:
            return None
        seconds = (timestamp - duedate - (extension or timedelta())).total_seconds()
        if seconds <= 0:
            return None
        penalty = self._plugin().late_submission_penalty(student, score, seconds)
        return None if penalty is None else min(max(float(penalty), 0.0), score)

    def _plugin(self):
        if self._preprocessor is None:
            from nbgrader.preprocessors import AssignLatePenalties

            self._preprocessor = AssignLatePenalties(config=load_config(self._root))
            self._preprocessor.init_plugin()
        return self._preprocessor.plugin_inst
