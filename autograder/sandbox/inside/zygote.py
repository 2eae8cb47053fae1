"""A warm process that never runs a student's code, and forks the sessions that do.

It hears orders on a control channel which no session inherits: ``start`` brings a channel for a new session,
``end`` kills one or all. Starting Python, NumPy and IPython costs a second; a fork costs milliseconds.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import itertools
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.random
import numpy.testing

from ..clear import remove
from ..limits import Limits
from ..wire import decode, encode
from . import confine
from .serve import serve
from .shell import Keeper, Shell, keeping, make_shell


def main(options: dict[str, Any]) -> None:
    """Warm up, say so, and take orders from descriptor 0 until it ends."""
    limits = Limits(**options["limits"])
    control = socket.socket(fileno=os.dup(0))
    confine.quiet_standard_input()
    confine.adopt_orphans()
    if options["confinement"] != "landlock":  # there it is done already, and not ours to do
        confine.hide_memory()
    walls = confine.Walls(options["confinement"], limits, tuple(options["readable"]))
    shell, keeper = _warm(limits, options["warm"])
    control.send(json.dumps({"ready": True, "python": sys.version.split()[0], "numpy": np.__version__}).encode())
    alive: dict[int, str] = {}
    for number in itertools.count(1):
        data, channels, _, _ = socket.recv_fds(control, 4096, 1)
        order = json.loads(data or b'{"order": "", "do": "end"}')
        reply: dict[str, Any] = {"order": order["order"]}
        if order["do"] == "start":
            folder = f"{options['folder']}/{number}" if options["folder"] else ""
            reply |= _start(channels[0], control, walls, folder, shell, keeper)
            os.close(channels[0])
            if "pid" in reply:
                alive[reply["pid"]] = folder
        else:
            for pid in [order["pid"]] if "pid" in order else sorted(alive):
                _end(pid, alive.pop(pid, ""))
        if not data:
            return
        control.send(json.dumps(reply).encode())


def _warm(limits: Limits, modules: list[str]) -> tuple[Shell, Keeper]:
    """Do once what every session would do first, so that a fork finds it done."""
    shell, keeper = make_shell()
    for module in modules:
        with contextlib.suppress(ImportError):  # then the cell that needs it says so
            importlib.import_module(module)
    with keeping(keeper, limits.output):
        shell.run_cell("import math\n_ = __import__('numpy').ones((2, 2)) @ __import__('numpy').ones((2, 2))\n1 + 1")
        shell.run_cell("1 / 0")
    decode(encode((np.ones(3),), limit=1024))
    shell.reset(new_session=True)
    gc.collect()
    gc.freeze()
    return shell, keeper


def _start(
    channel: int, control: socket.socket, walls: confine.Walls, folder: str, shell: Shell, keeper: Keeper
) -> dict[str, Any]:
    """Fork a session; the answer has its process id, as the zygote sees it, or a sentence on what failed."""
    if folder:
        Path(folder).mkdir(0o700)
    told, tells = os.pipe()
    middle = os.fork()
    if middle == 0:
        control.close()
        os.close(told)
        _become_session(channel, tells, walls, folder, shell, keeper)
    os.close(tells)
    with os.fdopen(told, "rb") as pipe:
        words = pipe.read().decode("utf-8", "replace")
    if walls.kind == "namespaces":
        os.waitpid(middle, 0)
    pid, _, failure = (line.strip() for line in words.partition("\n"))
    if failure or not pid:
        if pid:
            _end(int(pid), folder)
        return {"failed": failure or "the session ended while it was shut in"}
    return {"pid": int(pid)}


def _become_session(
    channel: int, tells: int, walls: confine.Walls, folder: str, shell: Shell, keeper: Keeper
) -> NoReturn:
    """In the fork: shut in, tell the zygote, serve. The zygote hears end-of-file once all is in place."""
    try:
        os.setsid()  # else a signal to its own process group would reach the zygote
        if walls.kind == "namespaces":
            confine.enter_namespaces()
            child = os.fork()
            if child:
                os.write(tells, f"{child}\n".encode())
                os._exit(0)
        else:
            os.write(tells, f"{os.getpid()}\n".encode())
        confine.quiet_standard_streams()
        confine.shut_in(walls, folder)
        os.close(tells)
    except BaseException as error:  # noqa: BLE001 - told to the zygote, which tells the grader
        os.write(tells, f"\n{error}".encode())
        os._exit(1)
    try:
        serve(socket.socket(fileno=channel), shell, keeper, walls.limits)
    finally:
        os._exit(0)


def _end(pid: int, folder: str) -> None:
    """Kill a session and all that it started, wait until they are gone, and clear what they wrote."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    if folder:
        remove(Path(folder))
