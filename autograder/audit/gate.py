"""What must be true of an assignment before students get it."""

from __future__ import annotations

from autograder.assignment import Assignment, read_assignment
from autograder.engine.names import authoring_errors
from autograder.settings import Settings

from .audit import audit, try_basics
from .candidates import SOLUTION
from .run import task_of
from .settings import load_audit_settings


def release_gate(settings: Settings, assignment: str | Assignment, *, isolation: str | None = None) -> list[str]:
    """What is wrong with an assignment, one sentence each; nothing where it may be released.

    Every name in a test must resolve, the solution must earn full marks, and the stub nothing in any test cell. Where
    ``audits/<assignment>.toml`` is there, the whole audit must pass.

    Raises:
        AutograderError: it could not be found out.
    """
    read = read_assignment(settings, assignment) if isinstance(assignment, str) else assignment
    errors = authoring_errors(task_of(read, SOLUTION))
    if errors:
        return [f"{error[0].upper()}{error[1:]}." for error in errors]
    if not any(cell.points for cell in read.test_cells):
        return []
    if load_audit_settings(settings, read.name).present:
        return list(audit(settings, read, isolation=isolation).faults)
    return try_basics(settings, read, isolation=isolation).basic_faults
