"""The process that workers are forked from: started early, since it warms up while the grader looks around."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

from autograder.errors import GraderFailure

METHOD = "forkserver"
PRELOADED = ("autograder.preload",)
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def start() -> BaseContext:
    """Start the fork server unless it runs, and give the context whose processes it forks. Does not wait for it.

    Raises:
        GraderFailure: this system has none.
    """
    if METHOD not in multiprocessing.get_all_start_methods():
        raise GraderFailure.no_forks()
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    os.environ["PYTHONHASHSEED"] = "0"  # read when the server starts, for all that it forks
    context = multiprocessing.get_context(METHOD)
    context.set_forkserver_preload(list(PRELOADED))
    forkserver.ensure_running()
    return context
