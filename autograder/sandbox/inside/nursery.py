"""Forks the sessions, a few of them ahead of the orders, and ends them."""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import signal
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..clear import remove
from ..limits import Limits
from ..wire import decode, encode
from . import confine
from .namespaces import fork_into_namespaces
from .serve import serve
from .shell import Keeper, Shell, keeping

QUIET_SECONDS = 0.012
"""So long without an order, and the grader is busy with the calls of the tests: a good time to fork."""

SHUT_IN = b"\0"
ENDED_EARLY = "the session ended while it was shut in"

TOUCHING = "print(end='')\n(lambda number: number + 1)(1)"
"""A cell that leaves nothing behind."""


@dataclass(slots=True)
class _Forked:
    """A session that was forked and is shut in."""

    pid: int
    """Its process, as the zygote sees it."""
    channel: socket.socket
    """The end of its channel that is not its own."""
    folder: str


class Nursery:
    """Forks sessions, a few of them ahead, and ends them."""

    def __init__(
        self, control: socket.socket, walls: confine.Walls, place: str, most: int, shell: Shell, keeper: Keeper
    ) -> None:
        """Take over.

        Args:
            control: where orders come from; while none does there is time to fork ahead.
            walls: what each session shuts itself in with.
            place: the folder in which each session gets one of its own; empty where it has a /tmp of its own.
            most: how many sessions to fork ahead.
            shell: the warm shell that sessions inherit.
            keeper: where that shell keeps what cells show.
        """
        self._control, self._walls, self._place, self._most = control, walls, place, most
        self._shell, self._keeper = shell, keeper
        self._ahead: list[_Forked] = []
        self._alive: dict[int, str] = {}
        self._dying: list[tuple[int, str]] = []
        self._numbers = itertools.count(1)

    def fill(self) -> None:
        """Clear up and fork ahead while no order comes.

        A fork that fails here fails again, and is told, when it is ordered.
        """
        patience = QUIET_SECONDS
        while self._dying or len(self._ahead) < self._most:
            if select.select([self._control], [], [], patience)[0]:
                return
            patience = 0
            if self._dying:
                self._bury(self._dying.pop())
                continue
            forked = self._fork()
            if isinstance(forked, str):
                return
            self._ahead.append(forked)

    def take(self) -> _Forked | str:
        """A session that nobody has used yet, or a sentence on why there is none.

        Where sessions share a file system, it comes when the folders of those before it are gone: whether a file is
        there, and how large it is, anybody can see who knows its name.
        """
        while self._place and self._dying:
            self._bury(self._dying.pop())
        while self._ahead:
            forked = self._ahead.pop(0)
            if os.waitpid(forked.pid, os.WNOHANG)[0] == 0:
                break
            forked.channel.close()
        else:
            found = self._fork()
            if isinstance(found, str):
                return found
            forked = found
        self._alive[forked.pid] = forked.folder
        return forked

    def end(self, pid: int | None, *, settle: bool) -> None:
        """Kill one session in use, or all of them; those ahead have done nothing and stay.

        A killed process does nothing any more. Only ``settle`` waits until the kernel has cleared it away, too.
        """
        for one in sorted(self._alive) if pid is None else [pid]:
            if one in self._alive:
                os.kill(one, signal.SIGKILL)
                self._dying.append((one, self._alive.pop(one)))
        while settle and self._dying:
            self._bury(self._dying.pop())

    def end_all(self) -> None:
        """End those ahead too."""
        self._alive |= {forked.pid: forked.folder for forked in self._ahead}
        self.end(None, settle=True)

    @staticmethod
    def _bury(dead: tuple[int, str]) -> None:
        pid, folder = dead
        os.waitpid(pid, 0)
        if folder:
            remove(Path(folder))

    def _fork(self) -> _Forked | str:
        ours, theirs = socket.socketpair()
        folder = f"{self._place}/{next(self._numbers)}" if self._place else ""
        with theirs:
            try:
                pid = _start(theirs.fileno(), self._walls, folder, self._shell, self._keeper)
            except _NotStarted as error:
                ours.close()
                return str(error)
        return _Forked(pid, ours, folder)


class _NotStarted(Exception):
    """A session could not be shut in."""


def _start(channel: int, walls: confine.Walls, folder: str, shell: Shell, keeper: Keeper) -> int:
    """Fork a session; gives its process id, as the zygote sees it.

    Raises:
        _NotStarted: with a sentence on what failed.
    """
    if folder:
        Path(folder).mkdir(0o700)
    user, group = os.getuid(), os.getgid()
    told, tells = os.pipe()
    try:
        pid = fork_into_namespaces() if walls.kind == "namespaces" else os.fork()
    except OSError as error:
        os.close(told)
        os.close(tells)
        if folder:
            remove(Path(folder))
        raise _NotStarted(str(error)) from error
    if pid == 0:
        _become_session(channel, tells, walls, folder, shell, keeper, user, group)
    os.close(tells)
    with os.fdopen(told, "rb") as pipe:
        words = pipe.read()
    if words != SHUT_IN:
        _end(pid, folder)
        raise _NotStarted(words.decode("utf-8", "replace") or ENDED_EARLY)
    return pid


def _become_session(
    channel: int, tells: int, walls: confine.Walls, folder: str, shell: Shell, keeper: Keeper, user: int, group: int
) -> NoReturn:
    """In the fork: shut in, tell the zygote so, or what failed, and serve."""
    try:
        confine.close_all_but(channel, tells)
        os.setsid()  # else a signal to its own process group would reach the zygote
        if walls.kind == "namespaces":
            confine.map_user(user, group)
        confine.quiet_standard_streams()
        confine.shut_in(walls, folder)
        _touch(shell, keeper, walls.limits)
        os.write(tells, SHUT_IN)
        os.close(tells)
    except BaseException as error:  # noqa: BLE001 - told to the zygote, which tells the grader
        os.write(tells, f"{type(error).__name__}: {error}".encode())
        os._exit(1)
    try:
        serve(socket.socket(fileno=channel), shell, keeper, walls.limits)
    finally:
        os._exit(0)


def _touch(shell: Shell, keeper: Keeper, limits: Limits) -> None:
    """Run a cell that does nothing: the pages that every cell writes to are then this process's own already."""
    with keeping(keeper, limits.output):
        shell.run_cell(TOUCHING, store_history=False)
    decode(encode((np.ones(3), "touch"), limit=1024))


def _end(pid: int, folder: str) -> None:
    """Kill a session and all that it started, wait until they are gone, and clear what they wrote."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    if folder:
        remove(Path(folder))
