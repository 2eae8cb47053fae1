"""The walls around the zygote. One small interface; bubblewrap is behind it."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .limits import Limits

GRADER = Path("/grader")
"""Where the sandbox sees this package and ``mha``; nothing else of the course is there."""


@dataclass(frozen=True, slots=True)
class Mounts:
    """What the sandbox may read: pairs of (path outside, path inside)."""

    pairs: tuple[tuple[Path, Path], ...]

    @classmethod
    def of_this_python(cls, packages: Sequence[str]) -> Mounts:
        """The interpreter with its installed packages, this package, and ``packages`` from wherever they lie."""
        prefixes = {Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve(), Path(sys.executable).resolve().parent}
        inner = {place for place in prefixes if any(place != p and place.is_relative_to(p) for p in prefixes)}
        pairs = [(place, place) for place in sorted(prefixes - inner) if not place.is_relative_to("/usr")]
        pairs.append((Path(__file__).parent, GRADER / "sandbox"))
        for package in packages:
            spec = importlib.util.find_spec(package)
            if spec is not None and spec.submodule_search_locations:
                pairs.append((Path(next(iter(spec.submodule_search_locations))).resolve(), GRADER / package))
        return cls(tuple(pairs))


class Isolation(Protocol):
    """A way to start the zygote where it can do no harm."""

    name: str
    confinement: str
    """How a session shuts itself in after its fork: ``namespaces`` or ``none``."""
    gives_up: str
    """What this isolation does not give, in words for the run's header; empty where it gives everything."""

    def available(self) -> str:
        """An empty string, or one sentence on why this isolation cannot work here."""

    def command(self, inner: Sequence[str], mounts: Mounts, environment: dict[str, str], limits: Limits) -> list[str]:
        """The command line that runs ``inner`` isolated. Open file descriptors reach it."""


class Bubblewrap:
    """Linux namespaces, set up by ``bwrap``; needs no root where user namespaces are allowed."""

    name = "bubblewrap"
    confinement = "namespaces"
    gives_up = ""

    _SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")

    def available(self) -> str:
        return "" if shutil.which("bwrap") else "bwrap is not installed (Debian, Ubuntu: apt-get install bubblewrap)"

    def command(self, inner: Sequence[str], mounts: Mounts, environment: dict[str, str], limits: Limits) -> list[str]:
        line = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--die-with-parent"]
        line += ["--new-session", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--cap-drop", "ALL"]
        line += ["--clearenv"]
        for name, value in environment.items():
            line += ["--setenv", name, value]
        for path in self._SYSTEM:
            line += ["--ro-bind-try", path, path]
        line += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.tmp), "--tmpfs", "/tmp"]
        for outside, inside in mounts.pairs:
            line += ["--ro-bind", str(outside), str(inside)]
        return [*line, "--remount-ro", "/dev", "--chdir", "/tmp", "--remount-ro", "/", "--", *inner]


class Unconfined:
    """No walls at all: for trying things out on one's own code, never for strangers'."""

    name = "none"
    confinement = "none"
    gives_up = "no isolation: a submission can read, change and send whatever you can"

    def available(self) -> str:
        return ""

    def command(self, inner: Sequence[str], mounts: Mounts, environment: dict[str, str], limits: Limits) -> list[str]:
        return ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in environment.items()), *inner]


ISOLATIONS: dict[str, Isolation] = {kind.name: kind for kind in (Bubblewrap(), Unconfined())}
