"""A small assignment of its own: good tests pass, weak ones are told what is wrong, and the door stays shut."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from autograder.assignment import read_assignment
from autograder.audit.audit import audit
from autograder.audit.candidates import SOLUTION, STUB
from autograder.audit.command import NOT_GOOD_ENOUGH, run
from autograder.audit.gate import release_gate
from autograder.audit.model import Answer, Candidate, Kind
from autograder.audit.report import AuditReport
from autograder.audit.run import AuditBroke, task_of
from autograder.audit.terminal import show
from autograder.engine.model import Role
from autograder.errors import ALL_GRADED, GRADER_FAILED, CourseError, SettingsError
from tests.audit.small import EMPTY_TEST, GOOD_TEST, TOTAL
from tests.support.course import Course, cell, make_course, marks


def test_good_tests_pass(good_report: AuditReport) -> None:
    assert good_report.faults == ()
    assert good_report.killed_share == 1
    assert {trial.candidate.mistake for trial in good_report.of(Kind.MISTAKE)} == {
        "first_only",
        "never_negative",
        "needs_a_number",
    }, "the assignment brings a catalogue of its own"


def test_mutants_that_never_end_are_caught_too(good_report: AuditReport) -> None:
    endless = [trial for trial in good_report.of(Kind.MUTANT) if trial.candidate.id.endswith("values[0:]")]
    assert [trial.caught for trial in endless] == [True]
    assert all("was stopped" in message for message in endless[0].messages.values())


WEAK_FAULTS = (
    "The notebook as released earns points in test_stub.",
    "The right answer 'uses_floats' loses points in test_petty.",
    "The mistake 'first_only' in total loses no point.",
    "The mistake 'never_negative' in total loses no point.",
    "The mistake 'needs_a_number' in total loses no point.",
    "No function of this assignment can make the mistake 'not_here', and no reason is given.",
    "There is no mistake 'unheard_of' in the catalogue; the settings name it.",
    "The mistake 'first_only' is said to be out of this assignment's reach, but it is not.",
    "The test cell 'test_total' is about the mistake 'first_only', but does not catch it in total.",
    "There is no mistake 'unheard_of_too' in the catalogue; the settings name it.",
    "The map names a test cell that there is not: 'test_vanished'.",
    "No test cell is said to be about the mistake 'never_negative'.",
    "No test cell is said to be about the mistake 'needs_a_number'.",
    *(
        f"The mutant “total: {change}” loses no point, and no reason says why it may."
        for change in (
            "result = result + values[0] → result = values[0]",
            "values[0] → values[-1]",
            "values[1:] → values[2:]",
        )
    ),
    "A reason stands for the mutant “total: result = 0 → result = 7”, which is not among the mutants any more.",
    "A reason stands for the mutant “total: return result → return”, which does lose points.",
    "The test cell 'test_stub' catches nothing that the others do not, and no reason says why it stays.",
    "The test cell 'test_petty' catches nothing that the others do not, and no reason says why it stays.",
    "The test cell 'test_gone' is said to overlap with others, but there is no such test cell with points.",
)


def test_weak_tests_hear_all_that_is_wrong(weak_report: AuditReport) -> None:
    few = [fault for fault in weak_report.faults if fault.startswith("Only ")]
    assert few == ["Only 23 of 26 mutants lose points (88.5%); 95% should."]
    assert tuple(fault for fault in weak_report.faults if fault not in few) == WEAK_FAULTS


def test_the_terminal_shows_the_matrix_and_the_verdict(weak_report: AuditReport, tmp_path: Path) -> None:
    text = tmp_path / "shown.txt"
    with text.open("w", encoding="utf-8") as file:
        show(weak_report, Console(file=file))
    shown = text.read_text(encoding="utf-8")
    flat = " ".join(shown.split())
    assert "total · · · first_only, never_negative, needs_a_number" in flat
    assert "Right, but loses points: uses_floats" in shown
    assert (
        "0 of 3 known mistakes caught · 23 of 26 mutants killed (88.5%) · 1 of 2 right answers with full marks" in flat
    )
    assert flat.index("The tests are not good enough:") > flat.index("known mistakes caught")
    for fault in WEAK_FAULTS:
        assert fault in flat


def test_the_command_writes_the_page_and_says_by_its_status(
    good: Course, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(good.root, "sums", pages / "good.html", workers=2) == ALL_GRADED
    assert "The tests are good enough." in capsys.readouterr().out
    assert "The tests are good enough" in (pages / "good.html").read_text(encoding="utf-8")


def test_the_command_says_by_its_status_that_tests_are_not_good_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = make_course(tmp_path, [cell("code", "total", TOTAL, marks("total", solution=True))])
    assert run(course.root, "sums") == NOT_GOOD_ENOUGH != ALL_GRADED
    assert "There is no test cell with points." in capsys.readouterr().out


def test_the_command_refuses_what_makes_no_sense(good: Course) -> None:
    with pytest.raises(SettingsError, match="--workers"):
        run(good.root, "sums", workers=0)
    with pytest.raises(CourseError, match="no assignment 'products'"):
        run(good.root, "products")


def test_with_audit_settings_the_gate_is_the_whole_audit(weak: Course, weak_report: AuditReport) -> None:
    assert release_gate(weak.settings, "sums") == list(weak_report.faults)


def plain_course(root: Path, solution: str, *tests: str) -> Course:
    """Without audit settings: the gate then looks at the solution, the stub and the names."""
    cells = [cell("code", "total", solution, marks("total", solution=True))]
    for number, test in enumerate(tests):
        cells.append(cell("code", f"test-{number}", test, marks(f"test_{number}", grade=True, locked=True, points=1)))
    return make_course(root, cells)


def hidden(test: str) -> str:
    return f"### BEGIN HIDDEN TESTS\n{test}\n### END HIDDEN TESTS"


def test_without_audit_settings_the_gate_looks_at_the_solution_and_the_stub(tmp_path: Path) -> None:
    right = plain_course(tmp_path / "right", TOTAL, GOOD_TEST, EMPTY_TEST)
    assert release_gate(right.settings, "sums") == []
    wrong = plain_course(tmp_path / "wrong", TOTAL.replace("+", "-"), GOOD_TEST, hidden("assert total"))
    assert release_gate(wrong.settings, "sums") == [
        "The solution itself loses points in test_0.",
        "The notebook as released earns points in test_1.",
    ]


def test_the_gate_names_what_a_test_cannot_resolve(tmp_path: Path) -> None:
    course = plain_course(tmp_path, TOTAL, hidden("assert total([TWO]) == 2"))
    assert release_gate(course.settings, "sums") == [
        "Test cell 'test_0' uses 'TWO', which neither the given cells, the student nor Python defines."
    ]


def test_an_assignment_without_points_has_nothing_to_gate_but_cannot_pass_an_audit(tmp_path: Path) -> None:
    course = make_course(tmp_path, [cell("code", "total", TOTAL, marks("total", solution=True))])
    assert release_gate(course.settings, "sums") == []
    assert audit(course.settings, "sums").faults == ("There is no test cell with points.",)


def test_a_test_that_is_wrong_in_itself_breaks_the_audit_and_is_named(tmp_path: Path) -> None:
    course = plain_course(tmp_path, TOTAL, hidden("total([1]) == 1"))
    with pytest.raises(AuditBroke, match="'sums' broke at solution 'solution': test cell 'test_0' ends in") as caught:
        release_gate(course.settings, "sums")
    assert caught.value.status == GRADER_FAILED


def test_a_candidate_stands_in_the_assignments_cells(good: Course) -> None:
    assignment = read_assignment(good.settings, "sums")
    answers = (Answer("extra", "a = 1"), Answer("total", "b = 2"), Answer("extra", "c = 3"))
    task = task_of(assignment, Candidate(Kind.RIGHT, "r", "r", answers, complete=True))
    assert [(each.role, each.source) for each in task.cells[:3]] == [
        (Role.STUDENT, "a = 1"),
        (Role.STUDENT, "b = 2"),
        (Role.STUDENT, "c = 3"),
    ]
    assert [each.role for each in task.cells[3:]] == [Role.TEST, Role.TEST]
    assert task_of(assignment, SOLUTION).cells[0].source == TOTAL
    stub = task_of(assignment, STUB).cells[0]
    assert "YOUR CODE HERE" in stub.source
    assert not stub.attempted


def test_an_answer_for_a_cell_that_is_not_there_is_told(good: Course) -> None:
    assignment = read_assignment(good.settings, "sums")
    with pytest.raises(AuditBroke, match="does not have: product"):
        task_of(assignment, Candidate(Kind.RIGHT, "r", "r", (Answer("product", ""),)))
