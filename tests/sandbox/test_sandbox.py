"""The zygote: it ends what it is told to end, comes back when it is killed, and leaves nothing behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import numpy
import pytest

from autograder.sandbox.errors import SandboxError, SandboxGone
from autograder.sandbox.headcount import threads_below
from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Returned, SessionLost
from tests.support.isolations import LIMITS, PATIENT, working

pytestmark = pytest.mark.parametrize("isolation", working())


@pytest.fixture
def sandbox(isolation: str) -> Iterator[Sandbox]:
    """One that forks nothing ahead, so that its processes can be counted."""
    with Sandbox(ISOLATIONS[isolation], LIMITS, ahead=0) as sandbox:
        yield sandbox


def children(pid: int) -> list[int]:
    """All descendants of a process, in the order in which they were started."""
    found = []
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += [int(child), *children(int(child))]
    return found


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def test_nothing_survives_its_close(isolation: str):
    before, mounts = children(os.getpid()), Path("/proc/mounts").read_text()
    sandbox = Sandbox(ISOLATIONS[isolation], LIMITS)
    sandbox.start()
    sessions = [sandbox.session() for _ in range(3)]
    threads = (
        "import threading\nfor _ in range(5): threading.Thread(target=threading.Event().wait, daemon=True).start()"
    )
    sessions[0].run("cell", threads, PATIENT)
    inside = [pid for pid in children(os.getpid()) if pid not in before]
    assert len(inside) >= 4
    folder = sandbox._folder
    sandbox.close()
    assert not any(map(alive, inside))
    assert children(os.getpid()) == before
    assert Path("/proc/mounts").read_text() == mounts
    assert not folder or not Path(folder).exists()
    for session in sessions:
        with pytest.raises(SandboxGone):
            session.close()


def test_a_closed_session_is_gone(sandbox: Sandbox):
    before, files = children(os.getpid()), sorted(Path(sandbox._folder or "/nothing").glob("*"))
    session = sandbox.session()
    cell = "import os\nfor _ in range(30):\n    os.mkdir('d'); os.chdir('d'); open('left', 'w').write('x')\n"
    session.run("cell", f"{cell}os.mkdir('locked', 0)", PATIENT)
    session.close()
    sandbox.ready(settle=True)
    assert children(os.getpid()) == before
    assert sorted(Path(sandbox._folder or "/nothing").glob("*")) == files


def test_ready_ends_whatever_sessions_are_left(sandbox: Sandbox):
    before = children(os.getpid())
    sessions = [sandbox.session() for _ in range(3)]
    assert len(children(os.getpid())) >= len(before) + 3
    sandbox.ready(settle=True)
    assert children(os.getpid()) == before
    for session in sessions:
        with pytest.raises(SessionLost):
            session.run("cell", "1", PATIENT)
        session.close()


def test_a_session_killed_from_outside_is_lost_alone(sandbox: Sandbox):
    before = children(os.getpid())
    with closing(sandbox.session()) as first:
        new = [pid for pid in children(os.getpid()) if pid not in before]
        with closing(sandbox.session()) as second:
            os.kill(new[-1], signal.SIGKILL)
            with pytest.raises(SessionLost, match="ended"):
                first.run("cell", "1", PATIENT)
            assert second.run("cell", "1", PATIENT).ok


def test_a_session_that_died_before_it_was_used_is_not_handed_out(isolation: str):
    with Sandbox(ISOLATIONS[isolation], LIMITS, ahead=2) as sandbox:
        waiting: list[int] = []
        before = [0]
        for _ in range(200):  # two ahead, and neither still being shut in
            if len(waiting) == 2 and waiting == before:
                break
            select.select([], [], [], 0.03)
            inside = children(sandbox._process.pid)
            waiting, before = [pid for pid in inside if alive(pid) and not children(pid)], waiting
        assert len(waiting) == 2
        for pid in waiting:
            os.kill(pid, signal.SIGKILL)
        for _ in range(200):
            if not any(alive(pid) for pid in waiting):
                break
            select.select([], [], [], 0.01)
        with closing(sandbox.session()) as session:
            assert session.run("cell", "1", PATIENT).ok


def test_a_killed_zygote_is_noticed_and_started_anew(sandbox: Sandbox):
    session = sandbox.session()
    zygote = max(children(os.getpid()), key=lambda pid: len(children(pid)) * 10**9 + pid)
    for pid in (zygote, *children(os.getpid())):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with pytest.raises(SessionLost):
        session.run("cell", "1", PATIENT)
    with pytest.raises(SandboxGone):
        session.close()
    with pytest.raises(SandboxGone):
        sandbox.session()
    sandbox.ready()
    with closing(sandbox.session()) as fresh:
        fresh.run("cell", "def f(x): return x + 1", PATIENT)
        assert fresh.call("f", (1,), {}, PATIENT) == Returned(2)


def test_an_answer_that_nobody_waited_for_is_passed_over(sandbox: Sandbox):
    """A fork of the worker that is killed in the middle of an order leaves its answer in the channel."""
    pid = os.fork()
    if pid == 0:
        session = sandbox.session()
        sandbox._control.send(b'{"do": "end", "order": "orphan"}')
        os._exit(session is None)
    os.waitpid(pid, 0)
    with closing(sandbox.session()) as session:
        assert session.run("cell", "1", PATIENT).ok


def test_an_interpreter_that_cannot_start_is_the_graders_fault(isolation: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "_base_executable", "/nowhere/python")
    with pytest.raises(SandboxError, match="did not start"):
        Sandbox(ISOLATIONS[isolation], LIMITS).start()


def test_every_session_starts_from_the_same_seed(sandbox: Sandbox):
    draw = "import random\nimport numpy as np\nx = (random.random(), float(np.random.rand()), hash('word'))"
    drawn = set()
    for _ in range(2):
        with closing(sandbox.session()) as session:
            session.run("cell", draw, PATIENT)
            answer = session.fetch("x", PATIENT)
            assert isinstance(answer, Returned)
            drawn.add(answer.value)
    assert len(drawn) == 1


def test_the_head_count_sees_every_thread(sandbox: Sandbox):
    before = threads_below(os.getpid())
    with closing(sandbox.session()) as session:
        assert threads_below(os.getpid()) >= before + 1
        cell = (
            "import threading\nfor _ in range(5): threading.Thread(target=threading.Event().wait, daemon=True).start()"
        )
        session.run("cell", cell, PATIENT)
        assert threads_below(os.getpid()) >= before + 6


def test_an_environment_inside_the_course_does_not_expose_the_course(isolation: str, tmp_path: Path):
    """Even where the environment is the course folder itself."""
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "secret.ipynb").write_text("a canary")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--symlinks", tmp_path], check=True)
    (site,) = tmp_path.glob("lib/python3*/site-packages")
    (site / "outer.pth").write_text("\n".join(place for place in sys.path if place))
    probe = f"""
