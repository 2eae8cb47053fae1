"""The page: whole, readable by everybody, and in need of nothing beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from autograder.audit.model import Kind
from autograder.audit.page import page, picture, write_page
from autograder.audit.report import AuditReport
from autograder.errors import GraderFailure
from tests.audit.test_report import FLAWLESS, mistake, trial, with_trial
from tests.feedback.browser import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


FAULTY = with_trial(
    trial(Kind.RIGHT, "einsum", "ab"),
    mistake("slips", "", function="double"),
    trial(Kind.MUTANT, "a < b → a <= b", function="add"),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("report", [FLAWLESS, FAULTY], ids=["flawless", "faulty"])
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, report: AuditReport, scheme: str) -> None:
    write_page(report, tmp_path / "page.html")
    shown = browser.new_page(color_scheme=scheme)
    shown.goto((tmp_path / "page.html").as_uri())
    shown.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
    found = Axe().run(shown)
    assert found.violations_count == 0, found.generate_report()


def test_a_small_window_does_not_scroll_sideways(browser: Browser, tmp_path: Path, real: AuditReport) -> None:
    write_page(real, tmp_path / "page.html")
    shown = browser.new_page(viewport={"width": 390, "height": 800})
    shown.goto((tmp_path / "page.html").as_uri())
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_page_needs_nothing_beside_it() -> None:
    text = page(FAULTY)
    assert not re.search(r"<(script|link|iframe|img)\b|\b(src|href)=|@import|url\(", text)


def test_everything_is_on_it_and_escaped() -> None:
    text = page(FAULTY)
    for each in FAULTY.of(Kind.MISTAKE, Kind.RIGHT):
        assert f"<code>{each.candidate.id}</code>" in text
    assert "<code>a &lt; b → a &lt;= b</code>" in text
    assert "a < b" not in text
    assert text.count("<li>The ") == len(FAULTY.faults) == 3
    assert "No reason is given." in text
    assert "The tests are not good enough" in text
    assert "The tests are good enough" in page(FLAWLESS)


def test_the_picture_draws_what_was_caught() -> None:
    drawn = picture(FAULTY, Kind.MISTAKE, "known mistakes")
    rows = {name: y for y, name in drawn.labels}
    assert [(group.name, group.count) for group in drawn.groups] == [("add", 2), ("double", 1)]
    add, double = drawn.groups
    assert {(box.x, box.y) for box in drawn.boxes} == {
        (add.x, rows["test_a"]),
        (add.x + add.width // 2, rows["test_b"]),
    }
    assert [(miss.x, miss.excused) for miss in drawn.missed] == [(double.x, False)]
    assert drawn.description.startswith("2 of 3 known mistakes lose points in at least one of 2 test cells.")


def test_a_miss_with_a_reason_is_drawn_as_one() -> None:
    excuse = {"a < b → a <= b": "they are never equal"}
    report = replace(FAULTY, settings=replace(FAULTY.settings, equivalent=excuse))
    assert [miss.excused for miss in picture(report, Kind.MUTANT, "mutants").missed] == [True]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(GraderFailure, match="cannot be written"):
        write_page(FLAWLESS, tmp_path / "file" / "page.html")
