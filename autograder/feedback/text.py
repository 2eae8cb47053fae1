"""A cell's source as HTML in which nothing of the student's is markup."""

from __future__ import annotations

import re
from typing import Any, Final

import mistune
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.feedback.scrub import plain

MOST_CHARACTERS: Final = 20_000
CUT: Final = "\n[… {count:,} more characters are not shown]"
SAFE_LINK: Final = re.compile(r"(?:https?://|mailto:)[^\s\"'<>]+", re.IGNORECASE)
DEEP: Final = re.compile(
    r"[\[\]>*_`!(]{40,}|(?:^[ \t]*(?:[>*+-]|\d+[.)])[ \t]*){8,}|(?:[>*+-][ \t]+){8,}", re.MULTILINE
)
"""Runs of marks that no one writes by hand, on which a Markdown parser may spend minutes."""
MOST_MARKS: Final = 4000


class _Renderer(mistune.HTMLRenderer):
    """Prose and code; headings are mere bold lines, so that the page keeps an outline of its own."""

    def __init__(self) -> None:
        super().__init__(escape=True)

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        return f"<p><strong>{text}</strong></p>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        if not SAFE_LINK.fullmatch(url):
            return text
        return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">{text}</a>'

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return f"[picture: {text}]"

    def block_html(self, html: str) -> str:
        return f"<p>{escape(html.strip())}</p>\n"


_markdown = mistune.create_markdown(renderer=_Renderer(), plugins=["strikethrough", "table"])
_formatter = HtmlFormatter(nowrap=True, wrapcode=False)
_lexer = PythonLexer(stripnl=False, ensurenl=False)


def shortened(text: str, most: int = MOST_CHARACTERS) -> tuple[str, int]:
    """The beginning of a text that is too long, and how many characters are missing."""
    return (text, 0) if len(text) <= most else (text[:most], len(text) - most)


def code_html(source: str) -> Markup:
    """Python, coloured."""
    text, note = _whole(source)
    return Markup(highlight(text, _lexer, _formatter)) + note


def prose_html(source: str) -> Markup:
    """Markdown; raw HTML in it is shown as text."""
    text, note = _whole(source)
    marks = sum(text.count(mark) for mark in "[]*_`!<>|&")
    if DEEP.search(text) or marks > MOST_MARKS:
        return _as_it_stands(text) + note
    try:
        return Markup(_markdown(text)) + note
    except RecursionError:
        return _as_it_stands(text) + note


def _as_it_stands(text: str) -> Markup:
    return Markup('<pre class="prose">{}</pre>').format(text)


def _whole(source: str) -> tuple[str, str]:
    """As much of a source as is shown, and what is said of the rest."""
    text, cut = shortened(plain(source))
    return text, CUT.format(count=cut) if cut else ""
