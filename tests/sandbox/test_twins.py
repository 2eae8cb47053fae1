"""Two zygotes behind the same walls: one start, and nothing else in common."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.sandbox.errors import SandboxGone
from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import LOST_CROWDED, Raised, Returned, Session, SessionLost
from tests.support.isolations import LIMITS, PATIENT, working

CROWD = """
import threading, time
threading.stack_size(65536)

def crowd(count, most):
    for _ in range(count):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    if threading.active_count() > most:
        threading.Event().wait()  # until it is noticed
    return threading.active_count()
"""

FEW_THREADS = replace(LIMITS, threads=20)

pytestmark = pytest.mark.parametrize("isolation", working())


@pytest.fixture
def two(isolation: str) -> Iterator[tuple[Sandbox, Sandbox]]:
    """A sandbox, and one that was made beside it."""
    with Sandbox(ISOLATIONS[isolation], FEW_THREADS) as first:
        second = Sandbox(ISOLATIONS[isolation], FEW_THREADS)
        second.launch_beside(first)
        try:
            yield first, second
        finally:
            second.close()


@contextmanager
def session_of(sandbox: Sandbox) -> Iterator[Session]:
    session = sandbox.session()
    try:
        yield session
    finally:
        with suppress(SandboxGone):
            session.close()


def answers(session: Session) -> bool:
    session.run("cell", "def double(x):\n    return 2 * x", PATIENT)
    return session.call("double", (21,), {}, PATIENT) == Returned(42)


def works(sandbox: Sandbox) -> bool:
    with session_of(sandbox) as session:
        return answers(session)


def refused(session: Session, threads: int) -> bool:
    """Whether so many more threads are too many: found out by the grader, or before it by sandlock itself."""
    try:
        answer = session.call("crowd", (threads, FEW_THREADS.threads), {}, PATIENT)
    except SessionLost as lost:
        return lost.reason == LOST_CROWDED
    return isinstance(answer, Raised) and answer.text == "can't start new thread"


def test_each_has_sessions_of_its_own(two: tuple[Sandbox, Sandbox]):
    first, second = two
    with session_of(first) as kept, session_of(second) as ended, session_of(first) as also_kept:
        assert all(map(answers, (kept, ended, also_kept)))
        second.ready(settle=True)
        assert answers(kept) and answers(also_kept)
        with pytest.raises(SessionLost):
            answers(ended)


def test_the_threads_of_one_are_not_counted_in_the_other(two: tuple[Sandbox, Sandbox]):
    """As many as are allowed in each are no crowd; more than that in one cost that one alone."""
    first, second = two
    half, more = FEW_THREADS.threads // 2 + 4, FEW_THREADS.threads + 10
    with session_of(first) as one, session_of(second) as other:
        assert one.run("cell", CROWD, PATIENT).ok and other.run("cell", CROWD, PATIENT).ok
        assert one.call("crowd", (half, FEW_THREADS.threads), {}, PATIENT) == Returned(half + 1)
        assert other.call("crowd", (half, FEW_THREADS.threads), {}, PATIENT) == Returned(half + 1)
        assert refused(one, more - half)
        assert other.call("crowd", (0, FEW_THREADS.threads), {}, PATIENT) == Returned(half + 1)


def test_closing_one_leaves_the_other_at_work(two: tuple[Sandbox, Sandbox]):
    first, second = two
    with session_of(first) as session:
        second.close()
        assert answers(session)
    with pytest.raises(SandboxGone):
        second.session()
    second.ready()
    assert works(second)


def test_one_that_goes_down_with_the_other_comes_back_by_itself(two: tuple[Sandbox, Sandbox]):
    first, second = two
    second.ready()
    first.close()
    second.ready()
    assert works(second)
    first.ready()
    assert works(first)


def test_a_killed_twin_is_gone_and_comes_back(two: tuple[Sandbox, Sandbox]):
    first, second = two
    second.ready()
    assert second._zygote is not None
    os.kill(second._zygote.pid, signal.SIGKILL)
    with pytest.raises(SandboxGone):
        second.session()
    second.ready()
    assert works(second) and works(first)


def test_nothing_of_a_twin_survives_its_close(two: tuple[Sandbox, Sandbox]):
    _, second = two
    second.ready()
    assert second._zygote is not None
    pid = second._zygote.pid
    assert works(second)
    second.close()
    with suppress(FileNotFoundError):
        assert Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"


def test_each_keeps_to_a_processor_of_its_own(isolation: str):
    here = sorted(os.sched_getaffinity(0))
    own, others = here[0], here[-1]
    with Sandbox(ISOLATIONS[isolation], LIMITS, cpu=own) as first:
        second = Sandbox(ISOLATIONS[isolation], LIMITS, cpu=others)
        second.launch_beside(first)
        try:
            for sandbox, cpu in ((first, own), (second, others)):
                with session_of(sandbox) as session:
                    session.run("cell", "import os\ndef f(): return list(os.sched_getaffinity(0))", PATIENT)
                    assert session.call("f", (), {}, PATIENT) == Returned([cpu])
        finally:
            second.close()
