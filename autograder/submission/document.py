"""From the bytes of a submitted notebook to its cells, whatever program wrote them."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any, Final

from autograder.assignment import KNOWN_FORMAT, text_of
from autograder.submission.model import StudentCell

MAX_CELLS: Final = 5000
MAX_VALUES: Final = 5_000_000
"""So many values (of JSON, outside its texts) take about half a gigabyte to hold; no honest notebook comes near."""
CELL_TYPES: Final = ("code", "markdown", "raw")
STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""One without an end goes on to that of the text: else each quote in it would be looked at as its beginning."""
BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

EMPTY: Final = "The file {file} is empty."
WEB_PAGE: Final = "The file {file} is a web page that was saved under a notebook's name."
NOT_JSON: Final = "The file {file} is no notebook or was cut off: it stops making sense at line {line}."
TOO_DEEP: Final = "The file {file} is nested too deeply to be a notebook."
TOO_MUCH: Final = "The file {file} needs more memory than a notebook may."
NO_CELLS: Final = "The file {file} is no notebook: it holds no list of cells."
TOO_MANY_CELLS: Final = "The file {file} has {count} cells; more than {most} are not graded without a look at them."

HAD_BOM: Final = "The file begins with a byte-order mark, which was skipped."
OTHER_ENCODING: Final = "The file is written in {encoding} instead of UTF-8 and was read as such."
OTHER_FORMAT: Final = "The file has notebook format {version} and was read as format 4."
ODD_CELLS: Final = "Cells of the file that cannot be read and were left out: {count}."


class UnreadableNotebook(ValueError):
    """There are no cells to be had; the text is a sentence for the instructor."""


@dataclass(frozen=True, slots=True)
class Document:
    """A submitted notebook: its cells, and nothing of what it says it once printed."""

    cells: tuple[StudentCell, ...]
    kernel: str
    """Name of its kernel, "" for none."""
    notes: tuple[str, ...]


def read_document(raw: bytes, file: str) -> Document:
    """The cells of a notebook; its stored outputs are dropped.

    Raises:
        UnreadableNotebook: there is no reading these bytes.
    """
    notes: list[str] = []
    if not raw.strip(b"\0 \t\r\n"):
        raise UnreadableNotebook(EMPTY.format(file=file))
    text = _decode(raw, notes)
    if _values_at_most(text) > MAX_VALUES:
        raise UnreadableNotebook(TOO_MUCH.format(file=file))
    try:
        content = json.loads(text, object_pairs_hook=_without_outputs)
    except MemoryError as error:
        raise UnreadableNotebook(TOO_MUCH.format(file=file)) from error
    except RecursionError as error:
        raise UnreadableNotebook(TOO_DEEP.format(file=file)) from error
    except json.JSONDecodeError as error:
        if text.lstrip().startswith("<"):
            raise UnreadableNotebook(WEB_PAGE.format(file=file)) from error
        raise UnreadableNotebook(NOT_JSON.format(file=file, line=error.lineno)) from error
    except ValueError as error:  # a number of thousands of digits
        raise UnreadableNotebook(NOT_JSON.format(file=file, line=1)) from error
    raw_cells = _raw_cells(content)
    if raw_cells is None:
        raise UnreadableNotebook(NO_CELLS.format(file=file))
    if len(raw_cells) > MAX_CELLS:
        raise UnreadableNotebook(TOO_MANY_CELLS.format(file=file, count=len(raw_cells), most=MAX_CELLS))
    version = content.get("nbformat")
    if version != KNOWN_FORMAT:
        notes.append(OTHER_FORMAT.format(version=version if isinstance(version, int) else "unknown"))
    cells = [cell for cell in map(_student_cell, raw_cells) if cell is not None]
    if len(cells) < len(raw_cells):
        notes.append(ODD_CELLS.format(count=len(raw_cells) - len(cells)))
    return Document(tuple(cells), _kernel(content), tuple(notes))


def _values_at_most(text: str) -> int:
    """A bound on how many values a JSON text holds: a list of nothing takes thirty times the memory of its text."""
    bound = sum(map(text.count, ",[{"))
    return bound if bound <= MAX_VALUES else sum(map(STRING.sub("", text).count, ",[{"))


def _without_outputs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # dropped as soon as they are read: of a large notebook they are nearly all
    return {name: value for name, value in pairs if name != "outputs"}


def _decode(raw: bytes, notes: list[str]) -> str:
    for bom, encoding in BOMS:
        if raw.startswith(bom):
            notes.append(HAD_BOM if encoding == "utf-8-sig" else OTHER_ENCODING.format(encoding=encoding.upper()))
            return raw.decode(encoding, errors="replace")
    guess = json.detect_encoding(raw[:8])
    for encoding in dict.fromkeys((guess, "utf-8", "cp1252")):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding != "utf-8":
            notes.append(OTHER_ENCODING.format(encoding={"cp1252": "Windows-1252"}.get(encoding, encoding.upper())))
        return text
    notes.append(OTHER_ENCODING.format(encoding="Latin-1"))
    return raw.decode("latin-1")


def _raw_cells(content: Any) -> list[Any] | None:
    if not isinstance(content, dict):
        return None
    cells = content.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = content.get("worksheets")  # nbformat 2 and 3
    if not isinstance(sheets, list):
        return None
    found: list[Any] = []
    for sheet in sheets:
        if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list):
            found += sheet["cells"]
    return found


def _student_cell(raw: Any) -> StudentCell | None:
    if not isinstance(raw, dict):
        return None
    cell_type = raw.get("cell_type")
    source = text_of(raw["source"]) if "source" in raw else text_of(raw.get("input"))
    if cell_type == "heading":  # nbformat 3
        level = raw.get("level")
        source = "#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1) + " " + source
    if cell_type not in CELL_TYPES:
        cell_type = "markdown" if cell_type in {"heading", "html"} else "raw"
    metadata = raw.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    marks = marks if isinstance(marks, dict) else {}
    grade_id, cell_id = marks.get("grade_id"), raw.get("id")
    return StudentCell(
        cell_type=cell_type,
        source=_clean(source),
        grade_id=grade_id if isinstance(grade_id, str) else "",
        cell_id=cell_id if isinstance(cell_id, str) else "",
        marks=marks,
        attachments=_attachments(raw.get("attachments")) if cell_type == "markdown" else {},
    )


def _clean(text: str) -> str:
    """Line ends as Python has them, and no half characters, which cannot be written back as UTF-8."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))


def _attachments(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict):
        return {}
    return {
        name: {kind: data for kind, data in bundle.items() if isinstance(data, str) and kind.startswith("image/")}
        for name, bundle in raw.items()
        if isinstance(bundle, dict)
    }


def _kernel(content: dict[str, Any]) -> str:
    metadata = content.get("metadata")
    kernelspec = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    name = kernelspec.get("name") if isinstance(kernelspec, dict) else None
    return _clean(name)[:60] if isinstance(name, str) else ""
