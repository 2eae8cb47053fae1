"""A session's answers are judged outside: whatever comes back, or does not, ends in a value or in SessionLost."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.sandbox import session as session_module
from autograder.sandbox.clock import Clock
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Missing, Raised, Ran, Returned, Session, SessionLost, Unsendable
from autograder.sandbox.wire import Opaque, decode, encode
from tests.support.isolations import LIMITS, PATIENT

from .test_wire import values


def framed(value: Any) -> bytes:
    message = encode(value, limit=1 << 22)
    return struct.pack("<I", len(message)) + message


@contextmanager
def peer(answer: bytes, *, then_close: bool = True) -> Iterator[Session]:
    """A session whose other end says ``answer`` whatever it is asked."""
    ours, theirs = socket.socketpair()
    theirs.settimeout(PATIENT)

    def speak() -> None:
        try:
            theirs.sendall(answer)
            if then_close:
                theirs.shutdown(socket.SHUT_WR)
        except OSError:  # the session had heard enough
            return

    speaker = threading.Thread(target=speak)
    speaker.start()
    try:
        yield Session(ours, LIMITS, lambda lost: None)
    finally:
        ours.close()
        speaker.join()
        theirs.close()


def test_time_in_which_the_machine_stood_still_is_nobodys():
    """A wait of a twentieth of a second that ends ten seconds later says nothing about the student."""
    clock = Clock()
    before = clock.now()
    clock.waited(0.05, 0.05)
    assert clock.now() - before < 0.5
    clock.waited(10.05, 0.05)
    assert clock.now() - before < -9


ASKS: list[Callable[[Session], Any]] = [
    lambda session: session.run("cell", "1", PATIENT),
    lambda session: session.call("f", (np.zeros(2), np.ones((2, 2))), {}, PATIENT),
    lambda session: session.fetch("x", PATIENT),
    lambda session: session.define("def f(): pass", PATIENT),
    lambda session: session.put_files({"a": b""}, PATIENT),
]


@pytest.mark.parametrize("ask", ASKS)
@settings(max_examples=100, deadline=None)
@given(answer=st.binary(max_size=300))
def test_any_bytes_end_in_an_answer_or_lose_this_session(ask, answer):
    with peer(answer) as session:
        try:
            ask(session)
        except SessionLost as lost:
            assert session.lost is lost


@pytest.mark.parametrize("ask", ASKS)
@settings(max_examples=100, deadline=None)
@given(value=st.tuples(st.sampled_from(["ran", "value", "raised", "missing", "unsendable", "done"]), values) | values)
def test_any_message_ends_in_an_answer_or_loses_this_session(ask, value):
    with peer(framed(value)) as session:
        try:
            answer = ask(session)
        except SessionLost as lost:
            assert session.lost is lost
        else:
            assert answer is None or type(answer) in (Ran, Returned, Raised, Missing, Unsendable, set)


@pytest.mark.parametrize(
    "answer",
    [
        framed(("value", 1, [])),
        framed(("value", 1, [None])),
        framed(("value", 1, [None, None, None])),
        framed(("value", 1, [np.zeros(3), None])),
        framed(("value", 1, [np.zeros(2, "f4"), None])),
        framed(("value", 1, ["zeros", None])),
        framed(("value", 1)),
        framed(("raised", "ValueError", "text", "cell", "line", [None, None])),
        framed(("raised", 1, "text", "cell", 1, [None, None])),
        framed(()),
        framed([]),
        framed(None),
    ],
)
def test_answers_of_a_wrong_form_lose_the_session(answer):
    given = np.zeros(2)
    with peer(answer) as session, pytest.raises(SessionLost, match="cannot be read"):
        session.call("f", (given, np.ones((2, 2))), {}, PATIENT)
    assert given.tolist() == [0, 0]


def test_a_reply_that_claims_to_be_huge_is_not_waited_for():
    with peer(b"\xff\xff\xff\xff", then_close=False) as session, pytest.raises(SessionLost, match="more than 2 MiB"):
        session.fetch("x", PATIENT)


@pytest.mark.parametrize("cut", [0, 3, 4, 10])
def test_a_reply_that_is_cut_short_is_a_death(cut):
    with peer(framed(("value", "x" * 100, []))[:cut]) as session, pytest.raises(SessionLost, match="ended"):
        session.fetch("x", PATIENT)


@pytest.mark.parametrize("cut", [0, 3, 10])
def test_a_reply_that_never_ends_runs_into_the_time_limit(cut):
    answer = framed(("value", "x" * 100, []))[:cut]
    with peer(answer, then_close=False) as session, pytest.raises(SessionLost, match="too long") as caught:
        session.fetch("x", 0.05)
    assert caught.value.timed_out


def test_a_lost_session_stays_lost():
    with peer(b"\xff" * 8 + framed(("value", 1, []))) as session:
        for _ in range(2):
            with pytest.raises(SessionLost):
                session.fetch("x", PATIENT)


def test_an_alarm_in_the_middle_of_a_message_loses_the_session(monkeypatch):
    class Alarm(BaseException):
        pass

    def ring(_: float) -> float:
        raise Alarm

    with peer(framed(("value", 1, []))) as session:
        with monkeypatch.context() as patched:
            patched.setattr(session, "_left", ring)
            with pytest.raises(Alarm):
                session.fetch("x", PATIENT)
        with pytest.raises(SessionLost):
            session.fetch("x", PATIENT)


@given(st.integers(0, 2**32 - 1), st.binary(max_size=40))
@settings(deadline=None)
def test_no_number_or_word_of_a_session_gets_into_the_reason(number, tail):
    """A reason is shown to the student: a hidden input must not travel in it."""
    answers = [struct.pack("<I", number) + tail, framed(0)[:4] + b"i" + struct.pack("<I", number) + tail]
    fixed = {
        session_module.LOST_DIED,
        session_module.LOST_GARBLED,
        session_module.LOST_TIMEOUT,
        session_module.LOST_TOO_LARGE.format(limit=2),
    }
    for answer in answers:
        with peer(answer) as session, pytest.raises(SessionLost) as caught:
            session.fetch("x", PATIENT)
        assert caught.value.reason in fixed


def test_descriptors_sent_along_are_dropped():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        before = len(list(Path("/proc/self/fd").iterdir()))
        socket.send_fds(theirs, [framed(("value", 1, []))], [0, 1, 2])
        assert Session(ours, LIMITS, lambda lost: None).fetch("x", PATIENT) == Returned(1)
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_outputs_beyond_the_limit_are_left_out_whoever_counted():
    flood = [{"output_type": "stream", "name": "stdout", "text": "x" * 10_000}] * 100
    with peer(framed(("ran", True, flood))) as session:
        outputs = session.run("cell", "1", PATIENT).outputs
    assert 0 < sum(len(output["text"]) for output in outputs) < 3 * LIMITS.output


@pytest.mark.parametrize(
    "flood",
    [
        [{"output_type": "display_data", "data": {f"{number}" + "x" * 9000: ""}} for number in range(100)],
        [
            {"output_type": "display_data", "data": {f"{key}/{number}": "" for key in range(900)}}
            for number in range(99)
        ],
        [{"output_type": "error", "ename": "", "evalue": "", "traceback": [""] * 1000}] * 100,
    ],
)
def test_names_of_kinds_and_empty_lines_are_no_way_around_the_limit(flood):
    with peer(framed(("ran", True, flood))) as session:
        outputs = session.run("cell", "1", PATIENT).outputs
    assert sum(len(name) for output in outputs for name in output.get("data", ())) < 3 * LIMITS.output
    assert all(len(output.get("traceback", ())) < 100 for output in outputs)


def test_a_session_that_keeps_answering_is_watched(monkeypatch):
    monkeypatch.setattr(session_module, "WATCH_SECONDS", 1e-9)
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(framed(("ran", True, [])))
        session = Session(ours, LIMITS, lambda lost: None, lambda: "it floods")
        with pytest.raises(SessionLost, match="it floods"):
            session.run("cell", "1", PATIENT)
        session.close()


def test_outputs_of_no_known_form_are_dropped():
    claimed = [
        {"output_type": "stream", "name": "stdin", "text": "x"},
        {"output_type": "stream", "name": "stdout", "text": 1},
        {"output_type": "display_data", "data": {"text/plain": "kept", "text/html": 1, 2: "x"}, "metadata": {"a": 1}},
        {"output_type": "update_display_data", "data": {}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["line", 3]},
        {"output_type": "execute_result", "data": {"text/plain": "1"}, "execution_count": 10**9},
        "text",
        None,
    ]
    with peer(framed(("ran", True, claimed))) as session:
        outputs = session.run("cell", "1", PATIENT).outputs
    assert outputs == [
        {"output_type": "display_data", "data": {"text/plain": "kept"}, "metadata": {}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["line"]},
        {"output_type": "execute_result", "data": {"text/plain": "1"}, "metadata": {}, "execution_count": None},
    ]


def test_changes_come_back_into_the_callers_arrays():
    owner, view = np.arange(4.0), np.arange(8.0)[::2]
    kept = np.arange(3.0)
    with peer(framed(("value", None, [np.zeros(4), np.ones(4), None]))) as session:
        session.call("f", (owner, [view]), {"kept": kept}, PATIENT)
    assert owner.tolist() == [0, 0, 0, 0]
    assert view.base is not None
    assert view.base.tolist() == [1, 1, 1, 3, 1, 5, 1, 7]
    assert kept.tolist() == [0, 1, 2]


def test_a_protected_array_shows_what_was_done_where_numpy_lets_its_holder_lift_the_protection():
    owner, base, fast = np.zeros(2), np.zeros(2), np.zeros(2)
    view, of_protected = base[:], fast[:]
    for array in (owner, view, fast, of_protected):
        array.flags.writeable = False
    with peer(framed(("value", None, [np.ones(2)] * 3))) as session:
        session.call("f", (owner, view, of_protected), {}, PATIENT)
    assert owner.tolist() == base.tolist() == [1, 1]
    assert fast.tolist() == [0, 0]
    assert not any(array.flags.writeable for array in (owner, view, fast, of_protected))


class TestInTheSandbox:
    """The same with real sessions."""

    def test_a_cell_runs_and_shows(self, session: Session):
        ran = session.run("cell", "print('seen')\n1 + 1", PATIENT)
        assert ran.ok
        assert [output["output_type"] for output in ran.outputs] == ["stream", "execute_result"]

    def test_an_endless_cell_is_stopped_whatever_it_catches(self, session: Session):
        loop = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True:\n"
        loop += "    try:\n        while True: pass\n    except BaseException: pass"
        with pytest.raises(SessionLost, match="too long"):
            session.run("cell", loop, 0.3)

    @pytest.mark.parametrize(
        "end",
        [
            "import os; os._exit(0)",
            "import ctypes; ctypes.string_at(0)",
            "import os; os.closerange(3, 64)",
        ],
    )
    def test_a_session_that_ends_is_lost_and_no_other(self, sandbox: Sandbox, session: Session, end: str):
        with closing(sandbox.session()) as neighbour:
            with pytest.raises(SessionLost):
                session.run("cell", end, PATIENT)
            assert neighbour.run("cell", "1", PATIENT).ok

    @pytest.mark.parametrize(
        "end", ["import sys; sys.exit()", "raise SystemExit(1)", "quit()", "raise KeyboardInterrupt"]
    )
    def test_a_cell_that_only_asks_to_end_ends_alone(self, session: Session, end: str):
        session.run("cell", end, PATIENT)
        assert session.run("cell", "1", PATIENT).ok

    @settings(max_examples=15, deadline=None)
    @given(noise=st.binary(min_size=1, max_size=64))
    def test_bytes_written_to_the_channel_harm_only_their_session(self, sandbox: Sandbox, noise: bytes):
        write = f"import os\nfor fd in range(3, 64):\n    try: os.write(fd, {noise!r})\n    except OSError: pass"
        with closing(sandbox.session()) as neighbour, closing(sandbox.session()) as session:
            with suppress(SessionLost):
                session.run("cell", write, 0.5)
                session.fetch("x", 0.5)
            assert neighbour.run("cell", "1", PATIENT).ok

    def test_answers_written_ahead_of_time_are_no_more_than_answers(self, session: Session):
        ahead = framed(("value", "forged", []))
        cell = f"import os\nfor fd in range(3, 64):\n    try: os.write(fd, {framed(('ran', True, [])) + ahead!r})\n"
        cell += "    except OSError: pass\ndef f(): return 'own'"
        assert session.run("cell", cell, PATIENT).ok
        assert session.call("f", (), {}, PATIENT) == Returned("forged")

    def test_exceptions_come_with_their_place(self, session: Session):
        session.run("own", "import numpy as np\n\ndef f(x):\n    return np.zeros(2).reshape(x)", PATIENT)
        answer = session.call("f", (3,), {}, PATIENT)
        assert isinstance(answer, Raised)
        assert (answer.name, answer.cell, answer.line) == ("ValueError", "own", 4)

    @pytest.mark.parametrize(
        "body",
        [
            "class E(Exception):\n    def __str__(self): return 'x' * 10**8\nraise E",
            "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E",
            "class E(Exception):\n    def __str__(self): raise self\nraise E",
            "raise BaseExceptionGroup('g', [KeyboardInterrupt()])",
            "raise SystemExit",
        ],
    )
    def test_no_exception_is_too_odd_to_be_told(self, session: Session, body: str):
        session.run("own", "def f():\n" + "\n".join(f"    {line}" for line in body.splitlines()), PATIENT)
        answer = session.call("f", (), {}, PATIENT)
        assert isinstance(answer, Raised)
        assert len(answer.text) <= 4000

    def test_an_exception_whose_text_never_comes_runs_into_the_limit(self, session: Session):
        session.run(
            "own", "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef f(): raise E", PATIENT
        )
        with pytest.raises(SessionLost, match="too long"):
            session.call("f", (), {}, 0.3)

    def test_what_cannot_be_sent_is_said_to_be_so(self, session: Session):
        session.run("own", "import numpy as np\ndef f(): return np.zeros(10**6)\ndef g(): return object()", PATIENT)
        assert isinstance(session.call("f", (), {}, PATIENT), Unsendable)
        answer = session.call("g", (), {}, PATIENT)
        assert isinstance(answer, Returned)
        assert isinstance(answer.value, Opaque)

    def test_a_broadcast_result_is_not_written_out(self, session: Session):
        session.run("own", "import numpy as np\ndef f(): return np.broadcast_to(1.0, (10**6, 10**6))", PATIENT)
        assert isinstance(session.call("f", (), {}, PATIENT), Unsendable)

    def test_missing_names_are_missing(self, session: Session):
        assert isinstance(session.fetch("nothing", PATIENT), Missing)
        assert isinstance(session.call("nothing", (), {}, PATIENT), Missing)

    def test_changes_travel_both_ways(self, session: Session):
        session.run("own", "def f(x):\n    x[0] = 7\n    return x.strides, x.flags.writeable", PATIENT)
        given = np.arange(6)[::-2]
        assert session.call("f", (given,), {}, PATIENT) == Returned(((-16,), True))
        assert given.tolist() == [7, 3, 1]

    def test_a_flood_of_output_is_cut(self, session: Session):
        ran = session.run("cell", "for i in range(10**5): print('x' * 100)", PATIENT)
        (out, cut) = ran.outputs
        assert len(out["text"]) <= LIMITS.output
        assert "left out" in cut["text"]

    @pytest.mark.parametrize("show", ["display({}, raw=True)", "print(1); import sys; print(2, file=sys.stderr)"])
    def test_a_flood_of_tiny_outputs_is_cut(self, session: Session, show: str):
        ran = session.run("cell", f"for i in range(20_000): {show}", PATIENT)
        assert ran.ok
        assert 0 < len(ran.outputs) < 2000

    def test_a_huge_picture_is_left_out(self, session: Session):
        ran = session.run("cell", "display({'image/png': b'x' * 10**6}, raw=True)\nprint('after')", PATIENT)
        assert [output["output_type"] for output in ran.outputs] == ["stream", "stream"]

    def test_the_request_is_read_back_as_it_was_sent(self, session: Session):
        session.run("own", "def f(*a, **k): return a, k", PATIENT)
        sent = (1, [2.5, None], {"a": (True,)}), {"k": b"x"}
        assert session.call("f", *sent, PATIENT) == Returned(sent)
        assert decode(encode(sent, limit=1000)) == sent
