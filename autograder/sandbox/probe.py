"""Which isolations work on this machine: found out by grading a function in each, not by looking for files."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from .errors import NoIsolation, SandboxError, SandboxGone
from .isolation import ISOLATIONS, Isolation
from .limits import Limits
from .sandbox import Sandbox
from .session import Returned, SessionLost

AUTO_ORDER = ("bubblewrap", "sandlock")
TRIES = 2
"""Something else may have killed the first: that says nothing about the isolation."""
NONE_WORKS = "No isolation works on this machine, so strangers' code will not be run. {reasons}"
NAMED_FAILS = "The isolation {name!r} does not work on this machine: {why}."
WRONG_ANSWER = "a function called in it gave the wrong answer"
EXPECTED = [0, 2, 4]


@dataclass(frozen=True, slots=True)
class Probe:
    """What trying an isolation gave."""

    name: str
    works: bool
    why: str
    """Empty where it works, else the reason."""
    milliseconds: float
    """From nothing to the first answer of a function."""
    gives_up: str
    """What this isolation does not protect, in words; empty where it protects all."""


def probe(isolation: Isolation, limits: Limits | None = None) -> Probe:
    """Start a sandbox, run a cell in it, call the function that it defines and look at the answer."""
    with closing(Sandbox(isolation, limits or Limits())) as sandbox:
        return probe_in(sandbox)


def probe_in(sandbox: Sandbox) -> Probe:
    """As `probe`, with a sandbox that stays warm."""
    started = time.monotonic()
    isolation = sandbox.isolation
    why = isolation.available()
    for _ in range(0 if why else TRIES):
        try:
            why = _try(sandbox)
            break
        except (SandboxError, SandboxGone, SessionLost) as error:
            why = str(error)
    return Probe(isolation.name, not why, why, 1000 * (time.monotonic() - started), isolation.gives_up)


def probe_all() -> list[Probe]:
    """Try every isolation there is."""
    return [probe(isolation) for isolation in ISOLATIONS.values()]


def choose(wanted: str, try_one: Callable[[Isolation], Probe] = probe) -> Isolation:
    """The isolation to use: the one named, or for ``auto`` the first that works.

    Raises:
        NoIsolation: it does not work, or none does; in one sentence with the reasons.
    """
    if wanted != "auto":
        result = try_one(ISOLATIONS[wanted])
        if not result.works:
            raise NoIsolation(NAMED_FAILS.format(name=wanted, why=result.why))
        return ISOLATIONS[wanted]
    reasons = []
    for name in AUTO_ORDER:
        result = try_one(ISOLATIONS[name])
        if result.works:
            return ISOLATIONS[name]
        reasons.append(f"{name}: {result.why}.")
    raise NoIsolation(NONE_WORKS.format(reasons=" ".join(reasons)))


def _try(sandbox: Sandbox) -> str:
    sandbox.ready()
    seconds = sandbox.limits.cell_seconds
    with closing(sandbox.session()) as session:
        session.run("probe", "def double(x):\n    return 2 * x", seconds)
        answer = session.call("double", (np.arange(3),), {}, seconds)
    right = isinstance(answer, Returned) and np.array_equal(answer.value, EXPECTED)
    return "" if right else WRONG_ANSWER
