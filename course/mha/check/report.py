"""One way to answer: what every check of the course says, and how it looks.

A report reads the same as plain text and as HTML. It sets no text colour, so it has the contrast of whatever theme
it stands on, and it says in words and with a mark what the colour of its edge says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from html import escape

from mha.show import emit

__all__ = ["Block", "Mood", "Report", "Section"]

PUBLIC_NOTE = "These are the public checks. Grading runs these and hidden ones, with other sizes and other numbers."


class Mood(Enum):
    """What kind of answer it is: a mark, a heading, and a colour with 3:1 against both white and near-black."""

    RIGHT = ("✓", "Right", "#1a8a4a")
    WRONG = ("✗", "Not quite", "#c7522a")
    WAITING = ("…", "Your turn", "#3d7ab8")
    NOTE = ("•", "Note", "#7d7d7d")

    def __init__(self, mark: str, heading: str, edge: str) -> None:
        self.mark = mark
        self.heading = heading
        self.edge = edge


@dataclass(frozen=True)
class Section:
    """A place in the course: the lesson's number and the exact words of its heading."""

    lesson: int
    heading: str

    def __str__(self) -> str:
        return f"Lesson {self.lesson}, “{self.heading}”"


@dataclass(frozen=True)
class Block:
    """Something to look at below the message (an array, say): a caption and text whose layout matters."""

    caption: str
    text: str


@dataclass(frozen=True)
class Report:
    """A check's answer.

    Attributes:
        mood: what kind of answer it is.
        message: whole sentences; words between backticks are set as code.
        heading: short words that replace the mood's own.
        blocks: arrays or code to look at.
        section: where this was taught.
        public: say that hidden checks exist beside these.
    """

    mood: Mood
    message: str
    heading: str | None = None
    blocks: tuple[Block, ...] = ()
    section: Section | None = None
    public: bool = False

    def text(self) -> str:
        """Return the report as plain text."""
        lines = [f"{self.mood.mark} {self.heading or self.mood.heading}. {self.message}"]
        for block in self.blocks:
            lines += [f"  {block.caption}", *(f"    {line}" for line in block.text.splitlines())]
        return "\n".join(lines + self._closing_lines())

    def html(self) -> str:
        """Return the report as HTML that is legible on a light and on a dark theme."""
        heading = escape(f"{self.mood.mark} {self.heading or self.mood.heading}.")
        parts = [f"<strong>{heading}</strong> {_code_marked(self.message)}"]
        parts += [
            f'<div style="margin-top: 0.5em">{_code_marked(block.caption)}</div>'
            f'<pre style="margin: 0.2em 0 0 1em">{escape(block.text)}</pre>'
            for block in self.blocks
        ]
        parts += [f'<div style="margin-top: 0.5em">{_code_marked(line)}</div>' for line in self._closing_lines()]
        style = f"border-left: 5px solid {self.mood.edge}; padding: 0.3em 0.9em; max-width: 60em"
        return f'<div style="{style}">{"".join(parts)}</div>'

    def show(self) -> None:
        """Show the report below the cell, or print it where there is no notebook."""
        emit({"text/html": self.html(), "text/plain": self.text()})

    def _closing_lines(self) -> list[str]:
        lines = [f"Taught in {self.section}."] if self.section else []
        return lines + ([PUBLIC_NOTE] if self.public else [])


def _code_marked(message: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(message, quote=False))
