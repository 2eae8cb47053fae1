"""The trusted end of the zygote: starts it behind its walls and makes sessions."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from .clear import holds_more, remove
from .clock import Clock
from .errors import SandboxError, SandboxGone
from .headcount import descendants, kill_all, threads_below
from .interior import Interior
from .isolation import Isolation
from .landlock import readable
from .limits import Limits
from .peer import Peer, first_word
from .session import LOST_CROWDED, LOST_FULL, Session

FOLDER_PREFIX = "autograder-"
START_SECONDS = 60
ORDER_SECONDS = 15

WARM_MODULES = ("mha.attention",)
"""What the zygote imports before it forks, so that no session has to."""

SESSIONS_AHEAD = 2
"""Forked while nobody waits: a submission uses one for most of what it needs, another where something is wrong."""

NOT_STARTED = "the sandbox ({isolation}) did not start: {why}"
GONE = "the sandbox ended unexpectedly"
NO_SESSION = "the sandbox could not make a session: {why}"


class Sandbox:
    """A warm zygote behind walls. One worker owns it and uses it for one submission after the other."""

    def __init__(
        self,
        isolation: Isolation,
        limits: Limits,
        packages: Sequence[str] = ("mha",),
        warm: Sequence[str] = WARM_MODULES,
        ahead: int = SESSIONS_AHEAD,
        cpu: int | None = None,
    ) -> None:
        """Nothing starts yet.

        Args:
            isolation: the walls.
            limits: what a session may use.
            packages: what sessions may import besides the installed packages.
            warm: what the zygote imports before it forks.
            ahead: how many sessions are forked ahead.
            cpu: the processor that sessions keep to; any where it is left out.
        """
        self.limits = limits
        self.isolation = isolation
        self._packages = packages
        self._warm = tuple(warm)
        self._ahead = ahead
        self.cpu = cpu
        self._process: subprocess.Popen[bytes] | None = None
        self._zygote: Peer | None = None
        self._control: socket.socket | None = None
        self._stderr: IO[bytes] | None = None
        self._folder = ""
        self._hidden: tuple[tuple[str, str], ...] = ()
        self._orders = 0
        self._warming = False
        self.versions: dict[str, str] = {}
        self.clock = Clock()

    def __enter__(self) -> Sandbox:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the zygote and wait until it is warm.

        Raises:
            SandboxError: with the reason, as far as the isolation tells it.
        """
        self.launch()
        if self._warming:
            self._finish_start()

    def launch(self) -> None:
        """Start the zygote unless it runs, and leave it to warm up; the first order waits for it.

        Raises:
            SandboxError: as `start`.
        """
        if self._control is None:
            with self._told_as_not_started():
                self._launch()

    def launch_beside(self, other: Sandbox) -> None:
        """Have the zygote forked off another sandbox's, behind the same walls, where these allow it; else launch it.

        It costs a hundredth of a start. What ends the other's walls ends this zygote, too: it is then started anew.

        Raises:
            SandboxError: it does not start.
            SandboxGone: the other one is not there any more.
        """
        if not self.isolation.moves:  # sessions would share a folder, and its limits
            self.launch()
            return
        if self._control is not None:
            return
        _, channels = other._order("twin", cpu=self.cpu)
        if len(channels) != 1:
            raise SandboxError(NOT_STARTED.format(isolation=self.isolation.name, why=GONE))
        self._hidden = other._hidden
        self._control = socket.socket(fileno=channels[0])
        self._warming = True

    @property
    def warm(self) -> bool:
        """Whether an order would not have to wait for the zygote."""
        return self._control is not None and (not self._warming or bool(select.select([self._control], [], [], 0)[0]))

    def _finish_start(self) -> None:
        with self._told_as_not_started():
            self._wait_until_warm()

    @contextmanager
    def _told_as_not_started(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.close()
            raise SandboxError(NOT_STARTED.format(isolation=self.isolation.name, why=error)) from error
        except BaseException:  # Ctrl-C too: a zygote that nobody knows of must not live on
            self.close()
            raise

    def _launch(self) -> None:
        isolation = self.isolation
        interior = Interior.of_this_python(self._packages)
        self._hidden = interior.names()
        self._folder = "" if isolation.moves else tempfile.mkdtemp(prefix=f"{FOLDER_PREFIX}{os.getpid()}-")
        place: Callable[[Path], Path] = interior.inside if isolation.moves else Path
        options = {
            "limits": asdict(self.limits),
            "confinement": isolation.confinement,
            "warm": self._warm,
            "ahead": self._ahead,
            "cpu": self.cpu,
            "folder": self._folder,
            "site": [str(place(folder)) for folder in interior.site],
            "packages": {name: str(place(folder)) for name, folder in interior.packages},
            "readable": [] if isolation.moves else readable(interior),  # a session can read what the zygote was told
        }
        boot = place(Path(__file__).resolve().parent) / "inside" / "boot.py"
        python = place(interior.interpreter)
        inner = [str(python), "-S", "-s", "-P", "-W", "ignore", str(boot), json.dumps(options)]
        environment = interior.environment(moved=isolation.moves, home=self._folder or "/tmp")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._control = ours
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the zygote
        with theirs:
            self._process = subprocess.Popen(
                isolation.command(inner, interior, environment, self.limits, self._folder),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
            )
        self._warming = True

    def _wait_until_warm(self) -> None:
        assert self._control is not None
        self._warming = False
        self._control.settimeout(START_SECONDS)
        try:
            self._zygote, data = first_word(self._control)
            self.versions = json.loads(data or b"{}")
        except OSError:
            self.versions = {}
        if not self.versions.pop("ready", False):
            raise SandboxError(NOT_STARTED.format(isolation=self.isolation.name, why=self._why()))

    def session(self) -> Session:
        """Fork a session.

        Raises:
            SandboxError: no session came about.
            SandboxGone: the zygote is not there any more.
        """
        reply, channels = self._order("start")
        if "pid" not in reply or len(channels) != 1:
            raise SandboxError(NO_SESSION.format(why=reply.get("failed", "it gave no reason")))
        pid = reply["pid"]

        def end(lost: bool) -> None:
            self._order("end", pid=pid, wait=lost, settle=lost)

        return Session(socket.socket(fileno=channels[0]), self.limits, end, self._watch, self._hidden, self.clock)

    def _watch(self) -> str:
        """Look at what the kernel does not limit: a reason to stop the session, or an empty string."""
        limits = self.limits
        if self._zygote is not None and threads_below(self._zygote.pid) > limits.threads:
            return LOST_CROWDED
        if self._folder and holds_more(Path(self._folder), limits.tmp, limits.inodes):
            return LOST_FULL
        return ""

    def ready(self, *, settle: bool = False) -> None:
        """End what sessions are left, and start the zygote anew where it is gone; ``settle`` waits for the kernel too.

        Raises:
            SandboxError: it does not start.
        """
        try:
            self._order("end", settle=settle)
        except SandboxGone:
            self.close()
            self.start()

    def close(self) -> None:
        """Kill the zygote and everything behind its walls."""
        self._warming = False
        if self._control is not None:
            self._control.close()
            self._control = None
        self._kill()
        if self._stderr is not None:
            self._stderr.close()
            self._stderr = None
        if self._folder:
            remove(Path(self._folder))
            self._folder = ""

    def _order(
        self, do: str, *, wait: bool = True, settle: bool = False, **details: int | None
    ) -> tuple[dict[str, Any], list[int]]:
        """Give the zygote an order and take its answer, with the descriptors that came with it.

        Orders are carried out one after the other, so that one which nobody waits for is done before the next. Its
        answer, like that to a fork which was killed meanwhile, is passed over.
        """
        if self._control is None:
            raise SandboxGone(GONE)
        if self._warming:
            self._finish_start()
        self._orders += 1
        order = {"do": do, "order": f"{os.getpid()}.{self._orders}", "settle": settle, **details}
        try:
            self._control.settimeout(ORDER_SECONDS)
            self._control.send(json.dumps(order).encode())
            while wait:
                data, channels, _, _ = socket.recv_fds(self._control, 4096, 1)
                reply = json.loads(data or b"null")
                if reply is None:
                    raise SandboxGone(GONE)
                if reply["order"] == order["order"]:
                    return dict(reply), channels
                for channel in channels:
                    os.close(channel)
        except (TimeoutError, OSError):
            raise SandboxGone(GONE) from None
        return {}, []

    def _kill(self) -> None:
        """Not the zygote alone: where no namespace holds them together, its sessions would live on."""
        below = [] if self._zygote is None else descendants(self._zygote.pid)
        if self._process is not None:
            below += descendants(self._process.pid)
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._zygote is not None:
            self._zygote.kill()
            self._zygote.bury()
            self._zygote = None
        kill_all(below)

    def _why(self) -> str:
        self._kill()
        if self._stderr is None:
            return GONE
        self._stderr.seek(0)
        lines = self._stderr.read(20_000).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"
