"""The process that workers are forked from: started early, since it warms up while the grader looks around."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

PRELOADED = ("autograder.preload",)
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def start() -> BaseContext:
    """Start the fork server unless it runs, and give the context whose processes it forks. Does not wait for it."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    os.environ["PYTHONHASHSEED"] = "0"  # read when the server starts, for all that it forks
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    forkserver.ensure_running()
    return context
