"""What the grader says when it cannot do what it was asked: one clear sentence, and the exit status with it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

ALL_GRADED: Final = 0
GRADER_FAILED: Final = 1
WRONG_USE: Final = 2
SOME_NEED_ATTENTION: Final = 3

NOT_A_COURSE: Final = (
    "{root} is not a course folder: it has no folder '{source}'; go to the course folder or name it with --course-dir."
)
NO_SUCH_ASSIGNMENT: Final = "There is no assignment '{name}' in {source}; {choices}."
BAD_ASSIGNMENT_NAME: Final = (
    "'{name}' cannot be an assignment's name: give the name of a folder in {source}, without slashes or '+'."
)
NO_NOTEBOOK: Final = "{folder} holds no notebook: put the assignment's source notebook there."
SEVERAL_NOTEBOOKS: Final = "{folder} holds {count} notebooks ({names}): an assignment to be graded has exactly one."
UNREADABLE_SOURCE: Final = "The source notebook {path} cannot be read ({reason}): open and save it in JupyterLab."
BAD_SOURCE_CELL: Final = "The source notebook {path}, cell '{cell}': {reason}."
NO_SUBMISSIONS: Final = (
    "There is nothing to grade for '{assignment}': no folder {pattern} exists; collect the submissions first."
)
NO_SUCH_STUDENT: Final = "No submission of '{assignment}' matches --student '{pattern}': {count} others are there."
BAD_CONFIG: Final = "{path} cannot be used: {reason}."
BAD_SETTING: Final = "{path}: {reason}."
BAD_WORKERS: Final = "--workers must be at least 1, not {workers}."
GRADEBOOK_UNUSABLE: Final = "The gradebook {url} cannot be used: {reason}."
RELEASE_REFUSED: Final = "'{assignment}' was not released: {reasons}."
NO_SUCH_ISOLATION: Final = "There is no isolation '{name}' here: choose one of {choices}."
NO_FILE: Final = "There is no notebook {path}: name a file that exists."
NOTHING_TO_PACK: Final = "There is no folder {folder} to pack: make the student versions first."
NO_FORKS: Final = "Grading needs a system on which processes fork: Linux, a container of it, or WSL."
NO_WORKER: Final = "The grader's worker process dies whenever it is started; something on this machine kills it."
CANNOT_WRITE: Final = "{path} cannot be written: {reason}."
BAD_TARGET: Final = "{path} cannot be written ({reason}): name another file."


class AutograderError(Exception):
    """A sentence for the person at the keyboard; ``status`` is the exit status of the command."""

    def __init__(self, message: str, status: int = WRONG_USE) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[type, tuple[str, int]]:
        return (type(self), (str(self), self.status))


class CourseError(AutograderError):
    """The course folder or an assignment in it is not what it should be."""

    @classmethod
    def not_a_course(cls, root: Path, source: str) -> CourseError:
        return cls(NOT_A_COURSE.format(root=root, source=source))

    @classmethod
    def no_such_assignment(cls, name: str, source: Path, choices: Iterable[str]) -> CourseError:
        there = ", ".join(sorted(choices))
        sentence = f"there are: {there}" if there else "that folder is empty"
        return cls(NO_SUCH_ASSIGNMENT.format(name=name, source=source, choices=sentence))

    @classmethod
    def bad_name(cls, name: str, source: Path) -> CourseError:
        return cls(BAD_ASSIGNMENT_NAME.format(name=name, source=source))

    @classmethod
    def no_notebook(cls, folder: Path) -> CourseError:
        return cls(NO_NOTEBOOK.format(folder=folder))

    @classmethod
    def several_notebooks(cls, folder: Path, names: list[str]) -> CourseError:
        return cls(SEVERAL_NOTEBOOKS.format(folder=folder, count=len(names), names=", ".join(names)))

    @classmethod
    def unreadable_source(cls, path: Path, reason: object) -> CourseError:
        return cls(UNREADABLE_SOURCE.format(path=path, reason=reason))

    @classmethod
    def bad_cell(cls, path: Path, cell: str, reason: object) -> CourseError:
        return cls(BAD_SOURCE_CELL.format(path=path, cell=cell, reason=reason))

    @classmethod
    def no_file(cls, path: Path) -> CourseError:
        return cls(NO_FILE.format(path=path))

    @classmethod
    def nothing_to_pack(cls, folder: Path) -> CourseError:
        return cls(NOTHING_TO_PACK.format(folder=folder))

    @classmethod
    def no_submissions(cls, assignment: str, pattern: str) -> CourseError:
        return cls(NO_SUBMISSIONS.format(assignment=assignment, pattern=pattern))

    @classmethod
    def no_such_student(cls, assignment: str, pattern: str, count: int) -> CourseError:
        return cls(NO_SUCH_STUDENT.format(assignment=assignment, pattern=pattern, count=count))


class SettingsError(AutograderError):
    """``nbgrader_config.py``, or an option of the command, asks for what cannot be."""

    @classmethod
    def bad_config(cls, path: Path, reason: object) -> SettingsError:
        return cls(BAD_CONFIG.format(path=path, reason=reason))

    @classmethod
    def bad_setting(cls, path: Path, reason: object) -> SettingsError:
        return cls(BAD_SETTING.format(path=path, reason=str(reason).rstrip(".")))

    @classmethod
    def bad_workers(cls, workers: int) -> SettingsError:
        return cls(BAD_WORKERS.format(workers=workers))

    @classmethod
    def bad_target(cls, path: Path, reason: object) -> SettingsError:
        return cls(BAD_TARGET.format(path=path, reason=reason))

    @classmethod
    def no_such_isolation(cls, name: str, choices: Iterable[str]) -> SettingsError:
        return cls(NO_SUCH_ISOLATION.format(name=name, choices=", ".join(choices)))


class GradebookError(AutograderError):
    """The database says no."""

    @classmethod
    def unusable(cls, url: str, reason: object) -> GradebookError:
        return cls(GRADEBOOK_UNUSABLE.format(url=url, reason=str(reason).rstrip(".")), GRADER_FAILED)


class ReleaseError(AutograderError):
    """An assignment is not fit to be given to students; nothing was written."""

    @classmethod
    def refused(cls, assignment: str, reasons: Iterable[str]) -> ReleaseError:
        return cls(RELEASE_REFUSED.format(assignment=assignment, reasons="; ".join(reasons)), GRADER_FAILED)


class GraderFailure(AutograderError):
    """The grader itself could not go on."""

    @classmethod
    def no_isolation(cls, reason: object) -> GraderFailure:
        return cls(str(reason), GRADER_FAILED)

    @classmethod
    def no_forks(cls) -> GraderFailure:
        return cls(NO_FORKS, GRADER_FAILED)

    @classmethod
    def no_worker(cls) -> GraderFailure:
        return cls(NO_WORKER, GRADER_FAILED)

    @classmethod
    def cannot_write(cls, path: Path, reason: object) -> GraderFailure:
        return cls(CANNOT_WRITE.format(path=path, reason=reason), GRADER_FAILED)
