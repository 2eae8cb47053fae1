"""What a cell showed is inert on a page."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from autograder.feedback.outputs import MOST_IMAGE, MOST_OUTPUTS, MOST_TEXT, PNG, outputs_of
from autograder.feedback.scrub import plain, scrubbed
from autograder.settings import Settings

SETTINGS = Settings(root=Path("/srv/teaching/course"))
PICTURE = base64.b64encode(PNG + b"rest of a picture").decode()


def one(**output: Any):
    """The one output that comes of this one."""
    (shown,) = outputs_of([output], SETTINGS)
    return shown


def display(**data: Any):
    """The output that comes of data, kinds written with ``_`` for ``/``."""
    return one(output_type="display_data", data={kind.replace("_", "/", 1): value for kind, value in data.items()})


@pytest.mark.parametrize("kind", ["text_html", "image_svg+xml", "application_javascript", "text_markdown"])
def test_markup_becomes_text(kind: str) -> None:
    shown = display(**{kind: "<script>act()</script>"})
    assert shown.text == "<script>act()</script>"
    assert not shown.image


def test_words_come_before_markup_unless_they_say_nothing() -> None:
    assert display(text_plain="a table", text_html="<table>").text == "a table"
    assert display(text_plain="<IPython.core.display.HTML object>", text_html="<b>words</b>").text == "<b>words</b>"


def test_png_is_shown_with_its_words() -> None:
    shown = display(image_png=PICTURE[:8] + "\n" + PICTURE[8:], text_plain="<Figure size 640x480>")
    assert shown.image == f"data:image/png;base64,{PICTURE}"
    assert shown.text == "<Figure size 640x480>"


@pytest.mark.parametrize(
    "value",
    [
        base64.b64encode(b"<svg onload=act()>").decode(),
        PICTURE + '"><script>act()</script>',
        "not base64",
        "A" * (MOST_IMAGE + 1),
        "ä",
        7,
        None,
        {"src": PICTURE},
    ],
)
def test_what_is_no_png_is_no_picture(value: Any) -> None:
    shown = display(image_png=value, text_plain="words")
    assert not shown.image
    assert shown.text == "words"


def test_lists_of_lines_are_joined() -> None:
    assert one(output_type="stream", name="stdout", text=["a\n", "b"]).text == "a\nb"


@pytest.mark.parametrize("output", [{}, {"output_type": "display_data"}, {"output_type": "display_data", "data": [1]}])
def test_odd_outputs_are_said_so(output: dict[str, Any]) -> None:
    assert "not shown" in one(**output).text


def test_long_output_is_cut_and_says_so() -> None:
    shown = one(output_type="stream", name="stdout", text="x" * (MOST_TEXT + 12_345))
    assert len(shown.text) == MOST_TEXT
    assert shown.cut == 12_345


def test_many_outputs_are_cut_and_say_so() -> None:
    shown = outputs_of([{"output_type": "stream", "text": "x"}] * (MOST_OUTPUTS + 3), SETTINGS)
    assert len(shown) == MOST_OUTPUTS + 1
    assert "3 more" in shown[-1].text


def test_an_error_keeps_its_lines_without_colours() -> None:
    shown = one(output_type="error", ename="E", evalue="v", traceback=["\x1b[0;31mKeyError\x1b[0m", "line 2"])
    assert shown.text == "KeyError\nline 2"
    assert shown.is_error


def test_characters_that_act_are_replaced() -> None:
    hidden = "a\x1b]8;;http://x\x07link\x1b]8;;\x07\x00\x08\u202egnp\u2066 b\ud800"
    assert plain(hidden) == "alink\ufffd\ufffd\ufffdgnp\ufffd b\ufffd"
    assert plain("one\r\ntwo\rthree\tfour\n") == "one\ntwo\nthree\tfour\n"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("File /srv/teaching/course/source/a.ipynb", "File …/source/a.ipynb"),
        ('File "/opt/py/lib/python3.11/site-packages/numpy/core.py"', 'File "…/site-packages/numpy/core.py"'),
        ("C:\\py\\Lib\\site-packages\\numpy", "…\\site-packages\\numpy"),
        ("/home/teacher/keys and /Users/teacher/keys", "…/keys and …/keys"),
        ("/root/.ssh", "…/.ssh"),
        ("a/b and 1/2 stay, and so does /tmp/mine.txt", "a/b and 1/2 stay, and so does /tmp/mine.txt"),
    ],
)
def test_paths_of_the_machine_are_gone(text: str, clean: str) -> None:
    assert scrubbed(text, SETTINGS) == clean
