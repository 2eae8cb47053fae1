"""A session's own loop: take a request from the channel, do it, answer.

From the first cell on this process belongs to the student. Whatever it answers is judged outside.
"""

from __future__ import annotations

import os
import random
import socket
import sys
from collections.abc import Iterator
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np

from ..limits import Limits
from ..wire import LENGTH, WireError, arrays_in, decode, encode, span
from .shell import Keeper, Shell, keeping, safe_text

CHUNK = 2**16
ROOM = 2**25
"""Bytes that a cell must leave free: with less, receiving the next one could fail, and it would get the blame."""


def serve(channel: socket.socket, shell: Shell, keeper: Keeper, limits: Limits) -> None:
    """Answer requests until the channel ends.

    Requests and answers are tuples; see ``Session`` outside for their meaning.
    """
    random.seed(0)
    np.random.seed(0)
    session = Answerer(shell, keeper, limits)
    for request in _requests(channel):
        channel.sendall(session.answer(decode(request, layouts=True)))


def _requests(channel: socket.socket) -> Iterator[bytearray]:
    """Every message that comes, without the length before it, until the channel ends.

    One at a time: but where the student's code has answered by itself, the next may come before its turn.
    """
    come = bytearray()
    while True:
        end = LENGTH.size + (LENGTH.unpack_from(come)[0] if len(come) >= LENGTH.size else 0)
        if LENGTH.size < end <= len(come):
            yield come[LENGTH.size : end]
            del come[:end]
            continue
        part = channel.recv(CHUNK)
        if not part:
            return
        come += part


class Answerer:
    """Does what the trusted side's ``Session`` asks for."""

    def __init__(self, shell: Shell, keeper: Keeper, limits: Limits) -> None:
        self.shell, self.keeper, self.limits = shell, keeper, limits
        self.actions = {
            "file": self.file,
            "run": self.run,
            "define": self.define,
            "fetch": self.fetch,
            "call": self.call,
        }

    def answer(self, request: tuple[Any, ...]) -> bytes:
        """What goes back through the wall."""
        action, *arguments = request
        try:
            return encode(self.actions[action](*arguments), limit=self.limits.reply, framed=True)
        except WireError as error:
            return encode(("unsendable", str(error)), limit=self.limits.reply, framed=True)

    def file(self, name: str, content: bytes) -> tuple[Any, ...]:
        """Write a file of the student's own to the working folder, which comes last on the module path."""
        here = Path.cwd()
        try:
            target = here / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except OSError:
            return ("unwritten",)
        if str(here) not in sys.path:
            sys.path.append(str(here))
        return ("done",)

    def run(self, key: str, source: str) -> tuple[Any, ...]:
        self.shell.compile.cell = key
        with keeping(self.keeper, self.limits.output) as outputs:
            try:
                result = self.shell.run_cell(source, store_history=False)
                ok = result.success
            except BaseException as error:  # noqa: BLE001 - SystemExit and the like end a cell, not the session
                outputs.fail(type(error).__name__, safe_text(error), [])
                ok = False
        _need_room()
        return ("ran", ok, outputs.finished())

    def define(self, source: str) -> tuple[Any, ...]:
        exec(compile(source, "<given>", "exec"), self.shell.user_ns)
        return ("done",)

    def fetch(self, name: str) -> tuple[Any, ...]:
        if name not in self.shell.user_ns:
            return ("missing",)
        return ("value", self.shell.user_ns[name], [])

    def call(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
        if name not in self.shell.user_ns:
            return ("missing",)
        arrays = arrays_in((arguments, options))
        before = [_state(array) for array in arrays]
        with keeping(self.keeper, self.limits.output):
            try:
                value = self.shell.user_ns[name](*arguments, **options)
            except BaseException as error:  # noqa: BLE001 - whatever a student's function raises is its answer
                key, line = _place(error)
                return ("raised", type(error).__name__, safe_text(error), key, line, _changes(arrays, before))
            return ("value", value, _changes(arrays, before))


def _need_room() -> None:
    """End the session where a cell has left no memory for what comes after it: then it is that cell that is lost."""
    try:
        mmap(-1, ROOM).close()  # unlike a bytearray it is never filled
    except (OSError, MemoryError):
        os._exit(1)


def _state(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    """All of an array that a call may change in place."""
    return array.shape, array.strides, array.dtype, span(array)[0]


def _changes(arrays: list[np.ndarray[Any, Any]], before: list[tuple[Any, ...]]) -> list[Any]:
    """For each array its new contents, in its new shape, or None where the call left it alone."""
    return [np.array(array) if _state(array) != state else None for array, state in zip(arrays, before, strict=True)]


def _place(error: BaseException) -> tuple[str, int]:
    """The cell and line of the student's own code where an exception came from."""
    key, line = "", 0
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("<cell ") and name.endswith(">"):
            key, line = name[6:-1], trace.tb_lineno
        trace = trace.tb_next
    return key, line
