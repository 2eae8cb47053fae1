"""A student's page says what was earned, why and what helps; and nothing that is to stay hidden."""

from __future__ import annotations

import html
import json
import re
import shutil

import pytest

from autograder.errors import ALL_GRADED, SOME_NEED_ATTENTION, AutograderError
from autograder.feedback.build import build_page
from autograder.feedback.command import feedback_page, run
from autograder.feedback.marks import Mark, Marks, read_marks
from autograder.feedback.model import Reading, State
from autograder.feedback.render import points, render
from tests.feedback.conftest import COMMENT, graded_notebook
from tests.support.course import NAME, Course

STUDENTS = ["hostile", "idle", "right", "wrong"]


def page_of(course: Course, student: str, **changes: dict):
    """The page before it is HTML; ``changes`` go into a test cell's findings."""
    notebook = graded_notebook(course, student)
    for cell in notebook["cells"]:
        key = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if key in changes:
            cell["metadata"]["autograder"] |= changes[key]
    marks = read_marks(course.settings, course.assignment, [student])[student]
    return build_page(course.settings, course.assignment, student, notebook, marks)


def words(page: str) -> str:
    """What a reader sees of HTML, with single spaces."""
    body = page[page.index("<body>") :]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", body)).split())


def test_scores_messages_and_what_a_person_said(marked: Course) -> None:
    page = page_of(marked, "right")
    add, double, why = page.questions
    assert (add.score, add.most, double.score, double.most, why.score, why.most) == (3, 3, 2, 2, 3, 4)
    assert why.comment == COMMENT
    assert (page.score, page.most, page.penalty, page.final, page.waiting) == (8, 9, 0.5, 7.5, 0)
    text = words(render(page))
    assert "7.5 of 9 points" in text
    assert "8 for your work, less 0.5 because it came late" in text
    assert "<b>Well put</b> Second line." in text
    assert not page.readings


def test_a_failed_test_says_what_the_student_may_know(marked: Course) -> None:
    page = page_of(marked, "wrong")
    add, double, why = page.questions
    assert add.tests[0].state is State.FAILED
    assert add.tests[0].message == "add(1, 2) is 3"
    assert "KeyError" in double.tests[0].message
    assert "raise KeyError" in double.tests[0].message
    assert why.score is None
    assert (page.score, page.most, page.waiting) == (0, 5, 4)
    assert "4 more can come from what a person still has to read" in words(render(page))


def test_untouched_work_is_no_mistake(marked: Course) -> None:
    page = page_of(marked, "idle")
    assert all(question.untouched for question in page.questions)
    text = words(render(page))
    assert text.count("still as you got it") == 3
    assert "A person read this" not in text


def test_a_named_mistake_brings_its_words_and_its_lesson(marked: Course) -> None:
    from mha.mistakes import CATALOGUE

    mistake = CATALOGUE["reshape_without_transpose"]
    page = page_of(marked, "wrong", test_add={"mistakes": [mistake.id, "gone_from_the_catalogue"]})
    (known, gone) = page.questions[0].tests[0].mistakes
    assert (known.title, known.message) == (mistake.title, mistake.message)
    assert gone.title == "Gone from the catalogue"
    assert page.questions[0].mistakes == (known, gone)
    assert page.readings == (Reading(mistake.lesson, mistake.section),)
    text = words(render(page))
    for sentence in (mistake.title, " ".join(mistake.message.split()), mistake.section, "Lesson 3, concat"):
        assert sentence in text


def test_facts_are_told_where_no_mistake_has_a_name(marked: Course) -> None:
    notebook = graded_notebook(marked, "wrong")
    said = ["The shape of its result is always right.", "It is <right> up to a factor of 0.5."]
    notebook["metadata"]["autograder"] = {"facts": {"add": said}}
    marks = read_marks(marked.settings, marked.assignment, ["wrong"])["wrong"]
    page = build_page(marked.settings, marked.assignment, "wrong", notebook, marks)
    assert page.questions[0].facts == tuple(said)
    assert not page.questions[1].facts
    text = words(render(page))
    assert f"What can be said of your function: {said[0]} {said[1]}" in text
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "test_add":
            cell["metadata"]["autograder"]["mistakes"] = ["reshape_without_transpose"]
    page = build_page(marked.settings, marked.assignment, "wrong", notebook, marks)
    assert not page.questions[0].facts


def test_partial_points_and_points_set_by_a_person(marked: Course) -> None:
    notebook = graded_notebook(marked, "wrong")
    marks = Marks({"test_add": Mark(1.5, None, 0.0, False), "test_double": Mark(0.0, 2.0, 0.25, False)})
    page = build_page(marked.settings, marked.assignment, "wrong", notebook, marks)
    add, double, _ = page.questions
    assert (add.tests[0].state, add.score) == (State.PARTLY, 1.5)
    assert (double.tests[0].by_person, double.score) == (True, 2.25)
    text = words(render(page))
    assert "partly, 1.5 of 3" in text
    assert "A person set these points." in text


def test_the_notebook_is_shown_with_its_outputs(marked: Course) -> None:
    text = words(render(page_of(marked, "wrong")))
    assert "return a - b" in text
    assert "ValueError: negative dimensions are not allowed" in text
    assert "I do not know." in text
    assert 'assert add(1, 2) == 3, "add(1, 2) is 3"' in text


