"""What can go wrong with the sandbox itself."""

from __future__ import annotations


class SandboxError(Exception):
    """The sandbox itself failed: the grader's fault, never the student's."""


class SandboxGone(BaseException):
    """The zygote died under a submission: whatever happened to its sessions is no evidence.

    A BaseException, so that no test can take it for a failure of the student's.
    """


class NoIsolation(SandboxError):
    """No isolation, or not the one asked for, works here."""
