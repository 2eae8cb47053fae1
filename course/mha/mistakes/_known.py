"""What the catalogue's mistakes do on the probes, remembered, and pairs of them made at once."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from mha.mistakes.model import Catalogue, Contract, Mistake
from mha.mistakes.probe import Observation, Probe, Trial, is_right, observe, results_of, right_value, same, same_value


@functools.cache
def seen_of(mistake: Mistake, contract: Contract, probe: Probe) -> Observation | None:
    """Return what ``mistake`` does on ``probe``, or None where it is none of this contract's."""
    function = mistake.for_contract(contract.name)
    return None if function is None else observe(function, probe)


def find_pair(catalogue: Catalogue, contract: Contract, trials: tuple[Trial, ...]) -> tuple[str, ...]:
    """Return two mistakes that, made at once, do what was seen on every probe; nothing where there are none."""
    if all(trial.right or trial.seen.error for trial in trials):
        return ()  # exceptions alone say too little about their cause
    general = max(trials, key=lambda trial: (trial.seen.error is None and not trial.right, trial.probe.size))
    for one, other in _plausible(catalogue, contract, general):
        if not same(general.seen, _seen_together(one, other, contract, general.probe), general.probe):
            continue
        function = contract.assemble({**one.steps, **other.steps})
        fits = all(same(trial.seen, observe(function, trial.probe), trial.probe) for trial in trials)
        if fits and _shows(one, contract, trials) and _shows(other, contract, trials):
            return one.id, other.id
    return ()


@functools.cache
def _seen_together(one: Mistake, other: Mistake, contract: Contract, probe: Probe) -> Observation:
    """Return what both mistakes, made at once, do on ``probe``: remembered, since it kills nearly every pair."""
    return observe(contract.assemble({**one.steps, **other.steps}), probe)


def _shows(alone: Mistake, contract: Contract, trials: tuple[Trial, ...]) -> bool:
    """Say whether some result, and not exceptions alone, differs from what this mistake gives by itself."""
    return any(
        trial.seen.error is None and not same(trial.seen, seen, trial.probe)
        for trial in trials
        if (seen := seen_of(alone, contract, trial.probe)) is not None
    )


def _plausible(catalogue: Catalogue, contract: Contract, trial: Trial) -> Iterator[tuple[Mistake, Mistake]]:
    """Go through the pairs that could explain this trial, judged by what each mistake does to it alone.

    Where one of the two leaves no trace here, the other alone must do what was seen. Where both do, they must be
    mistakes in different contracts, and each result after the first (the weights) must be what one of them makes of
    it. Mistakes that raise, or change a shape, are not looked for in company.
    """
    idle, alike, at_work = [], [], []
    for mistake in catalogue:
        seen = seen_of(mistake, contract, trial.probe)
        if seen is None or "whole" in mistake.steps:
            continue
        if is_right(seen, trial.probe):
            idle.append(mistake)
        elif same(trial.seen, seen, trial.probe):
            alike.append(mistake)
        elif _keeps_shapes(seen, trial.probe):
            at_work.append(mistake)
    yield from ((one, other) for one in alike for other in idle if _apart(one, other))
    fitting = [mistake for mistake in at_work if _fits_later_results(mistake, contract, trial)]
    yield from (
        (one, other)
        for one, other in itertools.combinations(fitting, 2)
        if one.contract != other.contract and _apart(one, other)
    )


def _apart(one: Mistake, other: Mistake) -> bool:
    return not set(one.steps) & set(other.steps)


def _keeps_shapes(seen: Observation, probe: Probe) -> bool:
    results = None if probe.expected is None else results_of(seen, len(probe.expected))
    return results is not None and all(
        isinstance(result, np.ndarray) and result.shape == right.shape
        for result, right in zip(results, probe.expected or (), strict=True)
    )


def _fits_later_results(mistake: Mistake, contract: Contract, trial: Trial) -> bool:
    """Say whether each result after the first is either left alone by the mistake, or what it makes of it."""
    seen = seen_of(mistake, contract, trial.probe)
    number = len(contract.results)
    found, alone = results_of(trial.seen, number), seen and results_of(seen, number)
    if not found or not alone or trial.probe.expected is None:
        return False
    return all(
        right_value(alone[index], trial.probe.expected[index], trial.probe)
        or same_value(found[index], alone[index], trial.probe)
        for index in range(1, number)
    )
