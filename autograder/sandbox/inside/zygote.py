"""A warm process that never runs a student's code, and forks the sessions that do.

It hears orders on a control channel which no session inherits: ``start`` brings a channel for a new session,
``end`` kills one or all. Starting Python, NumPy and IPython costs a second; a fork costs milliseconds.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from dataclasses import fields
from typing import Any, NoReturn

import numpy as np
import numpy.random
import numpy.testing

from ..limits import Limits
from ..wire import decode, encode
from . import confine
from .serve import serve
from .shell import Keeper, Shell, keeping, make_shell


def main() -> None:
    """Warm up, say so, and take orders until the control channel ends."""
    options = json.loads(sys.argv[1])
    limits = Limits(**{field.name: options["limits"][field.name] for field in fields(Limits)})
    control = socket.socket(fileno=options["control"])
    confine.adopt_orphans()
    confine.hide_memory()
    shell, keeper = _warm(limits, options["warm"])
    control.send(json.dumps({"ready": True, "python": sys.version.split()[0], "numpy": np.__version__}).encode())
    alive: set[int] = set()
    while True:
        data, channels, _, _ = socket.recv_fds(control, 4096, 1)
        if not data:
            return
        order = json.loads(data)
        reply: dict[str, Any] = {"order": order["order"]}
        if order["do"] == "start":
            reply |= _start(channels[0], control, options["confinement"], limits, shell, keeper)
            os.close(channels[0])
            alive |= {reply["pid"]} if "pid" in reply else set()
        else:
            for pid in [order["pid"]] if "pid" in order else sorted(alive):
                _end(pid)
                alive.discard(pid)
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
    channel: int, control: socket.socket, confinement: str, limits: Limits, shell: Shell, keeper: Keeper
) -> dict[str, Any]:
    """Fork a session; the answer has its process id, as the zygote sees it, or a sentence on what failed."""
    told, tells = os.pipe()
    middle = os.fork()
    if middle == 0:
        control.close()
        os.close(told)
        _become_session(channel, tells, confinement, limits, shell, keeper)
    os.close(tells)
    with os.fdopen(told, "rb") as pipe:
        words = pipe.read().decode("utf-8", "replace")
    if confinement == "namespaces":
        os.waitpid(middle, 0)
    pid, _, failure = (line.strip() for line in words.partition("\n"))
    if failure or not pid:
        if pid:
            _end(int(pid))
        return {"failed": failure or "the session ended while it was shut in"}
    return {"pid": int(pid)}


def _become_session(
    channel: int, tells: int, confinement: str, limits: Limits, shell: Shell, keeper: Keeper
) -> NoReturn:
    """In the fork: shut in, tell the zygote, serve. The zygote hears end-of-file once all is in place."""
    try:
        os.setsid()  # else a signal to its own process group would reach the zygote
        if confinement == "namespaces":
            confine.enter_namespaces()
            child = os.fork()
            if child:
                os.write(tells, f"{child}\n".encode())
                os._exit(0)
            confine.shut_in(limits)
        else:
            os.write(tells, f"{os.getpid()}\n".encode())
        confine.quiet_standard_streams()
        confine.make_work_folder(private=confinement != "none")
        os.close(tells)
    except BaseException as error:  # noqa: BLE001 - told to the zygote, which tells the grader
        os.write(tells, f"\n{error}".encode())
        os._exit(1)
    try:
        serve(socket.socket(fileno=channel), shell, keeper, limits)
    finally:
        os._exit(0)


def _end(pid: int) -> None:
    """Kill a session and all that it started, and wait until they are gone."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
