"""A whole run, with an engine whose findings are given: what is graded, written, kept and said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from nbgrader.api import Gradebook as NbgraderGradebook
from sqlalchemy.exc import OperationalError

from autograder import submission
from autograder.autograded import autograded_folder
from autograder.engine.messages import TEST_TOO_SLOW, UNREACHED
from autograder.engine.model import Found, Outcome
from autograder.errors import GRADER_FAILED, WRONG_USE, AutograderError
from autograder.gradebook.book import Gradebook
from autograder.gradebook.scores import stored_scores
from autograder.grading import Plan, grade_assignment, is_repeatable, plan
from autograder.job import Graded, Job
from autograder.results import Results, Status
from autograder.submission import Readable
from tests.support.course import NAME, RIGHT, Course, notebook, outcome


@dataclass
class Engine:
    """Stands in for the workers: reads the submissions for real, and finds what it is told to."""

    outcomes: dict[str, Outcome | Exception] = field(default_factory=dict)
    graded: list[str] = field(default_factory=list)
    ended: bool = False

    def grade_class(self, jobs: Iterable[Job], *, settings: Any, **_: Any) -> Iterator[Graded]:
        try:
            yield from self._grade(jobs, settings)
        finally:
            self.ended = True

    def _grade(self, jobs: Iterable[Job], settings: Any) -> Iterator[Graded]:
        for job in jobs:
            found = submission.read(job.folder, job.assignment, settings)
            result = self.outcomes.get(job.student, outcome())
            if isinstance(result, Exception):
                raise result
            self.graded.append(job.student)
            yield Graded(job.student, found, result if isinstance(found, Readable) else None)


@pytest.fixture
def course(course_with_database: Course) -> Course:
    for student in ("s01", "s02"):
        course_with_database.hand_in(student, course_with_database.answered(**RIGHT))
    return course_with_database


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine()
    monkeypatch.setattr("autograder.grading.grade_class", made.grade_class)
    monkeypatch.setattr(
        "autograder.grading.choose_isolation", lambda settings, wanted=None, crew=None: wanted or "bubblewrap"
    )
    return made


def run(course: Course, **options: Any) -> Results:
    return grade_assignment(plan(course.settings, NAME, **options))


def test_a_class_is_graded_written_and_reported(course: Course, engine: Engine) -> None:
    course.hand_in("s00", b"<html>")
    engine.outcomes["s02"] = outcome(add=1.0, notes=("cell x was stopped",))
    results = run(course)
    assert [(own.student, own.status, own.score) for own in results.submissions] == [
        ("s00", Status.NEEDS_ATTENTION, None),
        ("s01", Status.GRADED, 5.0),
        ("s02", Status.GRADED, 3.0),
    ]
    assert results.submissions[2].notes == ("cell x was stopped",)
    assert (autograded_folder(course.settings, "s01", NAME) / f"{NAME}.ipynb").is_file()
    assert not autograded_folder(course.settings, "s00", NAME).exists()
    assert stored_scores(course.settings, course.assignment)["s02"] == {
        "test_add": 1.0,
        "test_double": 2.0,
        "why": None,
    }
    with NbgraderGradebook(course.settings.db_url) as book:
        said = book.find_comment("add", NAME, NAME, "s02").auto_comment
    assert said == "test_add (1 of 3): add does not add (Looks like: adds wrongly.)"


def test_again_is_free_and_the_same(course: Course, engine: Engine) -> None:
    first = run(course).to_json()
    assert engine.graded == ["s01", "s02"]
    assert run(course).to_json() == first
    assert engine.graded == ["s01", "s02"]
    assert run(course, force=True).to_json() == first
    assert engine.graded == ["s01", "s02"] * 2


def test_only_what_changed_is_graded(course: Course, engine: Engine) -> None:
    run(course)
    course.hand_in("s02", course.answered(**RIGHT | {"add": "def add(a, b):\n    return b + a"}))
    course.hand_in("s03", course.answered(**RIGHT))
    run(course)
    assert engine.graded == ["s01", "s02", "s02", "s03"]


@pytest.mark.parametrize("change", ["source", "isolation", "limits", "database", "autograded", "score"])
def test_what_else_makes_it_grade_again(course: Course, engine: Engine, change: str) -> None:
    run(course)
    options: dict[str, Any] = {}
    if change == "source":
        course.source.write_text(course.source.read_text().replace("large numbers", "numbers"))
    elif change == "isolation":
        options["isolation"] = "none"
    elif change == "limits":
        config = course.root / "nbgrader_config.py"
        config.write_text(config.read_text() + "c.Autograder.cell_seconds = 5\n")
    elif change == "database":
        (course.root / "gradebook.db").unlink()
    elif change == "autograded":
        for student in ("s01", "s02"):
            (autograded_folder(course.settings, student, NAME) / f"{NAME}.ipynb").unlink()
    else:
        with NbgraderGradebook(course.settings.db_url) as book:
            for student in ("s01", "s02"):
                book.find_grade("test_add", NAME, NAME, student).auto_score = 0.0
            book.db.commit()
    run(course, **options)
    assert engine.graded == ["s01", "s02"] * 2
    assert stored_scores(course.settings, course.assignment)["s01"]["test_add"] == 3.0


def test_what_ran_out_of_time_is_graded_again(course: Course, engine: Engine) -> None:
    engine.outcomes["s01"] = outcome(notes=("cell add was stopped: it took longer than 10 s",))
    first = run(course).to_json()
    assert run(course).to_json() == first
    assert engine.graded == ["s01", "s02", "s01"]


def test_repeatable_outcomes() -> None:
    assert is_repeatable(outcome(add=0.0))
    assert not is_repeatable(outcome(notes=("stopped",)))
    cut_short = outcome(add=0.0)
    cut_short.found["add"] = Found(complete=False)
    assert not is_repeatable(cut_short)
    for message in (UNREACHED, TEST_TOO_SLOW.format(seconds=10)):
        late = outcome()
        late.tests["test_add"].message = message
        assert not is_repeatable(late)


def test_what_the_grader_broke_leaves_an_earlier_grade(course: Course, engine: Engine) -> None:
    run(course)
    engine.outcomes["s01"] = Outcome(broken="the sandbox fell over")
    results = run(course, force=True)
    assert [own.status for own in results.submissions] == [Status.GRADER_ERROR, Status.GRADED]
    assert results.submissions[0].notes == ("the sandbox fell over",)
    assert stored_scores(course.settings, course.assignment)["s01"]["test_add"] == 3.0
    course.hand_in("s01", b"")
    assert run(course).submissions[0].status is Status.NEEDS_ATTENTION
    assert stored_scores(course.settings, course.assignment)["s01"]["test_add"] == 3.0


def manual(course: Course) -> None:
    with NbgraderGradebook(course.settings.db_url) as book:
        grade = book.find_grade("why", NAME, NAME, "s01")
        grade.manual_score, grade.needs_manual_grade = 4.0, False
        book.db.commit()


def wants_a_person(course: Course) -> tuple[float, bool]:
    with NbgraderGradebook(course.settings.db_url) as book:
        grade = book.find_grade("why", NAME, NAME, "s01")
        return grade.manual_score, grade.needs_manual_grade


def test_a_manual_score_survives_and_a_resubmission_is_marked(course: Course, engine: Engine) -> None:
    run(course)
    manual(course)
    run(course, force=True)
    assert wants_a_person(course) == (4.0, False)
    course.hand_in("s01", course.answered(**RIGHT | {"why": "On second thoughts."}))
    run(course)
    assert wants_a_person(course) == (4.0, True)


def test_an_untouched_written_answer_is_zero(course: Course, engine: Engine) -> None:
    course.hand_in("s01", course.released())
    run(course)
    assert stored_scores(course.settings, course.assignment)["s01"]["why"] == 0.0
    with NbgraderGradebook(course.settings.db_url) as book:
        assert book.find_comment("why", NAME, NAME, "s01").auto_comment == "No response."


def test_what_was_finished_when_it_breaks_is_saved(course: Course, engine: Engine) -> None:
    engine.outcomes["s02"] = RuntimeError("the machine is on fire")
    with pytest.raises(RuntimeError):
        run(course)
    assert set(stored_scores(course.settings, course.assignment)) == {"s01"}
    del engine.outcomes["s02"]
    run(course)
    assert engine.graded == ["s01", "s02"]


def test_the_workers_end_where_the_gradebook_cannot_be_opened(course: Course, engine: Engine) -> None:
    (course.root / "gradebook.db").write_text("no database " * 100)
    with pytest.raises(AutograderError, match="file is not a database") as caught:
        run(course)
    assert caught.value.status == GRADER_FAILED
    assert engine.ended
    assert engine.graded == ["s01"]


def test_one_that_the_database_refuses_costs_the_others_nothing(
    course: Course, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Callable[..., None] = Gradebook.record

    def refuse(self: Gradebook, records: Any) -> None:
        if any(record.student == "s01" for record in records):
            raise OperationalError("insert", {}, ValueError("too long"))
        real(self, records)

    monkeypatch.setattr(Gradebook, "record", refuse)
    results = run(course)
    assert [own.status for own in results.submissions] == [Status.GRADER_ERROR, Status.GRADED]
    assert results.submissions[0].notes == ("The gradebook did not take it: too long",)
    assert set(stored_scores(course.settings, course.assignment)) == {"s02"}


def test_a_name_that_is_no_text_needs_a_person(course: Course, engine: Engine) -> None:
    course.hand_in("\udcff", course.answered(**RIGHT))
    results = run(course)
    assert [own.status for own in results.submissions][-1] is Status.NEEDS_ATTENTION
    Results.from_json(results.to_json())


@pytest.mark.parametrize(
    ("pattern", "who"), [("s0*", ["s01", "s02"]), ("s02", ["s02"]), ("[x]", ["[x]"]), ("*", ["[x]", "s01", "s02"])]
)
def test_only_the_students_asked_for(course: Course, engine: Engine, pattern: str, who: list[str]) -> None:
    course.hand_in("[x]", course.answered(**RIGHT))
    assert [own.student for own in run(course, students=pattern).submissions] == who


@pytest.mark.parametrize("name", ["*", "s0*", "s0?"])
def test_a_student_whose_name_is_the_pattern_hides_nobody(course: Course, engine: Engine, name: str) -> None:
    course.hand_in(name, course.answered(**RIGHT))
    assert {own.student for own in run(course, students=name).submissions} == {name, "s01", "s02"}


@pytest.mark.parametrize(
    ("options", "said"),
    [({"students": "z*"}, "No submission of 'sums' matches --student 'z*': 2 others"), ({"workers": 0}, "at least 1")],
)
def test_wrong_use_is_one_sentence(course: Course, engine: Engine, options: dict[str, Any], said: str) -> None:
    with pytest.raises(AutograderError, match=said.replace("*", r"\*")) as caught:
        run(course, **options)
    assert caught.value.status == WRONG_USE


def test_no_submissions(course: Course, engine: Engine) -> None:
    for student in ("s01", "s02"):
        course.folder(student).rename(course.folder(student).with_name("other"))
    with pytest.raises(AutograderError, match="There is nothing to grade for 'sums'"):
        run(course)


def test_an_isolation_that_is_not_there(course: Course) -> None:
    from autograder.grading import choose_isolation

    with pytest.raises(AutograderError, match="There is no isolation 'hope'") as caught:
        choose_isolation(course.settings, "hope")
    assert caught.value.status == WRONG_USE


def test_no_isolation_that_works(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    from autograder.grading import choose_isolation
    from autograder.sandbox.isolation import ISOLATIONS

    for isolation in ISOLATIONS.values():
        monkeypatch.setattr(type(isolation), "available", lambda self: "it is not installed")
    with pytest.raises(AutograderError, match="it is not installed") as caught:
        choose_isolation(course.settings)
    assert caught.value.status == GRADER_FAILED


def test_progress_counts_all(course: Course, engine: Engine) -> None:
    seen: list[tuple[int, int]] = []
    run(course, students="s01")
    made: Plan = plan(course.settings, NAME)
    grade_assignment(made, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_a_notebook_of_eighty_megabytes(course: Course, engine: Engine) -> None:
    cells = course.answered(**RIGHT)
    cells[2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * (80 << 20)}]
    course.hand_in("s01", json.dumps(notebook(cells)).encode())
    assert run(course, students="s01").submissions[0].status is Status.GRADED
    assert (autograded_folder(course.settings, "s01", NAME) / f"{NAME}.ipynb").stat().st_size < 20_000


def test_formgrader_sees_the_class(course: Course, engine: Engine) -> None:
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory

    from autograder.settings import load_config

    engine.outcomes["s02"] = outcome(add=1.0)
    run(course)
    config = load_config(course.root)
    coursedir = CourseDirectory(config=config)
    coursedir.root = str(course.root)
    api = NbGraderAPI(coursedir, config=config)
    found = {own["student"]: own for own in api.get_submissions(NAME)}
    assert {
        student: (own["score"], own["autograded"], own["needs_manual_grade"]) for student, own in found.items()
    } == {
        "s01": (5.0, True, True),
        "s02": (3.0, True, True),
    }
    assert api.get_assignment(NAME)["num_submissions"] == 2
    notebooks = api.get_notebook_submissions(NAME, NAME)
    assert {own["student"]: (own["score"], own["failed_tests"]) for own in notebooks} == {
        "s01": (5.0, False),
        "s02": (3.0, True),
    }
