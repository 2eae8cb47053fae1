"""Keeps a process to one processor. Used on both sides of the wall, so standard library only."""

from __future__ import annotations

import contextlib
import os


def keep_to(cpu: int | None) -> None:
    """Run on this processor alone, with all processes forked from now on; None leaves the choice to the kernel.

    The two sides of a wall take turns, which is quickest on one processor; and whoever keeps it busy with a hundred
    threads takes nothing from those on another.
    """
    if cpu is not None:
        with contextlib.suppress(OSError):  # it is a favour, which a container may refuse
            os.sched_setaffinity(0, {cpu})
