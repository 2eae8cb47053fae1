"""The settings of a course, read from the ``nbgrader_config.py`` that nbgrader itself reads."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from traitlets import Bool, Dict, Enum, Float, Integer, TraitError, Unicode
from traitlets.config import Config, Configurable
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from autograder.errors import CourseError, SettingsError

CONFIG_FILE: Final = "nbgrader_config.py"
MIB: Final = 1024 * 1024
ISOLATIONS: Final = ("auto", "bubblewrap", "sandlock", "none")
DIRECTORY_STRUCTURE: Final = "{nbgrader_step}/{student_id}/{assignment_id}"


def _limit(default: int, help: str) -> Integer:
    return Integer(default, min=1, help=help).tag(config=True)


class Autograder(Configurable):
    """The section ``c.Autograder`` of ``nbgrader_config.py``."""

    cell_seconds = _limit(10, "Seconds that a cell, or a call of a student's function, may take.")
    submission_seconds = _limit(60, "Seconds that all of a submission may take.")
    memory_mib = _limit(1024, "Memory of a student's process.")
    output_mib = _limit(1, "Output of one cell that is kept.")
    reply_mib = _limit(64, "Size of what a student's function may return.")
    file_mib = _limit(10, "Size of a file that student code writes, or that comes with a submission.")
    tmp_mib = _limit(
        64, "Size of a student's /tmp and of their /dev/shm; also of all files that come with a submission."
    )
    notebook_mib = _limit(200, "Size to which a submitted notebook is read.")
    workers = Integer(0, min=0, help="Worker processes; 0: one for two cores, since each keeps two busy.").tag(
        config=True
    )
    isolation = Enum(ISOLATIONS, "auto", help="What confines student code.").tag(config=True)
    points = Dict(
        key_trait=Unicode(),
        value_trait=Float(),
        help="Assignment -> points that its test cells must give together.",
    ).tag(config=True)
    copies = Dict(
        key_trait=Unicode(),
        value_trait=Unicode(),
        help="Assignment -> folder that also gets its student version, where that folder exists.",
    ).tag(config=True)


class CourseDirectory(Configurable):
    """The part of nbgrader's own section of that name that the grader needs."""

    root = Unicode("").tag(config=True)
    course_id = Unicode("").tag(config=True)
    db_url = Unicode("").tag(config=True)
    source_directory = Unicode("source").tag(config=True)
    release_directory = Unicode("release").tag(config=True)
    submitted_directory = Unicode("submitted").tag(config=True)
    autograded_directory = Unicode("autograded").tag(config=True)
    feedback_directory = Unicode("feedback").tag(config=True)
    directory_structure = Unicode(DIRECTORY_STRUCTURE).tag(config=True)


class ClearSolutions(Configurable):
    """How nbgrader turns a solution into the stub that a student gets; same names and defaults as its own."""

    code_stub = Dict({"python": "# YOUR CODE HERE\nraise NotImplementedError()"}).tag(config=True)
    text_stub = Unicode("YOUR ANSWER HERE").tag(config=True)
    begin_solution_delimeter = Unicode("BEGIN SOLUTION").tag(config=True)
    end_solution_delimeter = Unicode("END SOLUTION").tag(config=True)


class ClearHiddenTests(Configurable):
    """How nbgrader finds the hidden part of a test; same names and defaults as its own."""

    begin_test_delimeter = Unicode("BEGIN HIDDEN TESTS").tag(config=True)
    end_test_delimeter = Unicode("END HIDDEN TESTS").tag(config=True)


class ClearMarkScheme(Configurable):
    """How nbgrader finds the marking scheme of a task; same names and defaults as its own."""

    begin_mark_scheme_delimeter = Unicode("BEGIN MARK SCHEME").tag(config=True)
    end_mark_scheme_delimeter = Unicode("END MARK SCHEME").tag(config=True)


class LockCells(Configurable):
    """Which cells nbgrader locks; same names and defaults as its own."""

    lock_solution_cells = Bool(True).tag(config=True)
    lock_grade_cells = Bool(True).tag(config=True)
    lock_readonly_cells = Bool(True).tag(config=True)
    lock_all_cells = Bool(False).tag(config=True)


