"""Reports say the same as text and as HTML, escape what they are given, and stay legible on both themes."""

import re

import pytest
from mha.check.report import PUBLIC_NOTE, Block, Mood, Report, Section

FULL = Report(
    Mood.WRONG,
    "Shape `(2, 3)` & <b>not</b> this one.",
    heading="Wrong shape",
    blocks=(Block("Yours:", "1 <2>\n3  4"),),
    section=Section(3, "Concat"),
    public=True,
)


def test_text_has_everything_in_order():
    assert FULL.text() == (
        "✗ Wrong shape. Shape `(2, 3)` & <b>not</b> this one.\n"
        "  Yours:\n    1 <2>\n    3  4\n"
        f"Taught in Lesson 3, “Concat”.\n{PUBLIC_NOTE}"
    )


def test_html_says_the_same_words_and_escapes_them():
    html = FULL.html()
    assert "<code>(2, 3)</code> &amp; &lt;b&gt;not&lt;/b&gt;" in html
    assert "1 &lt;2&gt;\n3  4</pre>" in html
    assert "Taught in Lesson 3, “Concat”." in html
    assert PUBLIC_NOTE in html


@pytest.mark.parametrize("mood", Mood)
def test_mood_is_told_by_words_and_mark_and_colours_no_text(mood):
    html = Report(mood, "Words.").html()
    assert f"{mood.mark} {mood.heading}." in html
    assert not re.search(r"[^-]color:", html)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("mood", Mood)
@pytest.mark.parametrize("face", ["#ffffff", "#111111"])
def test_edge_stands_out_on_either_theme(mood, face):
    dark, light = sorted((luminance(mood.edge), luminance(face)))
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_plain_python_prints_the_text(capsys):
    FULL.show()
    assert capsys.readouterr().out == FULL.text() + "\n"
