"""Formgrader in a real browser: its button grades in the sandbox, and what it shows of a submission is inert."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from tests.doors.conftest import GRADES, make_door_course, rows
from tests.feedback.browser import chromium
from tests.feedback.hostile import CODE, MARKDOWN, RAW
from tests.support.course import NAME, RIGHT, Course, cell

READY = re.compile(r"http://127\.0\.0\.1:(?P<port>\d+)/")
NAMED = "<img src=x onerror=document.title='acted'>"
PATIENCE = 120_000
"""Milliseconds: a loaded machine must not fail the test."""


@dataclass(frozen=True)
class Server:
    """A Jupyter server in a course, with formgrader."""

    course: Course
    address: str

    def page(self, path: str) -> str:
        return f"{self.address}/formgrader/{path}"

    def submission(self, student: str) -> str:
        """The page on which a person marks a student's notebook."""
        with urlopen(self.page(f"api/submitted_notebooks/{NAME}/{NAME}")) as answer:
            found = {notebook["student"]: notebook["id"] for notebook in json.load(answer)}
        return self.page(f"submissions/{found[student]}/")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, released: Path) -> Iterator[Server]:
    course = make_door_course(tmp_path_factory.mktemp("formgrader") / "course")
    shutil.copy(released, course.root / "gradebook.db")
    for student in course.root.joinpath("submitted").iterdir():
        if student.name not in ("right", "late"):
            shutil.rmtree(student)
    cells = [*course.answered(**(RIGHT | {"why": MARKDOWN})), cell("code", "acts", CODE)]
    course.hand_in("hostile", [*cells, cell("markdown", "acts-too", MARKDOWN), cell("raw", "acts-raw", RAW)])
    course.hand_in(NAMED, course.answered(**RIGHT))
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | {
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
    }
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token="]
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyter_server", *options, f"--ServerApp.root_dir={course.root}"],
        cwd=course.root,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said: list[str] = []
    reader = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
    try:
        address = ""
        for line in process.stderr:
            said.append(line)
            if found := READY.search(line):
                address = found[0].rstrip("/")
                break
        reader.start()  # a pipe that nobody empties would stop the server
        assert address, "".join(said)
        yield Server(course, address)
    finally:
        process.terminate()
        process.wait()
        reader.join()
        process.stderr.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module", autouse=True)
def autograded(server: Server, browser: Browser) -> None:
    """Every submission, graded by a click on formgrader's button."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(server.page(f"manage_submissions/{NAME}"))
    for student in ("hostile", "late", "right", NAMED):
        page.locator("tr", has=page.get_by_text(student, exact=True)).locator("td.autograde a").click()
        dialog = page.locator(".modal.in")
        expect(dialog).to_contain_text("Successfully autograded", timeout=PATIENCE)
        dialog.get_by_role("button", name="OK").click()
        expect(dialog).to_be_hidden(timeout=PATIENCE)
    page.close()


def test_the_button_grades_in_the_sandbox(server: Server) -> None:
    scores = {(student, name): score for student, name, score, *_ in rows(server.course, GRADES)}
    assert scores["right", "test_add"] == 3.0
    assert scores["late", "test_double"] == 0.0
    assert scores["hostile", "test_double"] == 2.0
    notebook = (server.course.root / "autograded" / "late" / NAME / f"{NAME}.ipynb").read_text()
    assert "double(1) is 2" in notebook
    assert (server.course.root / ".autograder" / "details" / NAME).is_dir()


def test_formgrader_shows_the_grades(server: Server, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(server.page(f"gradebook/{NAME}/{NAME}"))
    row = page.locator("tbody tr", has=page.get_by_text("late", exact=True))
    expect(row.locator("td.code-score")).to_have_text("3 / 5", timeout=PATIENCE)
    page.goto(server.submission("late"))
    expect(page.get_by_text("double(1) is 2").first).to_be_visible(timeout=PATIENCE)


def test_a_name_does_not_act_in_formgrader(server: Server, browser: Browser) -> None:
    page = browser.new_page()
    for path in (f"manage_submissions/{NAME}", f"gradebook/{NAME}/{NAME}", "manage_students"):
        page.goto(server.page(path))
        expect(page.get_by_text(NAMED).last).to_be_attached(timeout=PATIENCE)
        assert "acted" not in page.title(), path
    page.goto(server.submission(NAMED))
    expect(page.get_by_text(NAMED).last).to_be_attached(timeout=PATIENCE)
    page.wait_for_load_state("networkidle")
    assert "acted" not in page.title()


def test_nothing_of_a_students_acts_in_formgrader(server: Server, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(server.submission("hostile"))
    expect(page.get_by_text("acted: print").last).to_be_visible(timeout=PATIENCE)
    page.wait_for_load_state("networkidle")
    assert "acted" not in page.title()
    assert page.locator("[onerror], [onload], a[href^=javascript]").count() == 0
    assert page.locator("script", has_text="acted").count() == 0
