"""A sandbox for each isolation that works here, and sessions in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Raised, Returned, Session
from tests.support.isolations import LIMITS, PATIENT, working

Run = Callable[[str], Any]


@pytest.fixture(scope="module", params=working())
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A warm sandbox, used by all tests of a file, one after the other."""
    with Sandbox(ISOLATIONS[request.param], LIMITS) as sandbox:
        yield sandbox


@pytest.fixture
def session(sandbox: Sandbox) -> Iterator[Session]:
    sandbox.ready()
    session = sandbox.session()
    yield session
    session.close()


@pytest.fixture
def value_of(session: Session) -> Run:
    """Runs the body of a function in the session: gives what it returns, or the name of what it raises."""

    def run(body: str) -> Any:
        lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
        assert session.run("cell", f"def attack():\n{lines}", PATIENT).ok
        answer = session.call("attack", (), {}, PATIENT)
        match answer:
            case Returned(value):
                return value
            case Raised(name=name):
                return name
        raise AssertionError(f"no answer: {vars(answer)}")

    return run
