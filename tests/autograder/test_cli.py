"""The command itself, with the real engine and the real sandbox."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import autograder
from autograder import cli
from autograder.errors import ALL_GRADED, GRADER_FAILED, SOME_NEED_ATTENTION, WRONG_USE
from autograder.results import Results, Status, Submission
from autograder.screen import exit_status, harmless, results_table, summary
from tests.support.course import NAME, RIGHT, Course, cell, outcome


def command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``python -m autograder`` as a user would."""
    return subprocess.run(
        [sys.executable, "-m", "autograder", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        env=os.environ | {"COLUMNS": "160"},
    )


def test_a_class_from_end_to_end(course: Course, tmp_path: Path) -> None:
    course.hand_in("s01", course.answered(**RIGHT))
    course.hand_in("s02", course.answered(**RIGHT | {"add": "def add(a, b):\n    return a - b"}))
    course.hand_in("s03", course.released())
    course.hand_in("s04", [*course.answered(double=RIGHT["double"]), cell("code", "mine", RIGHT["add"])])
    first, second, third = (tmp_path / f"{number}.json" for number in range(3))
    done = command("grade", NAME, "--course-dir", course.root, "--json", first)
    assert (done.returncode, done.stderr) == (ALL_GRADED, "")
    results = Results.from_json(first.read_text())
    scores = {own.student: own.score for own in results.submissions}
    assert scores == {"s01": 5.0, "s02": 2.0, "s03": 0.0, "s04": 5.0}, first.read_text()
    assert results.submissions[1].cells["test_add"].message == "add(1, 2) is 3"
    assert "isolation bubblewrap" in done.stdout
    assert "5 / 5" in done.stdout
    command("grade", NAME, "--json", second, cwd=course.root)
    course.hand_in("s05", b"")
    done = command("grade", NAME, "--force", "--workers", 1, "--student", "s0[1-4]", "--json", third, cwd=course.root)
    assert done.returncode == ALL_GRADED
    assert first.read_bytes() == second.read_bytes() == third.read_bytes()
    done = command("grade", NAME, "--json", "-", cwd=course.root)
    assert done.returncode == SOME_NEED_ATTENTION
    document = json.loads(done.stdout)
    assert document["submissions"][-1]["status"] == "needs_attention"
    assert "needs attention" in done.stderr
    alone = autograder.grade(
        course.folder("s02") / f"{NAME}.ipynb", assignment=NAME, course_dir=course.root
    ).submissions[0]
    assert (alone.student, alone.score, alone.cells) == (NAME, 2.0, results.submissions[1].cells), alone.notes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["grade", "nothing"], "There is no assignment 'nothing'"),
        (["grade", NAME], "There is nothing to grade for 'sums'"),
        (["grade", NAME, "--workers", "0"], "--workers must be at least 1"),
        (["grade", NAME, "--workers", "x"], "Invalid value for '--workers'"),
        (["grade"], "Missing argument 'ASSIGNMENT'"),
        (["grade", NAME, "--course-dir", "/nowhere"], "/nowhere is not a course folder"),
        (["release", "nothing"], "There is no assignment 'nothing'"),
        (["sing"], "No such command 'sing'"),
        (["kit", "source"], "source cannot be written (it is a folder)"),
        (["kit", "nbgrader_config.py/kit.zip"], "nbgrader_config.py is no folder"),
        (["audit", NAME, "--html", "source"], "source cannot be written (it is a folder)"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(
    course: Course, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(course.root)
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == WRONG_USE
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith("autograder: ")
    assert said in written.err
    assert written.err.count("\n") == 1


def test_a_file_for_the_results_is_looked_at_before_grading(
    course: Course, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    course.hand_in("s01", course.answered(**RIGHT))
    monkeypatch.chdir(course.root)
    with pytest.raises(SystemExit) as caught:
        cli.main(["grade", NAME, "--json", "source"])
    assert caught.value.code == WRONG_USE
    assert capsys.readouterr().err == "autograder: source cannot be written (it is a folder): name another file.\n"
    assert not (course.root / "gradebook.db").exists()


def test_without_arguments_the_help_is_shown_and_nothing_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main([])
    assert caught.value.code == WRONG_USE
    written = capsys.readouterr()
    assert "Usage: autograder" in written.out
    assert written.err == ""


def test_help_needs_nothing_heavy() -> None:
    code = "import sys; from autograder import cli\ntry: cli.main(['--help'])\nexcept SystemExit: pass\n"
    code += "print([m for m in ('numpy', 'nbgrader', 'sqlalchemy', 'nbformat', 'IPython') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert {"release", "grade", "doctor"} <= set(done.stdout.split())


def test_release_says_what_changed(
    course_with_database: Course, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(course_with_database.root)
    for word in ("changed", "unchanged"):
        with pytest.raises(SystemExit) as caught:
            cli.main(["release", NAME])
        assert caught.value.code == ALL_GRADED
        assert capsys.readouterr().out == f"{word}  release/{NAME}/{NAME}.ipynb\n"


def test_a_students_text_cannot_steer_the_terminal() -> None:
    evil = "\x1b[2Jgone\r\n[bold]x[/bold]\u202eevil\x9b31m"
    assert harmless(evil) == "\\u001b[2Jgone\\u000d\\u000a[bold]x[/bold]\\u202eevil\\u009b31m"
    submission = Submission.graded(evil, outcome(), 5.0, (evil,))
    stream = io.StringIO()
    Console(file=stream, width=200).print(results_table(Results("a", "none", {}, (submission,))))
    shown = stream.getvalue()
    assert shown.count("[bold]x[/bold]") == 2
    assert not set("\x1b\r\u202e\x9b") & set(shown)


def test_exit_status_and_summary() -> None:
    good = Submission.graded("a", outcome(), 5.0)
    odd = Submission.open("b", Status.NEEDS_ATTENTION, 5.0, ("Why.",))
    broken = Submission.open("c", Status.GRADER_ERROR, 5.0, ("Why.",))
    assert exit_status([good]) == ALL_GRADED
    assert exit_status([good, odd]) == SOME_NEED_ATTENTION
    assert exit_status([good, odd, broken]) == GRADER_FAILED
    said = summary(Results("a", "none", {}, (good, odd, broken))).plain
    assert said == "1 graded · mean 5.00 · 1 needs attention · 1 grader error"
