"""Counts the threads behind the walls, from outside.

No limit of the kernel's counts them where the grader runs as root: ``RLIMIT_NPROC`` does not bind root's own user,
and a seccomp filter cannot count. Ten thousand threads in one session would leave none for its neighbours.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def threads_below(pid: int) -> int:
    """The threads of a process and of all its descendants; those that end meanwhile may be missing."""
    total, waiting = 0, [pid]
    while waiting:
        folder = PROC / str(waiting.pop()) / "task"
        with suppress(OSError, ValueError):  # gone
            total += folder.stat().st_nlink - 2
            waiting += [int(child) for child in (folder / folder.parent.name / "children").read_text().split()]
    return total
