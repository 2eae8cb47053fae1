"""Tries candidates on an assignment's tests: through the engine, in a sandbox, like any submission."""

from __future__ import annotations

import atexit
import dataclasses
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Final

from autograder.assignment import CHECK_TAG, Assignment
from autograder.assignment import Kind as CellKind
from autograder.batch import local_executor
from autograder.engine.model import Cell, Outcome, Role, Task
from autograder.engine.walk import grade
from autograder.errors import GRADER_FAILED, AutograderError
from autograder.sandbox.errors import SandboxError, SandboxGone
from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import WARM_MODULES, Sandbox
from autograder.settings import Settings
from autograder.worker import limits_of

from .model import Candidate, Kind, Trial
from .scenarios import EXTRA

WRONG_ONES_SECONDS: Final = 5.0
"""What a call of a wrong candidate may take: some mutants never end, and none needs long."""
TRIES: Final = 3
CHUNK: Final = 8
"""Candidates that a worker takes at once."""
TOLERANCE: Final = 1e-9

BROKEN: Final = "The audit of '{assignment}' broke at {kind} '{candidate}': {reason}."
WORKER_DIED: Final = "The audit of '{assignment}' broke: a worker process was killed; run it again."
UNKNOWN_CELL: Final = "The right answer '{candidate}' fills a cell that the assignment does not have: {cell}."

Progress = Callable[[int, int], None]
"""Told how many of how many candidates are done."""


class AuditBroke(AutograderError):
    """The grader itself could not try a candidate."""

    def __init__(self, message: str) -> None:
        super().__init__(message, GRADER_FAILED)

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return (type(self), (str(self),))


def try_all(
    settings: Settings,
    assignment: Assignment,
    tried: Sequence[Candidate],
    *,
    isolation: str,
    modules: Iterable[str] = (),
    workers: int,
    progress: Progress | None = None,
) -> list[Trial]:
    """Try every candidate, on several workers, and give the trials in the candidates' order.

    Args:
        modules: what the candidates import beside the given functions; the sandbox has it at hand.

    Raises:
        AuditBroke: a candidate could not be tried.
    """
    found: dict[int, list[Trial]] = {}
    needed = tuple(modules)
    chunks = [tried[start : start + CHUNK] for start in range(0, len(tried), CHUNK)]
    limits = limits_of(settings)
    with local_executor(min(workers, len(chunks)) or 1) as executor:
        futures = {
            executor.submit(try_some, assignment, chunk, limits, isolation, needed): index
            for index, chunk in enumerate(chunks)
        }
        for future in as_completed(futures):
            try:
                found[futures[future]] = future.result()
            except BrokenProcessPool as error:
                raise AuditBroke(WORKER_DIED.format(assignment=assignment.name)) from error
            if progress is not None:
                progress(sum(map(len, found.values())), len(tried))
    return [trial for index in range(len(chunks)) for trial in found[index]]


def try_some(
    assignment: Assignment, tried: Sequence[Candidate], limits: Limits, isolation: str, modules: tuple[str, ...]
) -> list[Trial]:
    """Try candidates one after the other in the sandbox of this process."""
    sandbox = _sandbox_of_this_process(isolation, limits, modules)
    return [try_one(assignment, candidate, limits, sandbox) for candidate in tried]


def try_one(assignment: Assignment, candidate: Candidate, limits: Limits, sandbox: Sandbox) -> Trial:
    """Try one candidate.

    Raises:
        AuditBroke: the grader could not; the sandbox died time and again, or a test is wrong in itself.
    """
    if candidate.kind in {Kind.MISTAKE, Kind.MUTANT}:
        limits = dataclasses.replace(limits, cell_seconds=min(limits.cell_seconds, WRONG_ONES_SECONDS))
    task = task_of(assignment, candidate)
    why = ""
    for _ in range(TRIES):
        try:
            sandbox.ready()
            outcome = grade(task, sandbox.session, limits, outputs=False)
        except (SandboxError, SandboxGone) as error:
            why = str(error)
            continue
        if outcome.broken is None:
            return _trial(candidate, outcome)
        why = outcome.broken
        break
    raise AuditBroke(
        BROKEN.format(assignment=assignment.name, kind=candidate.kind, candidate=candidate.id, reason=why.rstrip("."))
    )


def task_of(assignment: Assignment, candidate: Candidate) -> Task:
    """The candidate as the engine takes it: the assignment's cells with the candidate's answers in their places.

    Raises:
        AuditBroke: an answer belongs to no solution cell of the assignment.
    """
    answers = {answer.cell: answer.source for answer in candidate.answers if answer.cell != EXTRA}
    unknown = set(answers) - {cell.key for cell in assignment.solution_cells}
    if unknown:
        raise AuditBroke(UNKNOWN_CELL.format(candidate=candidate.id, cell=", ".join(sorted(unknown))))
    below, above = _extra_cells(candidate)
    cells: list[Cell] = []
    for cell in assignment.cells:
        if cell.kind is CellKind.SOLUTION:
            cells += [Cell(f"extra-{number}", Role.STUDENT, source) for number, source in above.get(cell.key, ())]
        if cell.cell_type == "code":
            runs = CHECK_TAG not in cell.tags
            if cell.kind is CellKind.SOLUTION:
                source = answers.get(cell.key, cell.released if candidate.complete else cell.source)
                attempted = source != cell.released
                cells.append(Cell(cell.key, Role.STUDENT, source, 0.0, attempted, runs, cell.names.bound))
            else:
                role = Role.TEST if cell.kind is CellKind.TEST else Role.LOCKED
                cells.append(Cell(cell.key, role, cell.source, cell.points, runs=runs))
        cells += [Cell(f"extra-{number}", Role.STUDENT, source) for number, source in below.get(cell.key, ())]
    return Task(tuple(cells), assignment.functions, assignment.data)


def _extra_cells(
    candidate: Candidate,
) -> tuple[dict[str, list[tuple[int, str]]], dict[str, list[tuple[int, str]]]]:
    """Extra cells stand below the answer before them; the first ones above the answer that follows."""
    below: dict[str, list[tuple[int, str]]] = {}
    above: dict[str, list[tuple[int, str]]] = {}
    first: list[tuple[int, str]] = []
    last = ""
    for number, answer in enumerate(candidate.answers, start=1):
        if answer.cell != EXTRA:
            if not last:
                above[answer.cell] = first
            last = answer.cell
        elif last:
            below.setdefault(last, []).append((number, answer.source))
        else:
            first.append((number, answer.source))
    return below, above


def _trial(candidate: Candidate, outcome: Outcome) -> Trial:
    graded = {key: test for key, test in outcome.tests.items() if test.max_score}
    return Trial(
        candidate,
        {key: float(test.score) for key, test in graded.items()},
        frozenset(key for key, test in graded.items() if test.score < test.max_score - TOLERANCE),
        {key: test.message for key, test in graded.items() if test.message},
    )


@lru_cache(maxsize=1)
def _sandbox_of_this_process(isolation: str, limits: Limits, modules: tuple[str, ...]) -> Sandbox:
    packages = dict.fromkeys(["mha", *(module.partition(".")[0] for module in modules)])
    sandbox = Sandbox(ISOLATIONS[isolation], limits, tuple(packages), (*WARM_MODULES, *modules))
    sandbox.start()
    atexit.register(sandbox.close)
    return sandbox
