"""What ``audits/<assignment>.toml`` says: the bar, the catalogue, the right answers, and what is known to be harmless.

The file lies beside ``source/`` and not in it: whatever lies in an assignment's source folder is handed to students.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from autograder.errors import AutograderError
from autograder.settings import Settings

FOLDER: Final = "audits"
DEFAULT_SHARE: Final = 0.95

UNREADABLE: Final = "{path} cannot be read ({reason}): correct it, then audit again."
UNKNOWN: Final = "{path}: there is no setting '{name}'; there are: {choices}."
WRONG: Final = "{path}: '{name}' should be {what}."


class AuditSettingsError(AutograderError):
    """The file says what makes no sense."""


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """The audit of one assignment."""

    path: Path
    present: bool = False
    """Whether there is a file; where not, these are the defaults: mutants alone, and no excuses."""
    catalogue: str = ""
    """Where the known mistakes are: ``package.module:NAME``; empty for none."""
    right: str = ""
    """The folder of right answers below the course folder, one scenario a folder; empty for none."""
    share: float = DEFAULT_SHARE
    """The part of the mutants that has to lose points."""
    equivalent: dict[str, str] = field(default_factory=dict)
    """Mutant -> why it is no worse than the solution."""
    overlapping: dict[str, str] = field(default_factory=dict)
    """Test cell that catches nothing on its own -> why it stays."""
    elsewhere: dict[str, str] = field(default_factory=dict)
    """Known mistake that no function of this assignment can make -> why that is so."""
    about: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Test cell -> the known mistakes that it is there for, and must catch by itself."""


def load_audit_settings(settings: Settings, assignment: str) -> AuditSettings:
    """Read the audit settings of an assignment; the defaults where it has none.

    Raises:
        AuditSettingsError: the file cannot be read or says what makes no sense.
    """
    path = settings.root / FOLDER / f"{assignment}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return AuditSettings(path)
    except (OSError, ValueError) as error:
        raise AuditSettingsError(UNREADABLE.format(path=path, reason=error)) from error
    texts = ("catalogue", "right")
    tables = ("equivalent", "overlapping", "elsewhere")
    choices = (*texts, "share", *tables, "about")
    for name in data:
        if name not in choices:
            raise AuditSettingsError(UNKNOWN.format(path=path, name=name, choices=", ".join(choices)))
    share = data.get("share", DEFAULT_SHARE)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise AuditSettingsError(WRONG.format(path=path, name="share", what="a number from 0 to 1"))
    return AuditSettings(
        path,
        present=True,
        share=float(share),
        about={cell: tuple(ids) for cell, ids in _table(path, data, "about", list).items()},
        **{name: _text(path, data, name) for name in texts},
        **{name: _table(path, data, name, str) for name in tables},
    )


def _text(path: Path, data: dict[str, Any], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise AuditSettingsError(WRONG.format(path=path, name=name, what="a text"))
    return value


def _table(path: Path, data: dict[str, Any], name: str, kind: type) -> dict[str, Any]:
    value = data.get(name, {})
    what = "a table of texts" if kind is str else "a table of lists of texts"
    if not isinstance(value, dict):
        raise AuditSettingsError(WRONG.format(path=path, name=name, what=what))
    for entry in value.values():
        texts = entry if isinstance(entry, list) else [entry]
        if not isinstance(entry, kind) or not all(isinstance(text, str) and text.strip() for text in texts):
            raise AuditSettingsError(WRONG.format(path=path, name=name, what=what))
    return value
