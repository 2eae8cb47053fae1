"""What a result depends on, and where it is kept."""

from __future__ import annotations

import dataclasses
import json
import os

import pytest

from autograder.cache import Cache, Fingerprint, Kept, run_fingerprint, submission_fingerprint
from autograder.results import Submission
from tests.support.course import NAME, RIGHT, Course, outcome

PRINT = Fingerprint("a", "b")
RESULT = Submission.graded("s/../ö", outcome(add=1.0), 5.0, ("A note.",))


def test_a_result_comes_back_as_it_was(course: Course) -> None:
    cache = Cache(course.settings, course.assignment)
    assert cache.get(RESULT.student) is None
    cache.put([(RESULT.student, Kept(PRINT, RESULT)), ("other", Kept(PRINT, None))])
    assert cache.get(RESULT.student) == Kept(PRINT, RESULT)
    assert cache.get("other") == Kept(PRINT, None)
    files = list((course.root / ".autograder").rglob("*"))
    assert len([path for path in files if path.is_file()]) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 0}', json.dumps({"format": 1, "student": "s"})])
def test_what_cannot_be_read_is_graded_afresh(course: Course, text: str) -> None:
    cache = Cache(course.settings, course.assignment)
    cache.put([("s", Kept(PRINT, RESULT))])
    next(path for path in (course.root / ".autograder").rglob("*.json")).write_text(text)
    assert cache.get("s") is None


def test_every_byte_of_a_submission_counts(course: Course) -> None:
    def now() -> str:
        return submission_fingerprint(course.folder("s"), course.settings)

    found = [now()]
    folder = course.hand_in("s", course.answered(**RIGHT))
    found.append(now())
    (folder / "data.txt").write_text("1")
    found.append(now())
    (folder / "data.txt").write_text("2")
    found.append(now())
    (folder / "timestamp.txt").write_text("2026-11-30 12:00:00 UTC")
    found.append(now())
    (folder / "link").symlink_to(folder)
    found.append(now())
    (folder / f"{NAME}.ipynb").write_bytes((folder / f"{NAME}.ipynb").read_bytes() + b" ")
    found.append(now())
    assert len(set(found)) == len(found)


def test_touching_a_file_changes_nothing(course: Course) -> None:
    folder = course.hand_in("s", course.answered(**RIGHT))
    before = submission_fingerprint(folder, course.settings)
    os.utime(folder / f"{NAME}.ipynb", (1, 1))
    assert submission_fingerprint(folder, course.settings) == before


def test_all_else_that_a_result_depends_on(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, assignment = course.settings, course.assignment
    found = [
        run_fingerprint(assignment, settings, "bubblewrap"),
        run_fingerprint(assignment, settings, "none"),
        run_fingerprint(assignment, dataclasses.replace(settings, cell_seconds=3), "bubblewrap"),
        run_fingerprint(dataclasses.replace(assignment, fingerprint="other"), settings, "bubblewrap"),
    ]
    assert run_fingerprint(assignment, dataclasses.replace(settings, workers=7), "bubblewrap") == found[0]
    monkeypatch.setattr("autograder.cache.versions", lambda: {"python": "4"})
    found.append(run_fingerprint(assignment, settings, "bubblewrap"))
    monkeypatch.undo()
    monkeypatch.setattr("autograder.cache.code_fingerprint", lambda: "other")
    found.append(run_fingerprint(assignment, settings, "bubblewrap"))
    assert len(set(found)) == len(found)
