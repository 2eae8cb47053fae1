"""What a session may use. Used on both sides of the wall, so standard library only."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one session; times in seconds, sizes in bytes."""

    cell_seconds: float = 10.0
    """Wall time of one cell or one call."""
    impatient_seconds: float = 1.0
    """Wall time of a call once a function has timed out or died."""
    submission_seconds: float = 60.0
    """Wall time of a whole submission; a session gets the double of it as CPU time."""
    memory: int = 1024 * MIB
    """Address space of the session's one process."""
    output: int = 1 * MIB
    """What one cell may write."""
    reply: int = 64 * MIB
    """One message through the wall, either way."""
    file: int = 10 * MIB
    """One file that student code writes."""
    tmp: int = 64 * MIB
    """``/tmp`` and ``/dev/shm``, each."""
    open_files: int = 256
    """File descriptors at one time."""
    threads: int = 256
    """Threads at one time; counted from outside, so a flood is noticed within a twentieth of a second."""
    inodes: int = 4096
    """Files in ``/tmp`` and ``/dev/shm``, each."""
