"""What reading a submission gives: something to grade, or one sentence on why there is nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.engine.model import Task


@dataclass(frozen=True, slots=True)
class ExtraFile:
    """A file that a notebook may open: one of the student's own, or one that came with the assignment."""

    name: str
    """Relative to the notebook, with forward slashes."""
    path: Path
    size: int
    own: bool
    """True for the student's; False for one from the source folder."""


@dataclass(frozen=True, slots=True)
class Readable:
    """A submission that can be graded, rebuilt on the source skeleton."""

    task: Task
    notebook: dict[str, Any]
    """nbformat 4, outputs empty, cells in the order in which they are graded."""
    keys: tuple[str, ...]
    """For each cell of ``notebook`` the key under which the engine reports its outputs."""
    notes: tuple[str, ...]
    timestamp: datetime | None
    """UTC, without a zone, as nbgrader keeps it."""
    extra_files: tuple[ExtraFile, ...]
    untouched: frozenset[str] = field(default=frozenset())
    """Keys of solution cells (texts too) that are as released."""


@dataclass(frozen=True, slots=True)
class NeedsAttention:
    """A submission that a person must look at."""

    reason: str
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class StudentCell:
    """A cell as it stands in the submitted file: nothing of it is trusted."""

    cell_type: str
    source: str
    grade_id: str
    """"" where it carries none."""
    cell_id: str
    marks: dict[str, Any]
    """nbgrader's metadata as submitted."""
    attachments: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The source without white space, for comparing."""
        return squeezed(self.source)


@lru_cache(maxsize=1024)
def squeezed(source: str) -> str:
    """A text without any white space: two cells that agree in this were not changed in anything that counts.

    Remembered, since most of a submission is what every other one was given.
    """
    return "".join(source.split())
