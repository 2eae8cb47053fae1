"""What an audit found, and whether that is good enough."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from .model import Kind, ScoredCell, Trial
from .settings import AuditSettings

SOLUTION_LOSES: Final = "The solution itself loses points in {cells}."
STUB_EARNS: Final = "The notebook as released earns points in {cells}."
WRONG_ALARM: Final = "The right answer '{id}' loses points in {cells}."
MISTAKE_SURVIVES: Final = "The mistake '{mistake}' in {function} loses no point."
MISTAKE_IMPOSSIBLE: Final = "No function of this assignment can make the mistake '{mistake}', and no reason is given."
IMPOSSIBLE_NOW_POSSIBLE: Final = "The mistake '{mistake}' is said to be out of this assignment's reach, but it is not."
MISTAKE_WITHOUT_CELL: Final = "No test cell is said to be about the mistake '{mistake}'."
CELL_MISSES: Final = "The test cell '{cell}' is about the mistake '{mistake}', but does not catch it{where}."
UNKNOWN_CELL: Final = "The map names a test cell that there is not: '{cell}'."
UNKNOWN_MISTAKE: Final = "There is no mistake '{mistake}' in the catalogue; the settings name it."
TOO_FEW_KILLED: Final = "Only {killed} of {total} mutants lose points ({share:.1%}); {wanted:.0%} should."
SURVIVOR: Final = "The mutant “{id}” loses no point, and no reason says why it may."
STALE_REASON: Final = "A reason stands for the mutant “{id}”, which {what}."
IDLE_CELL: Final = "The test cell '{cell}' catches nothing that the others do not, and no reason says why it stays."
STALE_OVERLAP: Final = "The test cell '{cell}' is said to overlap with others, but {what}."
NOTHING_TO_AUDIT: Final = "There is no test cell with points."


@dataclass(frozen=True)
class AuditReport:
    """The tests of one assignment, tried."""

    assignment: str
    cells: tuple[ScoredCell, ...]
    trials: tuple[Trial, ...]
    settings: AuditSettings
    catalogue: tuple[str, ...] = ()
    """The ids of all known mistakes."""

    def of(self, *kinds: Kind) -> list[Trial]:
        """The trials of these kinds, in order."""
        return [trial for trial in self.trials if trial.candidate.kind in kinds]

    @cached_property
    def wrong(self) -> list[Trial]:
        """Those that should lose points: mistakes and mutants, save the mutants that are known to be equivalent."""
        return [
            trial
            for trial in self.of(Kind.MISTAKE, Kind.MUTANT)
            if trial.caught or trial.candidate.id not in self.settings.equivalent
        ]

    @cached_property
    def survivors(self) -> list[Trial]:
        """Mutants that lose no point, with or without a reason."""
        return [trial for trial in self.of(Kind.MUTANT) if not trial.caught]

    @cached_property
    def missed(self) -> list[Trial]:
        """Known mistakes that lose no point."""
        return [trial for trial in self.of(Kind.MISTAKE) if not trial.caught]

    @cached_property
    def wrong_alarms(self) -> list[Trial]:
        """Right answers that lose points."""
        return [trial for trial in self.of(Kind.RIGHT) if trial.caught]

    @cached_property
    def killed_share(self) -> float:
        """The part of the mutants that loses points; 1 where there are none."""
        mutants = self.of(Kind.MUTANT)
        return 1 - len(self.survivors) / len(mutants) if mutants else 1.0

    @cached_property
    def caught_alone(self) -> dict[str, list[Trial]]:
        """Test cell -> the wrong candidates that no other test cell catches."""
        return {cell.key: [trial for trial in self.wrong if trial.lost == {cell.key}] for cell in self.cells}

    @cached_property
    def tells_apart(self) -> dict[str, int]:
        """Test cell -> how many patterns of lost cells would fall together with others if it were not there."""
        patterns = {trial.lost for trial in self.wrong}
        return {cell.key: len(patterns) - len({pattern - {cell.key} for pattern in patterns}) for cell in self.cells}

    @cached_property
    def patterns(self) -> dict[tuple[str, frozenset[str]], list[Trial]]:
        """Known mistakes by function and by the test cells that catch them: in the matrix they look the same."""
        found: dict[tuple[str, frozenset[str]], list[Trial]] = {}
        for trial in self.in_order(Kind.MISTAKE):
            found.setdefault((trial.candidate.function, trial.lost), []).append(trial)
        return found

    def in_order(self, kind: Kind) -> list[Trial]:
        """The trials of a kind as a matrix shows them: function by function, and alike next to alike."""
        keys = [cell.key for cell in self.cells]
        trials = self.of(kind)
        first: dict[str, int] = {}
        for trial in trials:
            places = (keys.index(key) for key in trial.lost)
            function = trial.candidate.function
            first[function] = min(first.get(function, len(keys)), min(places, default=len(keys)))
        return sorted(
            trials,
            key=lambda trial: (
                first[trial.candidate.function],
                trial.candidate.function,
                [key not in trial.lost for key in keys],
            ),
        )

    @cached_property
    def idle_cells(self) -> list[str]:
        """Test cells without which everything would still be caught."""
        return [key for key, alone in self.caught_alone.items() if not alone]

    @cached_property
    def out_of_reach(self) -> list[str]:
        """Known mistakes that no function of the assignment can make."""
        tried = {trial.candidate.mistake for trial in self.of(Kind.MISTAKE)}
        return [mistake for mistake in self.catalogue if mistake not in tried]

    @cached_property
    def basic_faults(self) -> list[str]:
        """What is wrong with what the solution and the stub earn."""
        faults = []
        for trial in self.of(Kind.SOLUTION):
            if trial.caught:
                faults.append(SOLUTION_LOSES.format(cells=_listed(trial.lost)))
        for trial in self.of(Kind.STUB):
            earning = [key for key, score in trial.scores.items() if score]
            if earning:
                faults.append(STUB_EARNS.format(cells=_listed(earning)))
        return faults

    @cached_property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the tests, one sentence each; none where they are good enough."""
        if not self.cells:
            return (NOTHING_TO_AUDIT,)
        return (
            *self.basic_faults,
            *(WRONG_ALARM.format(id=trial.candidate.id, cells=_listed(trial.lost)) for trial in self.wrong_alarms),
            *(
                MISTAKE_SURVIVES.format(mistake=trial.candidate.mistake, function=trial.candidate.function)
                for trial in self.missed
            ),
            *self._reach(),
            *self._map(),
            *self._mutants(),
            *self._idle(),
        )

    @property
    def passed(self) -> bool:
        """Whether the tests are good enough."""
        return not self.faults

    def _reach(self) -> list[str]:
        given = self.settings.elsewhere
        return [
            *(MISTAKE_IMPOSSIBLE.format(mistake=mistake) for mistake in self.out_of_reach if mistake not in given),
            *(UNKNOWN_MISTAKE.format(mistake=mistake) for mistake in given if mistake not in self.catalogue),
            *(
                IMPOSSIBLE_NOW_POSSIBLE.format(mistake=mistake)
                for mistake in given
                if mistake in self.catalogue and mistake not in self.out_of_reach
            ),
        ]

    def _map(self) -> list[str]:
        """Whether each test cell catches, by itself, the mistakes that it is about, and each mistake has a cell.

        A mistake that several functions can make is caught where the cell catches it in one of them: a cell that
        tests one function has no say on another.
        """
        faults = []
        keys = {cell.key for cell in self.cells}
        tried: dict[str, list[Trial]] = {}
        for trial in self.of(Kind.MISTAKE):
            tried.setdefault(trial.candidate.mistake, []).append(trial)
        for cell, mistakes in self.settings.about.items():
            if cell not in keys:
                faults.append(UNKNOWN_CELL.format(cell=cell))
                continue
            for mistake in mistakes:
                if mistake not in self.catalogue:
                    faults.append(UNKNOWN_MISTAKE.format(mistake=mistake))
                elif not any(cell in trial.lost for trial in tried.get(mistake, ())):
                    functions = _listed(trial.candidate.function for trial in tried.get(mistake, ()))
                    faults.append(
                        CELL_MISSES.format(cell=cell, mistake=mistake, where=f" in {functions}" if functions else "")
                    )
        named = {mistake for mistakes in self.settings.about.values() for mistake in mistakes}
        faults += [MISTAKE_WITHOUT_CELL.format(mistake=mistake) for mistake in tried if mistake not in named]
        return faults

    def _mutants(self) -> list[str]:
        mutants = self.of(Kind.MUTANT)
        reasons = self.settings.equivalent
        faults = []
        if self.killed_share < self.settings.share:
            killed = len(mutants) - len(self.survivors)
            faults.append(
                TOO_FEW_KILLED.format(
                    killed=killed, total=len(mutants), share=self.killed_share, wanted=self.settings.share
                )
            )
        faults += [
            SURVIVOR.format(id=trial.candidate.id) for trial in self.survivors if trial.candidate.id not in reasons
        ]
        caught = {trial.candidate.id: trial.caught for trial in mutants}
        for name in reasons:
            if name not in caught:
                faults.append(STALE_REASON.format(id=name, what="is not among the mutants any more"))
            elif caught[name]:
                faults.append(STALE_REASON.format(id=name, what="does lose points"))
        return faults

    def _idle(self) -> list[str]:
        reasons = self.settings.overlapping
        faults = [IDLE_CELL.format(cell=key) for key in self.idle_cells if key not in reasons]
        for key in reasons:
            if key not in self.caught_alone:
                faults.append(STALE_OVERLAP.format(cell=key, what="there is no such test cell with points"))
            elif self.caught_alone[key]:
                faults.append(STALE_OVERLAP.format(cell=key, what="it catches something that they do not"))
        return faults


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names)))
