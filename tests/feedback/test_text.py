"""A cell's source is shown as it is, and nothing of it is markup."""

from __future__ import annotations

import pytest

from autograder.feedback.text import MOST_CHARACTERS, code_html, prose_html


def test_code_is_escaped() -> None:
    html = code_html("x = '</code><script>act()</script>' & 1")
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "&amp;" in html


@pytest.mark.parametrize(
    "source",
    [
        "<script>act()</script>",
        "<div onclick=act()>\n\n**words**\n\n</div>",
        "words <img src=x onerror=act()> words",
        "<svg/onload=act()>",
        "`<b>` and\n\n    <b>code</b>\n\n```\n<b>\n```\n",
        "| <b> |\n|---|\n| <i> |\n",
        "[<b>x</b>](http://example.org)",
    ],
)
def test_html_in_prose_is_text(source: str) -> None:
    html = prose_html(source)
    for tag in ("<script", "<div", "<img", "<svg", "<b>", "<i>"):
        assert tag not in html
    assert "&lt;" in html


@pytest.mark.parametrize(
    "address",
    [
        "javascript:act()",
        "JaVaScRiPt:act()",
        "&#106;avascript:act()",
        "java\tscript:act()",
        "data:text/html,<script>act()</script>",
        "vbscript:act()",
        "file:///etc/passwd",
        "//example.org",
        'http://example.org/"onmouseover="act()',
    ],
)
def test_links_lead_to_the_web_or_nowhere(address: str) -> None:
    for source in (f"[words]({address})", f"[words](<{address}>)", f"[words][1]\n\n[1]: {address}", f"<{address}>"):
        html = prose_html(source).lower()
        assert 'href="j' not in html
        assert 'href="http://example.org/"' not in html
        assert all(f'href="{scheme}' not in html for scheme in ("data", "vbscript", "file", "//", "&#"))
        assert " onmouseover=" not in html.replace("&quot;", "")


def test_good_links_and_words_stay() -> None:
    html = prose_html("**bold**, `code` and [a page](https://numpy.org/doc)")
    assert "<strong>bold</strong>" in html
    assert "<code>code</code>" in html
    assert 'href="https://numpy.org/doc"' in html


def test_pictures_are_not_fetched_and_headings_are_no_headings() -> None:
    html = prose_html("# Big\n\nSmall\n-----\n\n![a cat](https://example.org/cat.png)")
    assert "<img" not in html
    assert "<h" not in html
    assert "picture: a cat" in html


@pytest.mark.parametrize(
    "source",
    [
        "[" * 19_000,
        "> " * 9_000,
        "*a_" * 6_000,
        "`" * 9_999 + "x",
        "- " * 9_000,
        "![](" * 4_000,
        "<" * 19_000,
        "|a" * 9_000,
        "> 1. " * 3_000,
        "[a](" * 4_000,
        "_" * 18_999,
        "a " * 9_000 + "|\n" + "-|" * 900,
        "\n".join("  " * depth + "- x" for depth in range(130)),
        "\n".join("> " * 7 + "- x" for _ in range(900)),
    ],
    ids=range(14),
)
def test_prose_made_to_hang_the_reader_is_shown(source: str) -> None:
    assert "x" in prose_html(source + "\n\nthe x at the end")


def test_long_sources_are_cut_and_say_so() -> None:
    assert "1,234 more characters are not shown" in code_html("x" * (MOST_CHARACTERS + 1234))
    assert "1,234 more characters are not shown" in prose_html("x" * (MOST_CHARACTERS + 1234))
