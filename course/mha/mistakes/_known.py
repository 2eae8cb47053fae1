"""What the catalogue's mistakes do on the probes, remembered, and pairs of them made at once."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np

from mha.mistakes.model import Catalogue, Contract, Mistake
from mha.mistakes.probe import Observation, Probe, Trial, observe, results_of, right_value, same, same_value


@functools.cache
def seen_of(mistake: Mistake, contract: Contract, probe: Probe) -> Observation | None:
    """Return what ``mistake`` does on ``probe``, or None where it is none of this contract's."""
    function = mistake.for_contract(contract.name)
    return None if function is None else observe(function, probe)


def find_pair(catalogue: Catalogue, contract: Contract, trials: tuple[Trial, ...]) -> tuple[str, ...]:
    """Return two mistakes that, made at once, do what was seen on every probe; nothing where there are none."""
    if all(trial.right or trial.seen.error for trial in trials):
        return ()  # exceptions alone say too little about their cause
    general = max(trials, key=lambda trial: (trial.seen.error is None, trial.probe.size))
    hardest_first = sorted(trials, key=lambda trial: trial is not general)
    for one, other in _plausible(catalogue, contract, general):
        function = contract.assemble({**one.steps, **other.steps})
        if all(same(trial.seen, observe(function, trial.probe), trial.probe) for trial in hardest_first):
            return one.id, other.id
    return ()


def _plausible(catalogue: Catalogue, contract: Contract, trial: Trial) -> Iterator[tuple[Mistake, Mistake]]:
    """Go through pairs in different steps that could explain this trial, judged by each mistake alone.

    Mistakes that change the shape, or raise, are not looked for in company. Of two mistakes, at most one may be at
    work on each result after the first (the weights), so that one has to be what this mistake makes of it.
    """
    shaped = [mistake for mistake in catalogue if _keeps_shapes(mistake, contract, trial.probe)]
    for index, one in enumerate(shaped):
        for other in shaped[index + 1 :]:
            apart = not set(one.steps) & set(other.steps) and "whole" not in {*one.steps, *other.steps}
            if apart and (one.common or other.common or _explains(one, other, contract, trial)):
                yield one, other


def _keeps_shapes(mistake: Mistake, contract: Contract, probe: Probe) -> bool:
    seen = seen_of(mistake, contract, probe)
    results = None if seen is None or probe.expected is None else results_of(seen, len(probe.expected))
    return results is not None and all(
        isinstance(result, np.ndarray) and result.shape == right.shape
        for result, right in zip(results, probe.expected or (), strict=True)
    )


def _explains(one: Mistake, other: Mistake, contract: Contract, trial: Trial) -> bool:
    if one.contract == other.contract:
        return False
    probe, number = trial.probe, len(contract.results)
    found = results_of(trial.seen, number)
    if found is None:
        return False
    alone = [results_of(seen_of(mistake, contract, probe), number) for mistake in (one, other)]
    for index in range(1, number):
        right = probe.expected[index]
        wrong = [results[index] for results in alone if not right_value(results[index], right, probe)]
        if len(wrong) > 1 or not same_value(found[index], (wrong or [right])[0], probe):
            return False
    return True
