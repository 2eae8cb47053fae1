"""Right answers kept as folders: ``solution.py`` with a header before each cell, a sentence in ``expected.json``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from .model import Answer, Candidate, Kind
from .settings import AuditSettingsError

EXTRA: Final = "extra"
_HEADER: Final = re.compile(r"^# %%[ \t]+(?P<cell>\S+)[ \t]*$", re.MULTILINE)

NO_FOLDER: Final = "{path}: there is no folder of right answers {folder}."
BAD_SCENARIO: Final = "{folder} is no right answer ({reason})."


def read_right_answers(folder: Path, settings_path: Path) -> list[Candidate]:
    """The right answers in a folder, by name.

    Raises:
        AuditSettingsError: there is no such folder, or one in it is not what it should be.
    """
    if not folder.is_dir():
        raise AuditSettingsError(NO_FOLDER.format(path=settings_path, folder=folder))
    found = []
    for place in sorted(folder.iterdir()):
        if not place.is_dir() or place.name[0] in "._":
            continue
        try:
            answers = read_answers((place / "solution.py").read_text(encoding="utf-8"))
            sentence = json.loads((place / "expected.json").read_text(encoding="utf-8"))["behaviour"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise AuditSettingsError(BAD_SCENARIO.format(folder=place, reason=error)) from error
        found.append(Candidate(Kind.RIGHT, place.name, str(sentence), answers, complete=True))
    return found


def read_answers(text: str) -> tuple[Answer, ...]:
    """The cells of a ``solution.py``.

    Raises:
        ValueError: something stands before the first header.
    """
    headers = list(_HEADER.finditer(text))
    if not headers or text[: headers[0].start()].strip():
        raise ValueError("solution.py does not start with a header such as '# %% concat_heads'")
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return tuple(
        Answer(header["cell"], text[header.end() : end].strip("\n")) for header, end in zip(headers, ends, strict=True)
    )
