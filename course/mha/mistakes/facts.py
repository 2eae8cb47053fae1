"""What can be said of a wrong function that makes no known mistake: facts, each true of everything that was tried."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mha.mistakes.evidence import describe
from mha.mistakes.model import Contract
from mha.mistakes.probe import Array, Trial, close, loses_precision, results_of, right_value

__all__ = ["MOST_FACTS", "NOT_REPEATABLE", "facts"]

MOST_FACTS = 6
MOST_SAFE = 3
TELLING = 0.5
"""A property is blamed only if so many of the inputs that have it were wrong: others share it by chance."""
NOT_REPEATABLE = "Two calls with the same input give different results."


def facts(contract: Contract, trials: tuple[Trial, ...]) -> tuple[str, ...]:
    """Return at most `MOST_FACTS` sentences, the most telling first; none where every trial was right."""
    wrong = [trial for trial in trials if not trial.right]
    if not wrong:
        return ()
    with np.errstate(all="ignore"):  # what is compared may be infinite, or NaN
        found = [
            *_exceptions(wrong, trials),
            *_kinds(contract, wrong),
            *_shapes(contract, wrong, trials),
            *_changes(contract, wrong),
            *_where(contract, trials),
            *_numbers(contract, wrong),
        ]
    return tuple(dict.fromkeys(found))[:MOST_FACTS]


def _exceptions(wrong: list[Trial], trials: tuple[Trial, ...]) -> Iterator[str]:
    raised = [trial for trial in wrong if trial.seen.error]
    if not raised:
        return
    kinds = " or ".join(sorted({type(trial.seen.raised).__name__ for trial in raised}))
    if len(raised) == len(trials):
        yield f"It stops with {kinds} on every input."
    else:
        yield f"It stops with {kinds} on {len(raised)} of {len(trials)} inputs, first with: {raised[0].probe.name}."


def _kinds(contract: Contract, wrong: list[Trial]) -> Iterator[str]:
    number = len(contract.results)
    for trial in wrong:
        if trial.seen.error is None and trial.probe.expected is None:
            yield f"It returns a result where it should refuse: {trial.probe.name}."
        elif trial.seen.error is None:
            results = results_of(trial.seen, number)
            if results is None:
                wanted = f"a tuple of {number}: {', '.join(contract.results)}"
                yield f"It returns {describe(trial.seen.value)}, not {wanted}."
                return
            for name, found in zip(contract.results, results, strict=True):
                if not isinstance(found, np.ndarray):
                    yield f"For its {name} it returns {describe(found)}, not an array of numbers."
                    return


def _shapes(contract: Contract, wrong: list[Trial], trials: tuple[Trial, ...]) -> Iterator[str]:
    for index, name in enumerate(contract.results):
        pairs = [pair for trial in trials if (pair := _arrays(contract, trial, index))]
        bad = [(found, right) for found, right in pairs if found.shape != right.shape]
        if bad:
            found, right = bad[0]
            example = f"{found.shape} for {right.shape}"
            yield f"The shape of its {name} is wrong on {len(bad)} of {len(pairs)} inputs: {example}."
        elif pairs and any(_is_wrong(contract, trial, index) for trial in wrong):
            yield (
                f"The shape of its {name} is always right." if len(pairs) > 1 else f"The shape of its {name} is right."
            )
        elif len(pairs) == len(trials) and len(contract.results) > 1:
            yield f"On every input its {name} {_be(name)} right."


def _changes(contract: Contract, wrong: list[Trial]) -> Iterator[str]:
    changed = sorted({position for trial in wrong for position in trial.seen.changed})
    if changed:
        yield f"It changes its input: {', '.join(contract.arguments[position] for position in changed)}."


def _where(contract: Contract, trials: tuple[Trial, ...]) -> Iterator[str]:
    """Name the properties that decide: wrong only with one of them, or right with every input that has one."""
    wrong = [trial for trial in trials if not trial.right]
    right = [trial for trial in trials if trial.right]
    if not right and not all(trial.seen.error for trial in trials):
        yield "It is right on none of the inputs tried."
    if not right:
        return
    tagged = {words: [trial for trial in trials if tag in trial.probe.tags] for tag, words in contract.facts}
    shares = {
        words: len(wrong) / len(having)
        for words, having in tagged.items()
        if having and all(trial in having for trial in wrong)
    }
    telling = max(shares, key=lambda words: shares[words], default="")
    if shares.get(telling, 0) >= TELLING:
        yield f"It is wrong only with {telling}."
    if safe := _safe(tagged):
        yield f"It is right with {', with '.join(safe)}."


def _safe(tagged: dict[str, list[Trial]]) -> list[str]:
    """Return the properties whose every trial was right, those of most trials first, each with a trial of its own."""
    said: list[str] = []
    covered: list[Trial] = []
    for words in sorted(tagged, key=lambda words: -len(tagged[words])):
        having = tagged[words]
        if all(trial.right for trial in having) and any(trial not in covered for trial in having):
            said.append(words)
            covered += having
    return said[:MOST_SAFE]


def _numbers(contract: Contract, wrong: list[Trial]) -> Iterator[str]:
    """Say how wrong numbers relate to the right ones, where one relation holds on every input."""
    for index, name in enumerate(contract.results):
        pairs = [
            (trial, *pair)
            for trial in wrong
            if _is_wrong(contract, trial, index) and (pair := _arrays(contract, trial, index))
        ]
        if not pairs or any(found.shape != right.shape for _, found, right in pairs):
            if pairs and all(_same_multiset(found, right) for _, found, right in pairs):
                yield f"The numbers in its {name} are right, but in another shape."
            continue
        factors = [_factor(found, right) for _, found, right in pairs]
        if None not in factors and np.ptp(factors) <= 1e-6 * abs(factors[0]) != 0 and abs(factors[0] - 1) > 1e-3:
            yield f"Its {name} {_be(name)} right up to a factor of {factors[0]:.4g}."
            continue
        for holds, words in RELATIONS:
            if all(holds(found, right, trial) for trial, found, right in pairs):
                yield words.format(name=name, be=_be(name))
                break


def _arrays(contract: Contract, trial: Trial, index: int) -> tuple[Array, Array] | None:
    expected = trial.probe.expected
    results = None if expected is None else results_of(trial.seen, len(contract.results))
    if results is None or expected is None or not isinstance(results[index], np.ndarray):
        return None
    return results[index], expected[index]


def _is_wrong(contract: Contract, trial: Trial, index: int) -> bool:
    pair = _arrays(contract, trial, index)
    return pair is not None and not right_value(*pair, trial.probe)


def _be(name: str) -> str:
    return "are" if name.endswith("s") else "is"


def _same_multiset(found: Array, right: Array) -> bool:
    return found.size == right.size and close(np.sort(found, axis=None), np.sort(right, axis=None), 1e-6)


def _has_nan(found: Array, right: Array, trial: Trial) -> bool:
    return bool(np.isnan(found).any())


def _wrong_dtype(found: Array, right: Array, trial: Trial) -> bool:
    return close(found, right, trial.probe.tolerance) and found.dtype.kind != right.dtype.kind


def _imprecise(found: Array, right: Array, trial: Trial) -> bool:
    return loses_precision(found, trial.probe) or close(found, right, 1e-3)


def _same_rows(found: Array, right: Array, trial: Trial) -> bool:
    return close(np.sort(found, axis=-1), np.sort(right, axis=-1), 1e-6)


def _columns_moved(found: Array, right: Array, trial: Trial) -> bool:
    """Every column of ``found`` is a column of ``right``, each used once."""
    ours = sorted(map(tuple, np.round(found.astype(np.float64).reshape(-1, found.shape[-1]).T, 6).tolist()))
    theirs = sorted(map(tuple, np.round(right.astype(np.float64).reshape(-1, right.shape[-1]).T, 6).tolist()))
    return ours == theirs


def _only_zeros(found: Array, right: Array, trial: Trial) -> bool:
    return not found.any()


def _factor(found: Array, right: Array) -> float | None:
    """Return the one number that makes ``found`` of ``right``, or None."""
    if right.size < 2 or not right.any() or not np.isfinite(found).all():
        return None
    place = np.unravel_index(np.abs(right).argmax(), right.shape)
    factor = float(found[place] / right[place])
    return factor if close(found, right * factor, 1e-6) else None


def _one_offset(found: Array, right: Array, trial: Trial) -> bool:
    """Every row is off by the same vector."""
    apart = np.subtract(found, right, dtype=np.float64).reshape(-1, found.shape[-1])
    return bool(np.abs(apart - apart[0]).max() <= 1e-6 * max(1.0, np.abs(right).max()))


def _all_numbers(found: Array, right: Array, trial: Trial) -> bool:
    return _same_multiset(found, right)


RELATIONS = (
    (_only_zeros, "There are only zeros in its {name}."),
    (_wrong_dtype, "The numbers in its {name} are right, but their dtype is another kind."),
    (_has_nan, "There are NaN in its {name}."),
    (_imprecise, "Its {name} {be} close, but not as precise as the input."),
    (_columns_moved, "The columns of its {name} are right, but in another order."),
    (_one_offset, "Each row of its {name} is off by the same vector."),
    (_same_rows, "Each row of its {name} has the right numbers in another order."),
    (_all_numbers, "All numbers in its {name} are right, but in other places."),
)