@dataclass(frozen=True, slots=True)
class StudentVersion:
    """What makes the student's version out of a source notebook."""

    code_stub: str = "# YOUR CODE HERE\nraise NotImplementedError()"
    text_stub: str = "YOUR ANSWER HERE"
    begin_solution: str = "BEGIN SOLUTION"
    end_solution: str = "END SOLUTION"
    begin_hidden: str = "BEGIN HIDDEN TESTS"
    end_hidden: str = "END HIDDEN TESTS"
    begin_scheme: str = "BEGIN MARK SCHEME"
    end_scheme: str = "END MARK SCHEME"
    lock_solution_cells: bool = True
    lock_grade_cells: bool = True
    lock_readonly_cells: bool = True
    lock_all_cells: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All that the parts of the grader are told: plain values, so that a worker process can have them too."""

    root: Path
    cell_seconds: int = 10
    submission_seconds: int = 60
    memory_mib: int = 1024
    output_mib: int = 1
    reply_mib: int = 64
    file_mib: int = 10
    tmp_mib: int = 64
    notebook_mib: int = 200
    workers: int = 0
    """0 where the course leaves it to the machine."""
    isolation: str = "auto"
    course_id: str = ""
    db_url: str = ""
    source_directory: str = "source"
    release_directory: str = "release"
    submitted_directory: str = "submitted"
    autograded_directory: str = "autograded"
    feedback_directory: str = "feedback"
    copies: dict[str, str] = field(default_factory=dict)
    points: dict[str, float] = field(default_factory=dict)
    student_version: StudentVersion = field(default_factory=StudentVersion)

    @property
    def source(self) -> Path:
        return self.root / self.source_directory

    @property
    def release(self) -> Path:
        return self.root / self.release_directory

    @property
    def submitted(self) -> Path:
        return self.root / self.submitted_directory

    @property
    def autograded(self) -> Path:
        return self.root / self.autograded_directory

    @property
    def limits(self) -> dict[str, int]:
        """The limits that can change a result: they belong to its fingerprint."""
        names = ("cell_seconds", "submission_seconds", "memory_mib", "output_mib", "reply_mib", "file_mib", "tmp_mib")
        return {name: getattr(self, name) for name in (*names, "notebook_mib")}


def processors() -> list[int]:
    """The numbers of the processors that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def cores() -> int:
    """How many processors this process may use."""
    return len(processors())


def load_config(root: Path) -> Config:
    """nbgrader's config of a course as traitlets reads it; empty where there is no file.

    Raises:
        SettingsError: the file does not run.
    """
    try:
        return PyFileConfigLoader(CONFIG_FILE, path=str(root)).load_config()
    except ConfigFileNotFound:
        return Config()
    except (Exception, SystemExit) as error:  # the file is a program, which may raise or end as it likes
        raise SettingsError.bad_config(root / CONFIG_FILE, f"{type(error).__name__}: {error}") from error


def load_settings(root: Path | str = ".") -> Settings:
    """The settings of the course in ``root``, with the grader's defaults where its config says nothing.

    Raises:
        CourseError: ``root`` is no course folder.
        SettingsError: the config cannot be read, or a value in it makes no sense.
    """
    root = Path(root).absolute()
    path = root / CONFIG_FILE
    config = load_config(root)
    unknown = sorted(set(config.get("Autograder", {})) - set(Autograder.class_trait_names(config=True)))
    if unknown:
        raise SettingsError.bad_setting(path, f"there is no setting c.Autograder.{unknown[0]}")
    try:
        grader = Autograder(config=config)
        course = CourseDirectory(config=config)
        stubs = ClearSolutions(config=config)
        hidden = ClearHiddenTests(config=config)
        schemes = ClearMarkScheme(config=config)
        locks = LockCells(config=config)
    except TraitError as error:
        raise SettingsError.bad_setting(path, error) from error
    if course.directory_structure != DIRECTORY_STRUCTURE:
        raise SettingsError.bad_setting(path, f"c.CourseDirectory.directory_structure must be {DIRECTORY_STRUCTURE!r}")
    root = (root / course.root).absolute()
    if not (root / course.source_directory).is_dir():
        raise CourseError.not_a_course(root, course.source_directory)
    values: dict[str, Any] = {name: getattr(grader, name) for name in Autograder.class_trait_names(config=True)}
    values |= {"copies": dict(grader.copies), "points": dict(grader.points)}
    names = set(CourseDirectory.class_trait_names(config=True)) - {"root", "directory_structure"}
    values |= {name: getattr(course, name) for name in names}
    values["course_id"] = course.course_id.strip()
    values["db_url"] = course.db_url or f"sqlite:///{root / 'gradebook.db'}"
    return Settings(root=root, **values, student_version=_student_version(path, stubs, hidden, schemes, locks))


def _student_version(
    path: Path, stubs: ClearSolutions, hidden: ClearHiddenTests, schemes: ClearMarkScheme, locks: LockCells
) -> StudentVersion:
    code_stub = stubs.code_stub.get("python")
    if not isinstance(code_stub, str):
        raise SettingsError.bad_setting(path, "c.ClearSolutions.code_stub must hold a text for 'python'")
    return StudentVersion(
        code_stub=code_stub,
        text_stub=stubs.text_stub,
        begin_solution=stubs.begin_solution_delimeter,
        end_solution=stubs.end_solution_delimeter,
        begin_hidden=hidden.begin_test_delimeter,
        end_hidden=hidden.end_test_delimeter,
        begin_scheme=schemes.begin_mark_scheme_delimeter,
        end_scheme=schemes.end_mark_scheme_delimeter,
        **{name: getattr(locks, name) for name in LockCells.class_trait_names(config=True)},
    )
