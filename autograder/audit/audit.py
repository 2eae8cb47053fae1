"""The audit itself: gathers the candidates, tries them and gives the report."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.assignment import Assignment, read_assignment
from autograder.settings import Settings, cores

from .candidates import basics, candidates, catalogue_modules, load_catalogue
from .model import Candidate, ScoredCell
from .report import AuditReport
from .run import Progress, try_all
from .settings import AuditSettings, load_audit_settings


def audit(
    settings: Settings,
    assignment: str | Assignment,
    *,
    workers: int | None = None,
    isolation: str | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Try an assignment's tests on all that they should catch and on all that they should not.

    Args:
        settings: the course's settings.
        assignment: its name, or the assignment as read from its source.
        workers: how many candidates are tried at the same time; by default as the course says.
        isolation: what confines them; by default as the course says.
        progress: told how many of how many candidates are done.

    Raises:
        AutograderError: no such assignment, settings that make no sense, no isolation, or a test that is broken.
    """
    read = read_assignment(settings, assignment) if isinstance(assignment, str) else assignment
    own = load_audit_settings(settings, read.name)
    tried = candidates(settings, own, read)
    return _try(settings, read, own, tried, workers, isolation, progress)


def try_basics(settings: Settings, assignment: Assignment, *, isolation: str | None = None) -> AuditReport:
    """Try the solution and the stub alone. Raises AutograderError as `audit` does."""
    own = AuditSettings(load_audit_settings(settings, assignment.name).path)
    return _try(settings, assignment, own, basics(), 1, isolation, None)


def _try(
    settings: Settings,
    assignment: Assignment,
    own: AuditSettings,
    tried: Sequence[Candidate],
    workers: int | None,
    isolation: str | None,
    progress: Progress | None,
) -> AuditReport:
    from autograder.grading import choose_isolation

    cells = tuple(ScoredCell(cell.key, cell.points) for cell in assignment.test_cells if cell.points)
    if not cells:
        return AuditReport(assignment.name, cells, (), own)
    trials = try_all(
        settings,
        assignment,
        tried,
        isolation=choose_isolation(settings, isolation),
        modules=catalogue_modules(own),
        workers=workers or settings.workers or cores(),
        progress=progress,
    )
    known = tuple(mistake.id for mistake in load_catalogue(own))
    return AuditReport(assignment.name, cells, tuple(trials), own, known)
