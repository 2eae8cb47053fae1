"""An engine over a real sandbox, and small notebooks written as strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from autograder.engine.model import Cell, Outcome, Role, Task
from autograder.engine.walk import grade
from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import Sandbox
from tests.support.isolations import LIMITS, working

Grade = Callable[..., Outcome]
PATIENT = replace(LIMITS, cell_seconds=20.0, submission_seconds=120.0)
"""For tests in which nothing should hang: a loaded machine must not make it so."""


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(ISOLATIONS[working()[0]], LIMITS) as sandbox:
        yield sandbox


@pytest.fixture
def run(sandbox: Sandbox) -> Grade:
    """Grades cells; the student's function is called f, and g where there is a second."""

    def run(
        *cells: Cell,
        limits: Limits = PATIENT,
        functions: tuple[str, ...] = ("f", "g"),
        data: tuple[str, ...] = (),
        files: dict[str, bytes] | None = None,
        diagnose: Callable[..., object] | None = None,
    ) -> Outcome:
        sandbox.ready()
        task = Task(tuple(cells), frozenset(functions), frozenset(data))
        return grade(task, sandbox.session, limits, files, diagnose)

    return run


def student(source: str, key: str = "f", *, attempted: bool = True, defines: tuple[str, ...] = ("f",)) -> Cell:
    return Cell(key, Role.STUDENT, source, attempted=attempted, defines=frozenset(defines))


def given(source: str, key: str = "given") -> Cell:
    return Cell(key, Role.LOCKED, source)


def check(source: str, key: str = "test", points: float = 2.0) -> Cell:
    """A test cell."""
    return Cell(key, Role.TEST, source, points)
