"""``autograded/<student>/<assignment>/``: the graded notebook as formgrader shows it, put in place in one step."""

from __future__ import annotations

import json
import shutil
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, Final

from autograder.assignment import Assignment
from autograder.engine.model import Outcome, TestOutcome
from autograder.errors import GraderFailure
from autograder.settings import MIB, Settings
from autograder.submission.files import TIMESTAMP_BYTES, TIMESTAMP_FILE, Refused, read_file
from autograder.submission.model import Readable
from autograder.wording import with_mistakes
from autograder.writing import refuse_links

NEW: Final = ".new"
OLD: Final = ".old"
FAILED: Final = "TestFailed"
NO_MESSAGE: Final = "This test did not pass."
FINDINGS: Final = "autograder"
"""In the metadata, for the feedback page: what the student may read of a test cell, and the facts on each function."""


def autograded_folder(settings: Settings, student: str, assignment: str) -> Path:
    """Where the graded submission of a student lies."""
    return settings.autograded / student / assignment


def autograded_notebook(assignment: Assignment, submission: Readable, outcome: Outcome) -> dict[str, Any]:
    """The rebuilt notebook with what its cells printed, and with what each failed test has to say."""
    notebook = dict(submission.notebook)
    cells = []
    for key, cell in zip(submission.keys, submission.notebook["cells"], strict=True):
        shown = dict(cell)
        if cell["cell_type"] == "code":
            test = outcome.tests.get(key)
            shown["outputs"] = _test_outputs(test) if test else outcome.outputs.get(key, [])
            if test:
                said = {"message": test.message, "mistakes": list(test.mistakes)}
                shown["metadata"] = cell["metadata"] | {FINDINGS: said}
        cells.append(shown)
    notebook["cells"] = cells
    facts = {name: list(found.facts) for name, found in outcome.found.items() if found.facts}
    notebook["metadata"] = notebook["metadata"] | {FINDINGS: {"facts": facts, "advice": outcome.advice}}
    return notebook


def _test_outputs(test: TestOutcome) -> list[dict[str, Any]]:
    """What nbgrader's own scoring would read the same score from: silence, a number, or an error."""
    if test.score >= test.max_score and not test.message:
        return []
    message = with_mistakes(test.message or NO_MESSAGE, test.mistakes)
    if test.score > 0 or test.max_score == 0:
        said = [{"output_type": "stream", "name": "stdout", "text": message + "\n"}]
        if 0 < test.score < test.max_score:
            data = {"text/plain": repr(test.score)}
            said.append({"output_type": "execute_result", "execution_count": None, "data": data, "metadata": {}})
        return said
    return [{"output_type": "error", "ename": FAILED, "evalue": message, "traceback": [message]}]


def notebook_bytes(notebook: dict[str, Any]) -> bytes:
    """The notebook as nbformat writes it."""
    return (_dumps(_split(notebook)) + "\n").encode("utf-8", errors="replace")


def _dumps(value: Any, line: str = "\n") -> str:
    """As ``json.dumps`` with nbformat's options, which takes five times as long: its fast half does not indent.

    Args:
        value: what JSON can hold, with text for keys.
        line: how a line begins on the level of the value.
    """
    inner = line + " "
    if isinstance(value, dict) and value:
        items = (f"{encode_basestring(key)}: {_dumps(value[key], inner)}" for key in sorted(value))
        return f"{{{inner}{f',{inner}'.join(items)}{line}}}"
    if isinstance(value, list | tuple) and value:
        return f"[{inner}{f',{inner}'.join([_dumps(item, inner) for item in value])}{line}]"
    return encode_basestring(value) if isinstance(value, str) else json.dumps(value)


def _split(notebook: dict[str, Any]) -> dict[str, Any]:
    cells = []
    for cell in notebook["cells"]:
        split = cell | {"source": cell["source"].splitlines(keepends=True)}
        if "outputs" in cell:
            split["outputs"] = [_split_output(output) for output in cell["outputs"]]
        cells.append(split)
    return notebook | {"cells": cells}


def _split_output(output: dict[str, Any]) -> dict[str, Any]:
    if isinstance(output.get("text"), str):
        return output | {"text": output["text"].splitlines(keepends=True)}
    return output


def write_autograded(
    settings: Settings,
    assignment: Assignment,
    student: str,
    folder: Path,
    submission: Readable,
    outcome: Outcome,
) -> None:
    """Put the graded notebook and the files beside it in place of what was there.

    Args:
        folder: the submission, from which the student's own files are copied; links in it are not followed.

    Raises:
        GraderFailure: the place cannot be written, or a link stands in it.
    """
    place = autograded_folder(settings, student, assignment.name)
    new, old = place.with_name(f"{NEW}-{place.name}"), place.with_name(f"{OLD}-{place.name}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        refuse_links(place.parent, place)
        for leftover in (new, old):
            if leftover.exists():
                shutil.rmtree(leftover)
        new.mkdir()
        notebook = autograded_notebook(assignment, submission, outcome)
        (new / f"{assignment.notebook}.ipynb").write_bytes(notebook_bytes(notebook))
        _copy_files(settings, folder, submission, new)
        if place.exists():
            place.rename(old)
        new.rename(place)
        if old.exists():
            shutil.rmtree(old)
    except OSError as error:
        raise GraderFailure.cannot_write(place, error.strerror or error) from error


def _copy_files(settings: Settings, folder: Path, submission: Readable, new: Path) -> None:
    for extra in submission.extra_files:
        target = new / extra.name
        try:
            content = read_file(folder, extra.name, settings.file_mib * MIB) if extra.own else extra.path.read_bytes()
        except (Refused, FileNotFoundError):
            continue  # it changed since the submission was read, which its notes cannot say any more
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    try:
        (new / TIMESTAMP_FILE).write_bytes(read_file(folder, TIMESTAMP_FILE, TIMESTAMP_BYTES))
    except (Refused, OSError):
        return  # no time stamp, or one that reading the submission has already noted
