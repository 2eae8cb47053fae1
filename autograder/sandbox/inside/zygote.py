"""A warm process that never runs a student's code, and forks the sessions that do.

It hears orders on a control channel which no session inherits: ``start`` is answered with the channel of a new
session, ``end`` kills one or all, ``twin`` is answered with the control channel of another zygote. Starting Python,
NumPy and IPython costs a second; a fork costs milliseconds, and since a few sessions are forked ahead, while nobody
waits for anything, an order costs next to nothing.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import platform
import socket
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.random

from ..limits import Limits
from ..processor import keep_to
from ..wire import LENGTH, decode, encode
from . import confine, seccomp
from .nursery import Nursery
from .serve import Answerer
from .shell import Keeper, Shell, keeping, make_shell

REHEARSALS = 10
"""Python compiles a function's hot spots anew after some calls: done here, no session has to, nor copies the pages."""
REHEARSED = """
import numpy as np

def double(x, *others, **options):
    \"\"\"Twice the number.\"\"\"
    if x is None:
        raise ValueError("no number")
    return np.asarray(2 * x), [other for other in others]

print("shape:", double(np.ones((2, 3)))[0].shape)
double(2)
"""


def main(options: dict[str, Any]) -> None:
    """Warm up, say so, and take orders from descriptor 0 until it ends."""
    limits = Limits(**options["limits"])
    control = socket.socket(fileno=os.dup(0))
    confine.quiet_standard_input()
    if options["confinement"] != "landlock":  # there it is done already, and not ours to do
        confine.hide_memory()
    walls = confine.Walls(options["confinement"], limits, tuple(options["readable"]))
    shell, keeper = _warm(limits, options["warm"], shared=walls.kind == "landlock")
    keep_to(options["cpu"])
    _take_orders(control, lambda control: Nursery(control, walls, options["folder"], options["ahead"], shell, keeper))


def _take_orders(control: socket.socket, make_nursery: Callable[[socket.socket], Nursery]) -> None:
    control.send(json.dumps({"ready": True, "python": sys.version.split()[0], "numpy": np.__version__}).encode())
    nursery = make_nursery(control)
    while True:
        nursery.fill()
        data = control.recv(4096)
        if not data:
            nursery.end_all()
            return
        order = json.loads(data)
        reply: dict[str, Any] = {"order": order["order"]}
        channels: list[socket.socket] = []
        if order["do"] == "start":
            found = nursery.take()
            if isinstance(found, str):
                reply["failed"] = found
            else:
                reply["pid"] = found.pid
                channels.append(found.channel)
        elif order["do"] == "twin":
            channels.append(_twin(make_nursery, order["cpu"]))
        else:
            nursery.end(order.get("pid"), settle=order.get("settle", False))
        socket.send_fds(control, [json.dumps(reply).encode()], [channel.fileno() for channel in channels])
        for channel in channels:
            channel.close()


def _twin(make_nursery: Callable[[socket.socket], Nursery], cpu: int | None) -> socket.socket:
    """Fork another zygote, with a control channel and sessions of its own; gives the other end of that channel.

    It is no child of this one: each can be told by the processes below it.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        middle = os.fork()
        if middle == 0:
            try:
                if os.fork() == 0:
                    keep_to(cpu)
                    confine.close_all_but(theirs.fileno())
                    _take_orders(theirs, make_nursery)
            finally:  # whatever fails in it: it must not go on as the first one
                os._exit(0)
        os.waitpid(middle, 0)
    return ours


def _warm(limits: Limits, modules: list[str], *, shared: bool) -> tuple[Shell, Keeper]:
    """Do once what every session would do first, so that a fork finds it done."""
    shell, keeper = make_shell()
    for module in modules:
        with contextlib.suppress(ImportError):  # then the cell that needs it says so
            importlib.import_module(module)
    with keeping(keeper, limits.output):
        shell.run_cell("import math\n_ = __import__('numpy').ones((2, 2)) @ __import__('numpy').ones((2, 2))\n1 + 1")
        shell.run_cell("1 / 0")
    session = Answerer(shell, keeper, limits)
    for number in range(REHEARSALS):
        session.answer(("run", str(number), REHEARSED))
        request = encode(("call", "double", (np.ones((2, 3)), [1.0, None]), {"name": "x"}), limit=1024, layouts=True)
        decode(session.answer(decode(request, layouts=True))[LENGTH.size :])
    with contextlib.suppress(OSError):  # then the first session says so
        seccomp.program(platform.machine(), shared=shared)
    shell.reset(new_session=True)
    gc.collect()
    gc.freeze()
    return shell, keeper
