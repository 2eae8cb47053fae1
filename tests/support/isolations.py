"""Isolations that work on this machine, and small limits that make a test quick."""

from __future__ import annotations

from functools import cache

from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.limits import MIB, Limits
from autograder.sandbox.probe import AUTO_ORDER, probe

LIMITS = Limits(
    cell_seconds=1.0,
    impatient_seconds=0.3,
    submission_seconds=20.0,
    output=64 * 1024,
    reply=2 * MIB,
    file=1 * MIB,
    tmp=4 * MIB,
    open_files=64,
    inodes=256,
)
PATIENT = 20.0
"""Seconds for a step that is not the one under test: a loaded machine must not fail it."""


@cache
def working() -> tuple[str, ...]:
    """The names of the isolations that confine a stranger's code here."""
    return tuple(name for name in AUTO_ORDER if probe(ISOLATIONS[name], LIMITS).works)
