"""All that an assignment's tests are tried on."""

from __future__ import annotations

import importlib
from collections import Counter
from typing import Any, Final

from autograder.assignment import Assignment, SourceCell
from autograder.assignment import Kind as CellKind
from autograder.settings import Settings

from .model import Answer, Candidate, Kind
from .mutants import mutants
from .scenarios import read_right_answers
from .settings import AuditSettings, AuditSettingsError

NO_CATALOGUE: Final = "{path}: the catalogue '{name}' cannot be loaded ({reason}); give it as package.module:NAME."

SOLUTION: Final = Candidate(Kind.SOLUTION, "solution", "the assignment's own solution")
STUB: Final = Candidate(Kind.STUB, "stub", "the notebook as released", complete=True)

FROM_CATALOGUE: Final = "from {module} import {name}\n\n{function} = {name}[{mistake!r}].for_contract({function!r})"


def candidates(settings: Settings, audit: AuditSettings, assignment: Assignment) -> list[Candidate]:
    """The solution, the stub, the right answers, the known mistakes and the mutants, in this order.

    Raises:
        AuditSettingsError: the catalogue or the right answers cannot be loaded.
    """
    right = read_right_answers(settings.root / audit.right, audit.path) if audit.right else []
    return [
        *basics(),
        *right,
        *known_mistakes(audit, assignment),
        *all_mutants(settings, assignment),
    ]


def basics() -> list[Candidate]:
    """What every assignment can be tried on."""
    return [SOLUTION, STUB]


def known_mistakes(audit: AuditSettings, assignment: Assignment) -> list[Candidate]:
    """One candidate for each mistake and each of the assignment's functions that can make it.

    The wrong function is looked up inside the sandbox, so that it runs where a student's would.
    """
    module, _, name = audit.catalogue.partition(":")
    found = []
    for mistake in load_catalogue(audit):
        for cell, function in _makers(mistake, assignment):
            source = FROM_CATALOGUE.format(module=module, name=name, mistake=mistake.id, function=function)
            found.append(
                Candidate(
                    Kind.MISTAKE,
                    f"{function}: {mistake.id}",
                    mistake.title,
                    (Answer(cell.key, source),),
                    mistake=mistake.id,
                    function=function,
                )
            )
    return found


def _makers(mistake: Any, assignment: Assignment) -> list[tuple[SourceCell, str]]:
    """The functions of the assignment that can make a mistake, each with its cell."""
    return [
        (cell, function)
        for cell in _code_cells(assignment)
        for function in sorted(cell.names.functions & set(mistake.catalogue.contracts))
        if mistake.for_contract(function) is not None
    ]


def load_catalogue(audit: AuditSettings) -> Any:
    """The catalogue of known mistakes (see ``mha.mistakes.model.Catalogue``); an empty one where none is named.

    Raises:
        AuditSettingsError: it cannot be loaded.
    """
    if not audit.catalogue:
        return ()
    module, _, name = audit.catalogue.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise AuditSettingsError(NO_CATALOGUE.format(path=audit.path, name=audit.catalogue, reason=error)) from error


def catalogue_modules(audit: AuditSettings) -> list[str]:
    """The module that the sandbox must have for the catalogue; none where none is named."""
    return [audit.catalogue.partition(":")[0]] if audit.catalogue else []


def all_mutants(settings: Settings, assignment: Assignment) -> list[Candidate]:
    """The mutants of every solution cell with code. An id is the change in words, so that it outlives moved lines."""
    found = []
    seen: Counter[str] = Counter()
    for cell in _code_cells(assignment):
        for mutant in mutants(cell.source, settings.student_version):
            name = f"{cell.key}: {mutant.change}"
            seen[name] += 1
            unique = name if seen[name] == 1 else f"{name} ({seen[name]})"
            title = f"line {mutant.line}, {mutant.operator}: {mutant.change}"
            answer = Answer(cell.key, mutant.source)
            found.append(Candidate(Kind.MUTANT, unique, title, (answer,), function=mutant.function or cell.key))
    return found


def _code_cells(assignment: Assignment) -> list[SourceCell]:
    """The solution cells that tests grade: a cell that a person marks is not theirs to catch."""
    return [
        cell
        for cell in assignment.solution_cells
        if cell.cell_type == "code" and cell.kind is CellKind.SOLUTION and not cell.by_hand
    ]
