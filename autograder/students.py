"""Who handed something in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from autograder.errors import CourseError
from autograder.settings import Settings


@dataclass(frozen=True, slots=True)
class Handed:
    """One student's folder for one assignment; nothing in it was looked at yet."""

    student: str
    folder: Path

    @property
    def has_readable_name(self) -> bool:
        """False for a name that is no text, which no database takes."""
        return not any("\ud800" <= letter <= "\udfff" for letter in self.student)


def chosen(students: Iterable[str], pattern: str) -> list[str]:
    """Those who match, in their order, and whoever has the pattern itself as a name.

    The latter hides nobody: a folder called ``*`` would else keep the whole class from being graded.
    """
    return [student for student in students if student == pattern or fnmatchcase(student, pattern)]


def handed_in(settings: Settings, assignment: str, pattern: str = "*") -> list[Handed]:
    """The submissions of an assignment whose student matches (see `chosen`), in the order of names.

    Raises:
        CourseError: there are none.
    """
    everyone: dict[str, Handed] = {}
    if settings.submitted.is_dir():
        for entry in sorted(os.scandir(settings.submitted), key=lambda entry: entry.name):
            folder = settings.submitted / entry.name / assignment
            if not entry.name.startswith(".") and os.path.lexists(folder):
                everyone[entry.name] = Handed(entry.name, folder)
    if not everyone:
        raise CourseError.no_submissions(assignment, f"{settings.submitted}/<student>/{assignment}")
    matching = chosen(everyone, pattern)
    if not matching:
        raise CourseError.no_such_student(assignment, pattern, len(everyone))
    return [everyone[student] for student in matching]
