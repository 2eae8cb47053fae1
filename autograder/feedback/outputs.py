"""What a student's cells showed, made inert: texts are texts, and pictures are PNG or nothing."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any, Final

from autograder.assignment import text_of
from autograder.feedback.model import Output
from autograder.feedback.scrub import scrubbed
from autograder.feedback.text import shortened
from autograder.settings import Settings

DATA_ADDRESS: Final = "data:image/png;base64,"
PNG: Final = b"\x89PNG\r\n\x1a\n"
MOST_OUTPUTS: Final = 40
MOST_TEXT: Final = 8_000
MOST_IMAGE: Final = 2_000_000
"""Characters of base64 in one picture."""
SOURCES: Final = (
    ("text/plain", "Shown by the cell"),
    ("text/markdown", "Markdown, as text"),
    ("text/latex", "LaTeX, as text"),
    ("text/html", "HTML, as text"),
    ("image/svg+xml", "SVG, as text"),
    ("application/javascript", "JavaScript, as text"),
    ("application/json", "JSON, as text"),
)
"""The kinds of output that are shown, the first that is there."""
NAMELESS: Final = "<IPython.core.display."
"""How IPython describes what it shows in words when it has none."""
LABELS: Final = {"stdout": "Printed", "stderr": "Printed as a warning"}
TOO_MANY: Final = "… {count:,} more outputs are not shown"
NOT_SHOWN: Final = "(an output of a kind that is not shown here)"


def outputs_of(raw: Iterable[Mapping[str, Any]], settings: Settings) -> tuple[Output, ...]:
    """A cell's outputs as a page may show them."""
    everything = list(raw)
    shown = [_output(output, settings) for output in everything[:MOST_OUTPUTS]]
    if len(everything) > MOST_OUTPUTS:
        shown.append(Output("Cut", TOO_MANY.format(count=len(everything) - MOST_OUTPUTS)))
    return tuple(shown)


def _output(raw: Mapping[str, Any], settings: Settings) -> Output:
    match raw.get("output_type"):
        case "stream":
            label = LABELS.get(str(raw.get("name")), "Printed")
            return _text(label, text_of(raw.get("text", "")), settings)
        case "error":
            lines = raw.get("traceback")
            text = "\n".join(str(line) for line in lines) if isinstance(lines, list) else str(raw.get("evalue", ""))
            return _text("Error", text, settings, is_error=True)
        case _:
            data = raw.get("data")
            return _data(data if isinstance(data, Mapping) else {}, settings)


def _data(data: Mapping[str, Any], settings: Settings) -> Output:
    picture = png_base64(data.get("image/png"))
    if picture:
        described = scrubbed(text_of(data.get("text/plain", "")), settings).strip()[:200]
        return Output("Picture drawn by the cell", text=described, image=DATA_ADDRESS + picture)
    label, text = text_in(data)
    return _text(label, text, settings)


def text_in(data: Mapping[str, Any]) -> tuple[str, str]:
    """What an output says in words, and what to call it."""
    found = [(label, text) for kind, label in SOURCES if (text := text_of(data.get(kind, "")))]
    if len(found) > 1 and found[0][1].startswith(NAMELESS):
        found = found[1:]
    return found[0] if found else ("Shown by the cell", NOT_SHOWN)


def _text(label: str, text: str, settings: Settings, is_error: bool = False) -> Output:
    kept, cut = shortened(text, MOST_TEXT)
    return Output(label, scrubbed(kept, settings), cut=cut, is_error=is_error)


def png_base64(value: Any) -> str:
    """The base64 of what really is a PNG, or nothing."""
    text = "".join(text_of(value).split())
    if not text or len(text) > MOST_IMAGE:
        return ""
    try:
        picture = base64.b64decode(text, validate=True)
    except ValueError:
        return ""
    return base64.b64encode(picture).decode("ascii") if picture.startswith(PNG) else ""
