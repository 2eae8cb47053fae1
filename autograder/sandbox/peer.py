"""Who is at the other end of a control channel: a process behind walls, where it goes by another number."""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
from contextlib import suppress

CREDENTIALS = struct.Struct("3i")
"""Process, user and group, as the kernel puts them to a message (unix(7))."""
WAIT_SECONDS = 5.0
GONE = "it ended"


class Peer:
    """A process that cannot be mistaken for one that comes after it."""

    def __init__(self, pid: int) -> None:
        """Take hold of it.

        Raises:
            OSError: there is no such process.
        """
        self.pid = pid
        self._handle = os.pidfd_open(pid)

    def kill(self) -> None:
        """End it."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def bury(self) -> None:
        """Wait until it is gone, and let go. To be called once."""
        select.select([self._handle], [], [], WAIT_SECONDS)
        os.close(self._handle)


def first_word(channel: socket.socket) -> tuple[Peer, bytes]:
    """Receive the first message, on a channel that was told to pass credentials before it was sent.

    Raises:
        OSError: nothing came, in time or at all.
    """
    room = socket.CMSG_SPACE(CREDENTIALS.size)
    data, notes, _, _ = channel.recvmsg(4096, room)
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    for _, kind, content in notes if data else ():
        if kind == socket.SCM_CREDENTIALS:
            return Peer(CREDENTIALS.unpack_from(content)[0]), data
    raise OSError(GONE)