from contextlib import closing
from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import Sandbox
with Sandbox(ISOLATIONS[{isolation!r}], Limits()) as sandbox, closing(sandbox.session()) as session:
    ran = session.run("cell", "open({str(tmp_path / "source" / "secret.ipynb")!r}).read()", 20)
    print(ran.outputs[-1]["ename"])
"""
    python = tmp_path / "bin" / "python"
    done = subprocess.run([python, "-c", probe], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout in ("FileNotFoundError\n", "PermissionError\n"), done.stderr


def test_a_course_in_a_folder_of_the_system_is_not_shown(sandbox: Sandbox):
    """As in a container, where /usr/src is a usual place to work."""
    look = "import os\nfound = []\nfor top in ('/usr/src', '/usr/local/src', '/usr/games', '/opt', '/srv'):\n"
    look += "    try: found.append(os.listdir(top))\n    except OSError: continue"
    with closing(sandbox.session()) as session:
        session.run("cell", look, PATIENT)
        assert session.fetch("found", PATIENT) == Returned([])


def test_text_that_is_shown_names_no_place_of_this_machine(sandbox: Sandbox):
    show = "import sys, numpy\nprint(numpy.__file__, sys.executable, sys.path)\n"
    show += "numpy.linalg.inv(numpy.zeros((2, 3)))"
    with closing(sandbox.session()) as session:
        shown = str(session.run("cell", show, PATIENT).outputs)
    places = (numpy.__file__, sys.prefix, sys.base_prefix, str(Path.cwd()), tempfile.gettempdir() + "/autograder-")
    assert "numpy" in shown
    assert not [place for place in places if place in shown and place != "/usr"]


def test_a_grader_that_is_killed_leaves_nothing(isolation: str):
    reads, writes = os.pipe()
    grader = os.fork()
    if grader == 0:
        sandbox = Sandbox(ISOLATIONS[isolation], LIMITS)
        sandbox.start()
        session = sandbox.session()
        session.run("cell", "open('left', 'w').write('x')", PATIENT)
        os.write(writes, f"{sandbox._folder}\n".encode())
        session.run("cell", "while True: pass", 600)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        folder = pipe.readline().strip()
    inside = [os.pidfd_open(pid) for pid in children(grader)]
    os.kill(grader, signal.SIGKILL)
    os.waitpid(grader, 0)
    assert len(inside) >= 2
    for handle in inside:
        assert select.select([handle], [], [], PATIENT)[0]
        os.close(handle)
    assert not folder or not Path(folder).exists()
