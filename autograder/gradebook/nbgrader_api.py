"""nbgrader's database, imported and made without the two seconds that it need not take."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import ModuleType
from typing import Any, Final

from sqlalchemy import Engine, create_engine, inspect, text


@contextmanager
def left_out(module: str) -> Iterator[None]:
    """Have an optional import fail meanwhile, unless it is done already."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment] - Python's own way to say so
    try:
        yield
    finally:
        del sys.modules[module]


@contextmanager
def imported_when_used(module: str, *functions: str) -> Iterator[None]:
    """Have a stand-in for a module meanwhile, unless it is there already.

    What is looked up in it later comes from the module itself, and so do ``functions`` when they are called.
    """
    if module in sys.modules:
        yield
        return
    stand_in = ModuleType(module)
    stand_in.__path__ = []
    stand_in.__getattr__ = partial(_look_up, stand_in)
    for function in functions:
        setattr(stand_in, function, partial(_call, module, function))
    sys.modules[module] = stand_in
    try:
        yield
    finally:
        del sys.modules[module]


def _look_up(stand_in: ModuleType, name: str) -> Any:
    if sys.modules.get(stand_in.__name__) is stand_in:
        raise AttributeError(f"module {stand_in.__name__!r} is not imported yet and its {name!r} not foreseen")
    return getattr(importlib.import_module(stand_in.__name__), name)


def _call(module: str, function: str, *arguments: Any, **options: Any) -> Any:
    return getattr(importlib.import_module(module), function)(*arguments, **options)


UNUSED: Final = (
    *(
        (f"nbgrader.server_extensions.{extension}", "load_jupyter_server_extension")
        for extension in ("assignment_list", "course_list", "formgrader", "validate_assignment")
    ),
    ("setuptools",),
    ("setuptools.archive_util", "unpack_archive", "unpack_tarfile", "unpack_zipfile"),
    ("nbformat",),
    ("nbformat.notebooknode", "NotebookNode"),
    ("requests",),
)
"""What nbgrader imports on its way and its database has no use for: Jupyter's server above all."""

with ExitStack() as stack:
    # on import it compiles a grammar with which jsonschema checks IRIs: no notebook has one
    stack.enter_context(left_out("rfc3987_syntax"))
    for module, *functions in UNUSED:
        stack.enter_context(imported_when_used(module, *functions))
    from nbgrader.api import (
        Assignment,
        Base,
        BaseCell,
        Comment,
        Grade,
        Gradebook,
        GradeCell,
        MissingEntry,
        Notebook,
        SolutionCell,
        SourceCell,
        Student,
        SubmittedAssignment,
        SubmittedNotebook,
        TaskCell,
        new_uuid,
    )

__all__ = [
    "Assignment",
    "BaseCell",
    "Comment",
    "Grade",
    "GradeCell",
    "Gradebook",
    "MissingEntry",
    "Notebook",
    "SolutionCell",
    "SourceCell",
    "Student",
    "SubmittedAssignment",
    "SubmittedNotebook",
    "TaskCell",
    "new_uuid",
    "open_gradebook",
]

MAKE_VERSION = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"
SET_VERSION = "INSERT INTO alembic_version (version_num) VALUES (:head)"


def open_gradebook(url: str, course: str) -> Gradebook:
    """nbgrader's gradebook; where the database has no tables yet, they are made.

    nbgrader itself would do the same, and start the program ``alembic`` to ask which version it made.

    Raises:
        SQLAlchemyError: the database cannot be used.
    """
    engine = create_engine(url)
    try:
        if not inspect(engine).get_table_names():
            _make_tables(engine)
    finally:
        engine.dispose()
    return Gradebook(url, course)


def _make_tables(engine: Engine) -> None:
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(text(MAKE_VERSION))
        connection.execute(text(SET_VERSION), {"head": ScriptDirectory(ALEMBIC_DIR).get_current_head()})
