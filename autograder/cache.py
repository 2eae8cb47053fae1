"""Grading again is free where nothing changed: results kept under ``.autograder/``, one file a submission."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from autograder.assignment import Assignment
from autograder.results import Submission, versions
from autograder.settings import Settings
from autograder.submission.files import Refused, list_files, read_file
from autograder.writing import kept_file, put_file

RESULTS: Final = "results"
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a result depends on."""

    submission: str
    """Of every file of the submission, the time stamp among them."""
    rest: str
    """Of the source, the limits, the isolation, the versions and the grader's own code."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is remembered of one submission."""

    fingerprint: Fingerprint
    result: Submission | None
    """None where the result is not one to be used again (it hung on time, or the grader broke)."""


def submission_fingerprint(folder: Path, settings: Settings) -> str:
    """Changes with every byte of the submission that reading it could look at.

    Of what lies beyond the size that a submission may have, the times of change stand for the bytes: a folder of
    sparse files would else be read for minutes before anybody is graded.
    """
    digest = hashlib.sha256()
    try:
        listing = list_files(folder)
    except OSError:
        return "none"
    for note in listing.notes:
        digest.update(f"{note}\0".encode(errors="surrogateescape"))
    room = (settings.notebook_mib + settings.tmp_mib) << 20
    for name in sorted(listing.sizes, key=lambda name: (listing.sizes[name], name)):
        digest.update(f"{name}\0{listing.sizes[name]}\0".encode(errors="surrogateescape"))
        room -= listing.sizes[name]
        try:
            if room >= 0:
                digest.update(hashlib.sha256(read_file(folder, name, listing.sizes[name])).digest())
            else:
                digest.update(str((folder / name).lstat().st_mtime_ns).encode())
        except (Refused, OSError) as error:
            digest.update(type(error).__name__.encode())
    return digest.hexdigest()


def run_fingerprint(assignment: Assignment, settings: Settings, isolation: str) -> str:
    """Changes with everything but the submission that a result depends on."""
    parts = {
        "format": FORMAT,
        "source": assignment.fingerprint,
        "limits": settings.limits,
        "student_version": asdict(settings.student_version),
        "isolation": isolation,
        "versions": versions(),
        "code": code_fingerprint(),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@cache
def code_fingerprint() -> str:
    """Changes with the grader's own code and with the package that the notebooks import."""
    import mha

    digest = hashlib.sha256()
    for root in (Path(__file__).parent, *map(Path, mha.__path__)):
        for path in sorted(root.rglob("*.py")):
            digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


class Cache:
    """The results kept of one assignment."""

    def __init__(self, settings: Settings, assignment: Assignment) -> None:
        self._settings = settings
        self._assignment = assignment.name

    def _path(self, student: str) -> Path:
        return kept_file(self._settings, RESULTS, self._assignment, student)

    def get(self, student: str) -> Kept | None:
        """What is remembered of a student's submission; None where nothing is, or nothing that can be read."""
        try:
            data = json.loads(self._path(student).read_bytes())
            if data["format"] != FORMAT or data["student"] != student:
                return None
            result = Submission.from_dict(data["result"]) if data["result"] else None
            return Kept(Fingerprint(**data["fingerprint"]), result)
        except (OSError, ValueError, KeyError, TypeError):
            return None  # grading afresh is always right

    def put(self, kept: Iterable[tuple[str, Kept]]) -> None:
        """Remember these; called once the gradebook has committed them.

        Raises:
            GraderFailure: there is no place to keep them.
        """
        for student, entry in kept:
            data = {
                "format": FORMAT,
                "student": student,
                "fingerprint": asdict(entry.fingerprint),
                "result": asdict(entry.result) if entry.result else None,
            }
            put_file(self._path(student), json.dumps(data).encode())
