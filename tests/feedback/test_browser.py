"""The page in a real browser: nothing acts, nothing is fetched, and anyone can read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from autograder.feedback.command import run
from tests.feedback.browser import chromium
from tests.support.course import NAME, Course


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def pages(own_copy: Course) -> Path:
    """The folder of the pages, and the previews in the one beside it."""
    run(own_copy.root, NAME)
    run(own_copy.root, NAME, preview=True)
    return own_copy.root


def look(browser: Browser, path: Path, **options) -> Page:
    """Open a page, and all that is folded in it."""
    page = browser.new_page(**options)
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
    return page


@pytest.mark.parametrize("folder", ["feedback", "reports/preview"])
def test_nothing_of_a_students_acts(browser: Browser, pages: Path, folder: str) -> None:
    page = browser.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    path = pages / folder / "hostile" / NAME / f"{NAME}.html"
    page.goto(path.as_uri())
    page.wait_for_load_state("networkidle")
    for link in page.locator("main a").all():
        link.click(force=True, no_wait_after=True)
    assert "acted" not in page.title()
    assert page.locator("script, iframe, object, embed, svg, form, input").count() == 0
    assert [address for address in fetched if not address.startswith(("file:", "data:"))] == []
    assert "acted: print" in page.inner_text("main")  # it is shown, as text


def test_even_a_script_on_the_page_would_not_run(browser: Browser, pages: Path) -> None:
    path = pages / "feedback" / "right" / NAME / f"{NAME}.html"
    path.write_text(path.read_text().replace("</main>", "<script>document.title = 'acted'</script></main>"))
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.locator("script").count() == 1
    assert page.title().startswith("Feedback: ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("student", ["right", "wrong", "hostile"])
@pytest.mark.parametrize("folder", ["feedback", "reports/preview"])
def test_the_page_is_accessible(browser: Browser, pages: Path, folder: str, student: str, scheme: str) -> None:
    page = look(browser, pages / folder / student / NAME / f"{NAME}.html", color_scheme=scheme)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("width", [320, 800, 1400])
def test_nothing_is_cut_off_at_any_width(browser: Browser, pages: Path, width: int) -> None:
    page = look(
        browser, pages / "feedback" / "hostile" / NAME / f"{NAME}.html", viewport={"width": width, "height": 800}
    )
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
