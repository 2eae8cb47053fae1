"""The smallest input that shows the difference, and what came out beside what should have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mha.mistakes.model import Contract
from mha.mistakes.probe import Array, Probe, Seen, Trial, close, results_of, right_value

__all__ = ["Evidence", "evidence"]

SMALL = 16
"""Arrays of more numbers are described, not printed."""

LONGEST = 600


@dataclass(frozen=True)
class Evidence:
    """One input that a function gets wrong.

    Attributes:
        probe: what is special about the input.
        given: the input, printed where it is small.
        got: what came out.
        expected: what should have.
    """

    probe: str
    given: str
    got: str
    expected: str


def evidence(contract: Contract, trials: tuple[Trial, ...]) -> Evidence | None:
    """Return the smallest input with a wrong result, one without an exception if there is one."""
    wrong = [trial for trial in trials if not trial.right]
    if not wrong:
        return None
    trial = min(wrong, key=lambda trial: (trial.seen.error is not None, trial.probe.size))
    got, expected = _difference(contract, trial)
    return Evidence(trial.probe.name, _given(contract, trial.probe), _cut(got), _cut(expected))


def _given(contract: Contract, probe: Probe) -> str:
    lines = []
    for name, argument in zip(contract.arguments, probe.pristine, strict=False):
        if isinstance(argument, np.ndarray):
            lines.append(_printed(name, argument) if argument.size <= SMALL else f"{name}: shape {argument.shape}")
        else:
            lines.append(f"{name}: {argument}")
    return "\n".join(lines)


def _difference(contract: Contract, trial: Trial) -> tuple[str, str]:
    probe, seen = trial.probe, trial.seen
    if probe.expected is None:
        return (type(seen.raised).__name__ if seen.raised else "a result"), "a ValueError"
    if seen.raised:
        return type(seen.raised).__name__, _shapes(contract, probe)
    results = results_of(seen, len(probe.expected))
    if results is None:
        return describe(seen.value), _shapes(contract, probe)
    for name, found, right in zip(contract.results, results, probe.expected, strict=True):
        if not right_value(found, right, probe):
            return _side_by_side(name, found, right, probe)
    position = min(seen.changed)
    name = contract.arguments[position]
    return f"{name} afterwards: {describe(seen.changed[position])}, other numbers", f"{name} as it was"


def _side_by_side(name: str, found: Seen, right: Array, probe: Probe) -> tuple[str, str]:
    if not isinstance(found, np.ndarray) or found.shape != right.shape:
        return f"{name}: {describe(found)}", f"{name}: {describe(right)}"
    if close(found, right, probe.tolerance):
        return f"{name}: dtype {found.dtype}", f"{name}: the dtype of the input, or more precise"
    if right.size <= SMALL and _printed(name, found) != _printed(name, right):
        return _printed(name, found), _printed(name, right)
    with np.errstate(all="ignore"):
        apart = ~np.isclose(found, right, rtol=probe.tolerance, atol=probe.tolerance)
    where = tuple(int(i) for i in np.argwhere(apart if apart.any() else found != right)[0])
    digits = 6 if f"{found[where]:.6g}" != f"{right[where]:.6g}" else 17
    return f"{name} at {where}: {found[where]:.{digits}g}", f"{name} at {where}: {right[where]:.{digits}g}"


def describe(value: Seen | None) -> str:
    """Say in a few words what a result is."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" if value.ndim else "a single number"
    if isinstance(value, tuple):
        inside = ", ".join(f"a {item[0]}" if isinstance(item, tuple) else describe(item) for item in value[1][:3])
        return f"a {value[0]} of {len(value[1])} ({inside}{', …' if len(value[1]) > 3 else ''})"
    return "None" if value == "NoneType" else f"a value of type {value}"


def _shapes(contract: Contract, probe: Probe) -> str:
    named = zip(contract.results, probe.expected or (), strict=True)
    return ", ".join(f"{name} of shape {right.shape}" for name, right in named)


def _printed(name: str, array: Array) -> str:
    return f"{name}:\n{np.array2string(array, precision=4, suppress_small=True, threshold=SMALL)}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
