"""Which known mistake behaves exactly like this function? And if none: what can be said of it?

A name is given only where the function and the mistake did the same on every probe: the same numbers, shapes and
kinds of dtype, the same kinds of exception, the same changes to the input.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mha.mistakes._known import find_pair, seen_of
from mha.mistakes.evidence import Evidence, evidence
from mha.mistakes.facts import MOST_FACTS, NOT_REPEATABLE, facts
from mha.mistakes.model import Catalogue, Contract, Mistake
from mha.mistakes.probe import Trial, is_right, observe, same

__all__ = ["Diagnosis", "diagnose", "warm"]

CROWD = 3
"""So many mistakes that differ from right ones by their exceptions alone say nothing about the cause."""


@dataclass(frozen=True)
class Diagnosis:
    """What was found out about a function.

    Attributes:
        contract: the name of the contract it was held against.
        mistakes: ids of the known mistakes that behave exactly like it, the likeliest first. Where there are
            several, no input tells them apart.
        combination: two ids where no single mistake fits, but both of these made at once do exactly.
        facts: sentences about how it differs from a right function; empty where it does not.
        trials: what was tried, in order.
        complete: everything was tried; where not, nothing is named.
        asked: the contract itself.
    """

    contract: str
    mistakes: tuple[str, ...]
    combination: tuple[str, ...]
    facts: tuple[str, ...]
    trials: tuple[Trial, ...]
    complete: bool
    asked: Contract = field(repr=False)

    @functools.cached_property
    def evidence(self) -> Evidence | None:
        """The smallest input that shows the difference, or None; put into words only where somebody reads it."""
        return evidence(self.asked, self.trials)

    @property
    def right(self) -> bool:
        """Whether nothing wrong was seen in what was tried."""
        return not self.facts and all(trial.right for trial in self.trials)

    @property
    def siblings(self) -> bool:
        """Whether several known mistakes fit, which no input tells apart."""
        return len(self.mistakes) > 1


def diagnose(
    function: Callable[..., Any],
    contract: str,
    *,
    keep_going: Callable[[], bool] = lambda: True,
    catalogue: Catalogue | None = None,
) -> Diagnosis:
    """Find the known mistakes that behave exactly like ``function``.

    The function is called once on each probe of the contract and once more to see whether it repeats itself, at most
    15 times in all; nine further calls confirm a name. It may raise any `Exception`, return anything, and change what
    it is given. What is not an `Exception` passes through.

    Args:
        function: the student's function, or a proxy of it.
        contract: the name of the contract it should fulfil.
        keep_going: asked before each call; where it says no, the search ends with what is known so far.
        catalogue: the mistakes to choose from; those of this package where it is left out.

    Raises:
        KeyError: if the catalogue has no such contract.
    """
    known = _known_to(catalogue)
    asked = known.contracts[contract]
    trials = _try(function, asked, keep_going)
    complete = len(trials) == len(asked.load_probes())
    repeats = _repeats(function, trials, keep_going)
    if repeats and all(trial.right for trial in trials):
        return Diagnosis(contract, (), (), (), trials, complete, asked)
    said = facts(asked, trials) if repeats else (NOT_REPEATABLE, *facts(asked, trials))[:MOST_FACTS]
    found: tuple[str, ...] = ()
    combination: tuple[str, ...] = ()
    if complete and repeats:
        found = _confirmed(function, known, asked, _matching(known, asked, trials), keep_going)
    if complete and repeats and not found:
        pair = find_pair(known, asked, trials)
        combination = pair if pair and _pair_confirmed(function, known, asked, pair, keep_going) else ()
    return Diagnosis(contract, found, combination, said, trials, complete, asked)


def warm(contract: str, catalogue: Catalogue | None = None) -> None:
    """Run the whole catalogue on every probe of ``contract`` now, so that later diagnoses need not.

    Of the confirming inputs only the right function is run: few mistakes are ever tried on them.
    """
    known = _known_to(catalogue)
    asked = known.contracts[contract]
    for mistake in known:
        for probe in asked.load_probes():
            seen_of(mistake, asked, probe)
    right = asked.assemble({})
    for probe in asked.load_confirming():
        is_right(observe(right, probe), probe)

    def unheard_of(*arguments: Any) -> Any:
        results = right(*arguments)
        return (results[0] + 0.123, *results[1:]) if isinstance(results, tuple) else results + 0.123

    diagnose(unheard_of, contract, catalogue=known)  # so that pairs of mistakes are remembered too


def _known_to(catalogue: Catalogue | None) -> Catalogue:
    if catalogue is not None:
        return catalogue
    from mha.mistakes import CATALOGUE  # here, since that package imports this module

    return CATALOGUE


def _try(function: Callable[..., Any], contract: Contract, keep_going: Callable[[], bool]) -> tuple[Trial, ...]:
    trials: list[Trial] = []
    for probe in contract.load_probes():
        if not keep_going():
            break
        seen = observe(function, probe)
        trials.append(Trial(probe, seen, is_right(seen, probe)))
    return tuple(trials)


def _repeats(function: Callable[..., Any], trials: tuple[Trial, ...], keep_going: Callable[[], bool]) -> bool:
    """Say whether a second call does what the first did, on the largest input that gave a result."""
    answered = [trial for trial in trials if trial.seen.error is None]
    if not answered or not keep_going():
        return True
    largest = max(answered, key=lambda trial: trial.probe.size)
    return same(observe(function, largest.probe), largest.seen, largest.probe)


def _matching(catalogue: Catalogue, contract: Contract, trials: tuple[Trial, ...]) -> tuple[str, ...]:
    """Return the ids of the mistakes that did the same on every probe, those of this contract first."""
    if all(trial.seen.error for trial in trials):
        return ()
    telling = tuple(sorted(trials, key=lambda trial: trial.right))  # most mistakes do right what was done right
    found = [mistake for mistake in catalogue if _fits(mistake, contract, telling)]
    found.sort(key=lambda mistake: mistake.contract != contract.name)
    only_raises = all(trial.right or trial.seen.error for trial in trials)
    return () if only_raises and len(found) >= CROWD else tuple(mistake.id for mistake in found)


def _confirmed(
    function: Callable[..., Any],
    catalogue: Catalogue,
    contract: Contract,
    names: tuple[str, ...],
    keep_going: Callable[[], bool],
) -> tuple[str, ...]:
    """Return those of ``names`` that also agree on the confirming inputs, which let nearly everything run."""
    left = [catalogue[name] for name in names]
    for probe in contract.load_confirming():
        if not left or not keep_going():
            return ()
        seen = observe(function, probe)
        left = [
            mistake for mistake in left if (known := seen_of(mistake, contract, probe)) and same(seen, known, probe)
        ]
    return tuple(mistake.id for mistake in left)


def _pair_confirmed(
    function: Callable[..., Any],
    catalogue: Catalogue,
    contract: Contract,
    pair: tuple[str, ...],
    keep_going: Callable[[], bool],
) -> bool:
    steps = {step: wrong for name in pair for step, wrong in catalogue[name].steps.items()}
    both = contract.assemble(steps)
    return all(
        keep_going() and same(observe(function, probe), observe(both, probe), probe)
        for probe in contract.load_confirming()
    )


def _fits(mistake: Mistake, contract: Contract, trials: tuple[Trial, ...]) -> bool:
    for trial in trials:
        known = seen_of(mistake, contract, trial.probe)
        if known is None or not same(trial.seen, known, trial.probe):
            return False
    return True
