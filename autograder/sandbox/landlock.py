"""Isolation without root, namespaces or a system package: Landlock and seccomp, through the library sandlock."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from .interior import SYSTEM, Interior
from .limits import Limits

NOT_INSTALLED = "sandlock is not installed (Linux: pip install sandlock==0.9.0)"
NOT_LINUX = "sandlock needs Linux"

SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/dev/urandom", "/dev/random", "/dev/zero")


def readable(interior: Interior) -> list[str]:
    """All that may be read where the file system is the machine's own."""
    system = (place for place in (*map(str, SYSTEM), *SYSTEM_FILES) if Path(place).exists())
    return [*system, *map(str, interior.places())]


class Sandlock:
    """Landlock and seccomp around the zygote; a session confines itself once more after its fork."""

    name = "sandlock"
    confinement = "landlock"
    gives_up = (
        "compared to bubblewrap: no network, files or processes of others can be reached either, but student code "
        "can ask whether a path exists, how large its file is and when it was last read (by which accomplices could "
        "tell each other what a hidden test gave them), sees the machine's process ids and name, has no "
        "/tmp or /dev/shm (only a folder of its own, whose size is watched from outside), and shares the user of "
        "the grader"
    )
    moves = False

    def available(self) -> str:
        if sys.platform != "linux":
            return NOT_LINUX
        return "" if importlib.util.find_spec("sandlock") else NOT_INSTALLED

    def command(
        self, inner: Sequence[str], interior: Interior, environment: dict[str, str], limits: Limits, folder: str
    ) -> list[str]:
        policy = {
            "fs_readable": readable(interior),
            "fs_writable": [folder, "/dev/null"],
            "no_coredump": True,  # nor may a session read the memory of the zygote
            "clean_env": True,
            "env": environment,
            "cwd": folder,
        }
        request = json.dumps({"policy": policy, "command": list(inner)})
        return [sys.executable, "-P", str(Path(__file__).with_name("launch.py")), request]
