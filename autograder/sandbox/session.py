"""The trusted end of a session: sends requests through the wall and judges what comes back."""

from __future__ import annotations

import math
import select
import socket
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .clock import Clock
from .limits import Limits
from .wire import LENGTH, WireError, arrays_in, decode, encode

WATCH_SECONDS = 0.05
SMALL_CHUNK, LARGE_CHUNK = 2**16, 2**20
"""Bytes received at once: nearly every answer is shorter than the one, and none can make the grader hold the other."""
OUTPUT_OVERHEAD = 64
"""Characters that an output takes beside its texts."""
OUTPUT_SLACK = 64 * 1024
TRACEBACK_LINES = 60

LOST_TIMEOUT = "it took too long"
LOST_DIED = "its process ended"
LOST_GARBLED = "what it sent back cannot be read"
LOST_CROWDED = "it started too many threads"
LOST_FULL = "it wrote too many or too large files"
LOST_TOO_LARGE = "it sent back more than {limit} MiB"


class SessionLost(BaseException):
    """The session is of no use any more. A BaseException, so that no test can mistake it for an ordinary error.

    ``reason`` completes the sentence "It was stopped because …". It is one of a few fixed sentences: a session that
    could choose its words, or a number in them, would tell the student what a hidden test gave it. The words with
    all details are the exception's own text, for the instructor.
    """

    def __init__(self, reason: str, *, detail: str = "", timed_out: bool = False) -> None:
        super().__init__(f"{reason} ({detail})" if detail else reason)
        self.reason = reason
        self.timed_out = timed_out

    @classmethod
    def timeout(cls, seconds: float) -> SessionLost:
        return cls(LOST_TIMEOUT, detail=f"{seconds:.1f} s", timed_out=True)

    @classmethod
    def died(cls) -> SessionLost:
        return cls(LOST_DIED)

    @classmethod
    def garbled(cls, why: object) -> SessionLost:
        return cls(LOST_GARBLED, detail=str(why))

    @classmethod
    def flooded(cls, limit: int) -> SessionLost:
        return cls(LOST_TOO_LARGE.format(limit=limit // 2**20))


@dataclass(slots=True)
class Ran:
    """What running a cell gave."""

    ok: bool
    outputs: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Returned:
    """A function's value, rebuilt as plain objects."""

    value: Any


@dataclass(slots=True)
class Raised:
    """A function's exception. All of it is the student's word: nothing here is evidence of anything."""

    name: str
    text: str
    cell: str
    line: int


class Missing:
    """The student's code did not bind this name."""


class Unsendable:
    """There is a value, but none that goes through the wall."""

    def __init__(self, why: str) -> None:
        self.why = why


Answer = Returned | Raised | Missing | Unsendable


class Session:
    """One process in the sandbox, which runs cells and takes calls."""

    def __init__(
        self,
        channel: socket.socket,
        limits: Limits,
        end: Callable[[bool], object],
        watch: Callable[[], str] = str,
        hidden: Sequence[tuple[str, str]] = (),
        clock: Clock | None = None,
    ) -> None:
        """Take over a channel.

        Args:
            channel: the trusted end.
            limits: what one message may be.
            end: kills the session; told whether it was lost, and then waits until nothing of it is left.
            watch: asked now and then while an answer is waited for: a reason to stop the session, or "".
            hidden: pairs of a path that nobody is shown, and what to show instead.
            clock: what time limits are counted in; one of its own where it is left out.
        """
        self._channel = channel
        channel.setblocking(False)
        self._come = bytearray()
        self._poll = select.poll()
        self._poll.register(channel)
        self._limits = limits
        self._end = end
        self._watch = watch
        self._hidden = hidden
        self._watched = time.monotonic()
        self._clock = clock or Clock()
        self.lost: SessionLost | None = None

    def close(self) -> None:
        """Kill the session and whatever it started. Raises SandboxGone where the sandbox itself is not there."""
        self._channel.close()
        self._end(self.lost is not None)

    def put_files(self, files: dict[str, bytes], seconds: float) -> set[str]:
        """Give the session the student's own files, by their paths below the working folder.

        Returns:
            The names of those for which there was no room.
        """
        unwritten = set()
        for name, content in files.items():
            if self._ask(("file", name, content), seconds, limit=self._limits.reply + len(content)) != ("done",):
                unwritten.add(name)
        return unwritten

    def run(self, key: str, source: str, seconds: float) -> Ran:
        """Run one cell. Raises SessionLost."""
        kind, *rest = self._ask(("run", key, source), seconds)
        if kind == "unsendable":
            return Ran(True)
        if kind != "ran" or len(rest) != 2:
            raise self._lose(SessionLost.garbled("a cell's answer of unknown form"))
        return Ran(rest[0] is True, _outputs(rest[1], self._limits.output, self._hidden))

    def define(self, source: str, seconds: float) -> None:
        """Define a function of the grader's own beside the student's. Raises SessionLost."""
        self._ask(("define", source), seconds)

    def fetch(self, name: str, seconds: float) -> Answer:
        """Read a student's variable by value. Raises SessionLost."""
        return self._answer(self._ask(("fetch", name), seconds), [])

    def call(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any], seconds: float) -> Answer:
        """Call a student's function. What it changes in the arrays it is given, changes in them here too.

        Raises:
            SessionLost: it took too long, died, or sent what is no answer.
        """
        arrays = arrays_in((arguments, options))
        return self._answer(self._ask(("call", name, arguments, options), seconds), arrays)

    def _answer(self, reply: tuple[Any, ...], arrays: list[np.ndarray[Any, Any]]) -> Answer:
        match reply:
            case ("value", value, list(changes)):
                self._apply(changes, arrays)
                return Returned(value)
            case ("raised", str(name), str(text), str(cell), int(line), list(changes)):
                self._apply(changes, arrays)
                return Raised(name, text, cell, line)
            case ("missing",):
                return Missing()
            case ("unsendable", str(why)):
                return Unsendable(why)
        raise self._lose(SessionLost.garbled("an answer of unknown form"))

    def _apply(self, changes: list[Any], arrays: list[np.ndarray[Any, Any]]) -> None:
        if not changes and not arrays:
            return
        if len(changes) != len(arrays):
            raise self._lose(SessionLost.garbled("changes that do not fit the arguments"))
        for array, new in zip(arrays, changes, strict=True):
            if new is None:
                continue
            if type(new) is not np.ndarray or new.dtype != array.dtype or new.size != array.size:
                raise self._lose(SessionLost.garbled("changes that do not fit the arguments"))
            if new.shape != array.shape:
                _reshape_in_place(array, new.shape)
                new = new.reshape(array.shape)
            if array.flags.writeable:
                array[...] = new
            elif _lift_protection(array):  # the function did so too
                array[...] = new
                array.flags.writeable = False

    def _ask(self, request: tuple[Any, ...], seconds: float, limit: int = 0) -> tuple[Any, ...]:
        if self.lost is not None:
            raise self.lost
        limit = limit or self._limits.reply
        message = encode(request, limit=limit, layouts=True, framed=True)  # a WireError is the asker's fault
        deadline = self._clock.now() + seconds
        try:
            self._send(message, deadline)
            reply = decode(self._receive(deadline))
        except TimeoutError:
            raise self._lose(SessionLost.timeout(seconds)) from None
        except (ConnectionError, BrokenPipeError):
            raise self._lose(SessionLost.died()) from None
        except WireError as error:
            raise self._lose(SessionLost.garbled(error)) from None
        except SessionLost as lost:
            raise self._lose(lost) from None
        except BaseException:  # an alarm in the middle of a message leaves the channel out of step
            self._lose(SessionLost.died())
            raise
        if type(reply) is not tuple or not reply or type(reply[0]) is not str:  # an array equals nothing and everything
            raise self._lose(SessionLost.garbled("an answer of unknown form"))
        return reply

    def _lose(self, lost: SessionLost) -> SessionLost:
        self.lost = lost
        return lost

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[self._channel.send(view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, self._left(deadline))

    def _receive(self, deadline: float) -> bytearray:
        """The next message without the length before it."""
        self._gather(LENGTH.size, deadline)
        (size,) = LENGTH.unpack_from(self._come)
        if size > self._limits.reply:
            raise SessionLost.flooded(self._limits.reply)
        end = LENGTH.size + size
        self._gather(end, deadline)
        message = self._come[LENGTH.size : end]
        del self._come[:end]
        return message

    def _gather(self, size: int, deadline: float) -> None:
        """Receive until ``size`` bytes have come. Makes room as they arrive: a length is only a claim."""
        while len(self._come) < size:
            self._look()
            patience = min(self._left(deadline), WATCH_SECONDS)
            started = time.monotonic()
            if not self._wait(select.POLLIN, patience):
                self._clock.waited(time.monotonic() - started, patience)
                continue
            part = self._channel.recv(min(max(size - len(self._come), SMALL_CHUNK), LARGE_CHUNK))
            if not part:
                raise ConnectionError
            self._come += part

    def _wait(self, event: int, seconds: float) -> bool:
        """Wait until something can be sent or has come (also the end); False where the time is over."""
        self._poll.modify(self._channel, event)
        return bool(self._poll.poll(math.ceil(1000 * seconds)))

    def _look(self) -> None:
        """Ask the watch when its time has come: by the clock, since a session may keep answering while it floods."""
        now = time.monotonic()
        if now - self._watched < WATCH_SECONDS:
            return
        self._watched = now
        if reason := self._watch():
            raise SessionLost(reason)

    def _left(self, deadline: float) -> float:
        left = deadline - self._clock.now()
        if left <= 0:
            raise TimeoutError
        return left


def _reshape_in_place(array: np.ndarray[Any, Any], shape: tuple[int, ...]) -> None:
    """Do to the test's array what the call did to its copy of it; one that cannot be so reshaped stays as it is."""
    with warnings.catch_warnings(), suppress(AttributeError, ValueError):
        warnings.simplefilter("ignore", DeprecationWarning)  # NumPy would rather have a new array, but this is the old
        array.shape = shape


def _lift_protection(array: np.ndarray[Any, Any]) -> bool:
    """Make an array writeable where its holder may: NumPy allows it to an owner and to a view of what is writeable."""
    with suppress(ValueError):
        array.flags.writeable = True
    return array.flags.writeable


def _outputs(claimed: Any, room: int, hidden: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Keep of a cell's outputs what has the form of nbformat outputs, without the machine's own paths.

    A session may claim anything. Nor is it trusted to have counted: what goes beyond ``room`` characters is left out
    here once more.
    """
    outputs: list[dict[str, Any]] = []
    for output in filter(None, map(_output, claimed if isinstance(claimed, list) else [])):
        room -= cost_of(output)
        if room < -OUTPUT_SLACK:  # an honest session leaves out the rest by itself, and says so
            break
        outputs.append(_without(output, hidden))
    return outputs


def _without(output: Any, hidden: Sequence[tuple[str, str]]) -> Any:
    """The same with other words for what is hidden."""
    if isinstance(output, dict):
        return {key: _without(value, hidden) for key, value in output.items()}
    if isinstance(output, list):
        return [_without(value, hidden) for value in output]
    if isinstance(output, str):
        for path, name in hidden:
            output = output.replace(path, name)
    return output


def cost_of(output: dict[str, Any]) -> int:
    """The characters that keeping an output takes; the names of its kinds count where they are more than is usual."""
    return max(OUTPUT_OVERHEAD, sum(map(len, output.get("data", ())))) + _size_of(output)


def _size_of(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_size_of, value.values()))
    return sum(map(_size_of, value)) if isinstance(value, list) else len(str(value or ""))


def _output(claimed: Any) -> dict[str, Any] | None:
    if type(claimed) is not dict or any(type(claimed.get(key, "")) is not str for key in ("output_type", "name")):
        return None
    match claimed:
        case {"output_type": "stream", "name": "stdout" | "stderr" as name, "text": str(text)}:
            return {"output_type": "stream", "name": name, "text": text}
        case {"output_type": "display_data" | "execute_result" as kind, "data": dict(data)}:
            output = {"output_type": kind, "metadata": {}}
            output["data"] = {m: c for m, c in data.items() if isinstance(m, str) and isinstance(c, str)}
            return output | ({"execution_count": None} if kind == "execute_result" else {})
        case {"output_type": "error", "ename": str(name), "evalue": str(text), "traceback": list(lines)}:
            lines = [line for line in lines[:TRACEBACK_LINES] if isinstance(line, str)]
            return {"output_type": "error", "ename": name, "evalue": text, "traceback": lines}
    return None
