"""What doctor finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.doctor import Finding, examine, stock_cannot_take
from autograder.sandbox.probe import Probe
from autograder.screen import show_findings
from tests.support.course import NAME, RIGHT, Course


@pytest.fixture
def findings(course: Course, monkeypatch: pytest.MonkeyPatch) -> dict[str, Finding]:
    course.hand_in("s01", course.answered(**RIGHT))
    course.hand_in("s02", course.answered(**RIGHT), name="renamed.ipynb")
    return {finding.what: finding for finding in examine(course.root)}


def test_this_machine_can_grade(findings: dict[str, Finding]) -> None:
    assert [finding for finding in findings.values() if finding.needed and not finding.ok] == []
    assert findings["isolation bubblewrap"].ok
    assert "ms" in findings["isolation bubblewrap"].detail
    assert findings["assignment sums"].detail == "2 test cells, 5 points"
    assert "will be made in" in findings["gradebook"].detail


def test_submissions_that_stock_passes_over_are_named(findings: dict[str, Finding], course: Course) -> None:
    finding = findings["submissions of sums"]
    assert (finding.ok, finding.needed) == (False, False)
    assert finding.detail.endswith(": s02")
    assert stock_cannot_take(course.settings, NAME, NAME) == ["s02"]


def test_what_is_missing_is_said(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    (course.root / "gradebook.db").write_text("no database " * 100)
    probe = Probe("bubblewrap", False, "no user namespaces", 0.0, "")
    monkeypatch.setattr("autograder.sandbox.probe.probe_all", lambda: [probe])
    monkeypatch.setattr("autograder.doctor.shutil.which", lambda *arguments, **options: None)
    missing = {finding.what: finding.detail for finding in examine(course.root) if finding.needed and not finding.ok}
    assert missing == {
        "alembic (makes the gradebook)": "reinstall nbgrader",
        "an isolation for --isolation auto": "on Debian and Ubuntu: apt-get install bubblewrap",
        "gradebook": "file is not a database",
    }


def test_outside_a_course(tmp_path: Path) -> None:
    last = examine(tmp_path)[-1]
    assert (last.ok, last.what) == (False, "course folder")
    assert "is not a course folder" in last.detail


def test_the_status_says_whether_something_needed_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = Finding("a", True, "fine"), Finding("b", False, "no")
    assert show_findings([good, Finding("c", False, "no", needed=False)]) == 0
    assert show_findings([good, bad]) == 1
    assert "MISSING" in capsys.readouterr().out