@pytest.mark.parametrize("student", STUDENTS)
def test_nothing_hidden_and_no_path_is_on_a_page(marked: Course, student: str) -> None:
    page = render(page_of(marked, student))
    text = words(page)
    for secret in (
        "add(40, 2)",
        "== 42",
        "add does not add large",
        "double(21)",
        "HIDDEN",
        "total_of_both",
        "Because.",
    ):
        assert secret not in text, secret
    for path in (str(marked.root), "/grader/", "carried out: 1"):
        assert path not in text, path


def test_only_the_preview_shows_what_is_hidden(own_copy: Course, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(own_copy.root, NAME, "wrong", preview=True) == ALL_GRADED
    out = capsys.readouterr().out
    path = feedback_page(own_copy.settings, own_copy.assignment, "wrong", preview=True)
    assert str(path) in out
    assert path.is_relative_to(own_copy.root / "reports")
    text = words(path.read_text())
    assert "For the instructor alone" in text
    assert "add(40, 2)" in text
    assert "Traceback (most recent call last)" in text
    assert not (own_copy.root / "feedback").exists()


def test_a_preview_without_kept_calls_says_how_to_get_them(own_copy: Course) -> None:
    shutil.rmtree(own_copy.root / ".autograder")
    run(own_copy.root, NAME, preview=True)
    asks = {
        student: f"autograder grade {NAME} --force"
        in words(feedback_page(own_copy.settings, own_copy.assignment, student, preview=True).read_text())
        for student in ("right", "wrong")
    }
    assert asks == {"right": False, "wrong": True}


def test_every_graded_student_gets_a_page(own_copy: Course, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(own_copy.root, NAME) == ALL_GRADED
    assert f"4 pages in {own_copy.root / 'feedback'}" in capsys.readouterr().out
    for student in STUDENTS:
        assert (own_copy.root / "feedback" / student / NAME / f"{NAME}.html").read_text().startswith("<!doctype html>")


def test_a_student_without_a_grade_is_named(own_copy: Course, capsys: pytest.CaptureFixture[str]) -> None:
    own_copy.hand_in("late", own_copy.released())
    shutil.copytree(own_copy.root / "autograded" / "right", own_copy.root / "autograded" / "moved")
    (own_copy.root / "autograded" / "idle" / NAME / f"{NAME}.ipynb").write_text("[]")
    assert run(own_copy.root, NAME) == SOME_NEED_ATTENTION
    said = capsys.readouterr().err
    for student in ("late: no page", "moved: no page", "idle: no page"):
        assert student in said
    assert not (own_copy.root / "feedback" / "idle").exists()


def test_one_student_by_pattern_or_by_name(own_copy: Course) -> None:
    shutil.copytree(own_copy.root / "autograded" / "right", own_copy.root / "autograded" / "[r]*")
    assert run(own_copy.root, NAME, "r*") == ALL_GRADED
    assert [path.name for path in (own_copy.root / "feedback").iterdir()] == ["right"]
    assert run(own_copy.root, NAME, "[r]*") == SOME_NEED_ATTENTION


def test_wrong_use_is_one_sentence(own_copy: Course) -> None:
    with pytest.raises(AutograderError, match="matches --student 'zz'"):
        run(own_copy.root, NAME, "zz")
    (own_copy.root / "gradebook.db").unlink()
    with pytest.raises(AutograderError, match="grade the assignment first"):
        run(own_copy.root, NAME)
    assert not (own_copy.root / "gradebook.db").exists()
    shutil.rmtree(own_copy.root / "autograded")
    with pytest.raises(AutograderError, match=f"autograder grade {NAME}"):
        run(own_copy.root, NAME)


def test_no_page_is_written_through_a_link(own_copy: Course) -> None:
    elsewhere = own_copy.root / "elsewhere"
    elsewhere.mkdir()
    (own_copy.root / "feedback").mkdir()
    (own_copy.root / "feedback" / "right").symlink_to(elsewhere)
    with pytest.raises(AutograderError, match="a link is in its place"):
        run(own_copy.root, NAME, "right")
    assert not list(elsewhere.rglob("*.html"))


def test_the_graded_notebook_of_another_grader_shows_no_tracebacks(marked: Course) -> None:
    notebook = graded_notebook(marked, "wrong")
    for cell in notebook["cells"]:
        if cell["metadata"].pop("autograder", None) is not None:
            trace = ["assert add(40, 2) == 42"]
            cell["outputs"] = [{"output_type": "error", "ename": "E", "evalue": "v", "traceback": trace}]
    marks = read_marks(marked.settings, marked.assignment, ["wrong"])["wrong"]
    text = words(render(build_page(marked.settings, marked.assignment, "wrong", notebook, marks)))
    assert "add(40, 2)" not in text
    assert "not yet, 0 of 3" in text


def test_details_are_kept_apart_from_what_is_handed_out(marked: Course) -> None:
    kept = [path.read_text() for path in (marked.root / ".autograder" / "details" / NAME).iterdir()]
    assert any("Traceback" in json.loads(text)["tests"].get("test_add", "") for text in kept)
    for notebook in (marked.root / "autograded").rglob("*.ipynb"):
        assert "Traceback (most recent call last)\\nFile <trusted" not in notebook.read_text()


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (0.5, "0.5"), (1 / 3, "0.33"), (20.0, "20"), (0.0, "0")])
def test_points_read_well(value: float, text: str) -> None:
    assert points(value) == text
