"""The walls around the zygote: one small interface, and what is behind it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from .interior import GRADER, SYSTEM, Interior
from .landlock import Sandlock
from .limits import Limits

__all__ = ["GRADER", "ISOLATIONS", "Bubblewrap", "Isolation", "Unconfined"]


class Isolation(Protocol):
    """A way to start the zygote where it can do no harm."""

    name: str
    confinement: str
    """How a session shuts itself in after its fork: ``namespaces``, ``landlock`` or ``none``."""
    gives_up: str
    """What this isolation does not give, in words for the run's header; empty where it gives everything."""
    moves: bool
    """Whether the sandbox has a file system of its own, in which places have the names of `Interior.inside`."""

    def available(self) -> str:
        """An empty string, or one sentence on why this isolation cannot work here."""

    def command(
        self, inner: Sequence[str], interior: Interior, environment: dict[str, str], limits: Limits, folder: str
    ) -> list[str]:
        """The command line that runs ``inner`` isolated. Descriptor 0 reaches it.

        ``folder`` may be written to where the sandbox has no file system of its own, and is "" where it has.
        """


class Bubblewrap:
    """Linux namespaces, set up by ``bwrap``; needs no root where user namespaces are allowed."""

    name = "bubblewrap"
    confinement = "namespaces"
    gives_up = ""
    moves = True

    _SYSTEM = (*SYSTEM, Path("/etc/ld.so.cache"), Path("/etc/alternatives"))

    def available(self) -> str:
        return "" if shutil.which("bwrap") else "bwrap is not installed (Debian, Ubuntu: apt-get install bubblewrap)"

    def command(
        self, inner: Sequence[str], interior: Interior, environment: dict[str, str], limits: Limits, folder: str
    ) -> list[str]:
        line = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--die-with-parent"]
        line += ["--new-session", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--cap-drop", "ALL"]
        line += ["--clearenv"]
        for name, value in environment.items():
            line += ["--setenv", name, value]
        for path in self._SYSTEM:
            line += ["--ro-bind-try", str(path), str(path)]
        line += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.tmp), "--tmpfs", "/tmp"]
        for place in interior.places():
            line += ["--ro-bind", str(place), str(interior.inside(place))]
        return [*line, "--remount-ro", "/dev", "--chdir", "/tmp", "--remount-ro", "/", "--", *inner]


class Unconfined:
    """No walls at all: for trying things out on one's own code, never for strangers'."""

    name = "none"
    confinement = "none"
    gives_up = "no isolation: a submission can read, change and send whatever you can"
    moves = False

    def available(self) -> str:
        return ""

    def command(
        self, inner: Sequence[str], interior: Interior, environment: dict[str, str], limits: Limits, folder: str
    ) -> list[str]:
        return ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in environment.items()), *inner]


ISOLATIONS: dict[str, Isolation] = {kind.name: kind for kind in (Bubblewrap(), Sandlock(), Unconfined())}
