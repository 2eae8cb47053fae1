"""A sandbox, and the submission that is under way in it."""

from __future__ import annotations

import pickle
from contextlib import suppress

from autograder.attempt import read_and_grade
from autograder.engine.model import Outcome
from autograder.forked import Fork, ForkEnded, ForkFailed
from autograder.job import Graded, Job
from autograder.sandbox.errors import SandboxError, SandboxGone
from autograder.sandbox.isolation import ISOLATIONS
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import GONE, Sandbox
from autograder.settings import Settings

READING_SECONDS = 60
TRIES = 3


class Lane:
    """Grades one submission after the other, each in a fork of this process, in a sandbox that stays warm between them.

    A zygote or a fork that is killed on the way is started anew and the submission graded from the start: nobody's
    points depend on what killed it.
    """

    def __init__(self, isolation: str, limits: Limits, cpu: int | None = None) -> None:
        self._limits = limits
        self.sandbox = Sandbox(ISOLATIONS[isolation], limits, cpu=cpu)
        self._fork: Fork | None = None
        self._job: Job
        self.settings: Settings
        self._why = ""
        self._tries_left = 0

    def launch(self) -> None:
        """Start the sandbox unless that is done; it warms up by itself."""
        with suppress(SandboxError):  # then the first job starts it, and says so
            self.sandbox.launch()

    def launch_beside(self, other: Lane) -> bool:
        """The same, behind the walls of another lane whose sandbox is warm; says whether it went well."""
        with suppress(SandboxError, SandboxGone):
            self.sandbox.launch_beside(other.sandbox)
            return True
        return False

    @property
    def warm(self) -> bool:
        """Whether a job could begin without waiting for the sandbox."""
        return self.sandbox.warm

    def close(self) -> None:
        """End what is under way, and the sandbox."""
        self._bury()
        self.sandbox.close()

    def begin(self, job: Job, settings: Settings) -> None:
        """Begin with a submission; what was under way before is dropped."""
        self._job, self.settings = job, settings
        self._why = ""
        self._tries_left = TRIES
        self._try()

    def finish(self) -> bytes:
        """Wait until it is graded; gives what came of it as a pickled `Graded`, which the worker has no need to read.

        What fails on the grader's side is told in ``outcome.broken``.
        """
        while True:
            if self._fork is not None:
                try:
                    graded = self._fork.result()
                except ForkEnded as error:
                    self._why = str(error)
                except ForkFailed as error:
                    return self._broken(str(error))
                else:
                    if graded:
                        return graded
                    self._why = GONE
            if not self._tries_left:
                return self._broken(self._why)
            self._try()

    def _broken(self, why: str) -> bytes:
        return pickle.dumps(Graded(self._job.student, None, Outcome(broken=why)))

    def _try(self) -> None:
        self._tries_left -= 1
        self._bury()
        job, settings, sandbox, limits = self._job, self.settings, self.sandbox, self._limits
        try:
            sandbox.ready(settle=True)  # what the last one left must not be counted as this one
            seconds = limits.submission_seconds + READING_SECONDS
            self._fork = Fork(lambda: read_and_grade(job, settings, sandbox, limits), seconds, sandbox.cpu)
        except (SandboxError, ForkEnded) as error:
            self._why = str(error)

    def _bury(self) -> None:
        if self._fork is not None:
            self._fork.bury()
            self._fork = None
