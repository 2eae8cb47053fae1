"""The verdict: each thing that can be wrong with tests is told in its own sentence, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from autograder.audit.model import Candidate, Kind, ScoredCell, Trial
from autograder.audit.report import AuditReport
from autograder.audit.settings import AuditSettings

CELLS = (ScoredCell("test_a", 2.0), ScoredCell("test_b", 1.0))
SETTINGS = AuditSettings(
    Path("audits/sums.toml"), present=True, share=0.5, about={"test_a": ("slips",), "test_b": ("slides",)}
)


def trial(kind: Kind, name: str, lost: str = "", **more: str) -> Trial:
    """A candidate that loses the points of ``test_<letter>`` for each letter."""
    keys = frozenset(f"test_{letter}" for letter in lost)
    scores = {cell.key: 0.0 if cell.key in keys else cell.points for cell in CELLS}
    return Trial(Candidate(kind, name, name, **more), scores, keys, dict.fromkeys(keys, "too low"))


def mistake(name: str, lost: str, function: str = "add") -> Trial:
    return trial(Kind.MISTAKE, f"{function}: {name}", lost, mistake=name, function=function)


FLAWLESS = AuditReport(
    "sums",
    CELLS,
    (
        trial(Kind.SOLUTION, "solution"),
        trial(Kind.STUB, "stub", "ab"),
        trial(Kind.RIGHT, "unusual"),
        mistake("slips", "a"),
        mistake("slides", "b"),
        trial(Kind.MUTANT, "a + b → a - b", "ab"),
        trial(Kind.MUTANT, "1 → 2", "a"),
    ),
    SETTINGS,
    ("slips", "slides"),
)


def with_trial(*more: Trial, drop: str = "") -> AuditReport:
    kept = tuple(trial for trial in FLAWLESS.trials if trial.candidate.id != drop)
    return replace(FLAWLESS, trials=(*kept, *more))


def test_flawless_tests_pass() -> None:
    assert FLAWLESS.faults == ()
    assert FLAWLESS.passed


def test_a_solution_that_loses_points() -> None:
    report = with_trial(trial(Kind.SOLUTION, "solution", "b"), drop="solution")
    assert report.faults == ("The solution itself loses points in test_b.",)
    assert report.basic_faults == list(report.faults)


def test_a_stub_that_earns_points() -> None:
    report = with_trial(trial(Kind.STUB, "stub", "a"), drop="stub")
    assert report.faults == ("The notebook as released earns points in test_b.",)


def test_a_right_answer_that_loses_points() -> None:
    report = with_trial(trial(Kind.RIGHT, "einsum", "ab"))
    assert report.faults == ("The right answer 'einsum' loses points in test_a, test_b.",)
    assert [alarm.candidate.id for alarm in report.wrong_alarms] == ["einsum"]


def test_a_known_mistake_that_loses_no_point() -> None:
    report = with_trial(mistake("slips", "", function="double"))
    assert report.faults == ("The mistake 'slips' in double loses no point.",)


def test_a_known_mistake_that_nothing_here_can_make() -> None:
    report = replace(FLAWLESS, catalogue=(*FLAWLESS.catalogue, "splits"))
    assert report.faults == ("No function of this assignment can make the mistake 'splits', and no reason is given.",)
    excused = replace(report, settings=replace(SETTINGS, elsewhere={"splits": "it is given"}))
    assert excused.passed


def test_reasons_for_mistakes_out_of_reach_must_hold() -> None:
    report = replace(FLAWLESS, settings=replace(SETTINGS, elsewhere={"slips": "far", "nothing": "far"}))
    assert report.faults == (
        "There is no mistake 'nothing' in the catalogue; the settings name it.",
        "The mistake 'slips' is said to be out of this assignment's reach, but it is not.",
    )


def test_the_map_must_hold() -> None:
    about = {"test_a": ("slips", "slides", "unheard"), "test_c": ("slips",)}
    report = replace(FLAWLESS, settings=replace(SETTINGS, about=about))
    assert report.faults == (
        "The test cell 'test_a' is about the mistake 'slides', but does not catch it in add.",
        "There is no mistake 'unheard' in the catalogue; the settings name it.",
        "The map names a test cell that there is not: 'test_c'.",
    )


def test_every_mistake_needs_a_test_cell_that_is_about_it() -> None:
    report = replace(FLAWLESS, settings=replace(SETTINGS, about={"test_a": ("slips",)}))
    assert report.faults == ("No test cell is said to be about the mistake 'slides'.",)


def test_a_cell_that_tests_one_function_has_no_say_on_another() -> None:
    assert with_trial(mistake("slips", "b", function="double")).passed


def test_a_mutant_survives_with_a_reason_only() -> None:
    report = with_trial(trial(Kind.MUTANT, "b * 1 → b"))
    assert report.faults == ("The mutant “b * 1 → b” loses no point, and no reason says why it may.",)
    assert replace(report, settings=replace(SETTINGS, equivalent={"b * 1 → b": "times one"})).passed


def test_a_reason_that_excuses_nothing_is_a_fault() -> None:
    report = replace(FLAWLESS, settings=replace(SETTINGS, equivalent={"1 → 2": "the same", "gone": "the same"}))
    assert report.faults == (
        "A reason stands for the mutant “1 → 2”, which does lose points.",
        "A reason stands for the mutant “gone”, which is not among the mutants any more.",
    )


def test_enough_mutants_must_die_whatever_the_reasons() -> None:
    excuses = {f"m{number}": "the same" for number in range(3)}
    settings = replace(SETTINGS, equivalent=excuses, share=0.5)
    report = replace(with_trial(*(trial(Kind.MUTANT, name) for name in excuses)), settings=settings)
    assert report.faults == ("Only 2 of 5 mutants lose points (40.0%); 50% should.",)


def test_a_cell_that_catches_nothing_on_its_own_needs_a_reason() -> None:
    report = with_trial(drop="add: slides")
    report = replace(report, settings=replace(SETTINGS, about={"test_a": ("slips",)}), catalogue=("slips",))
    assert report.idle_cells == ["test_b"]
    assert report.faults == (
        "The test cell 'test_b' catches nothing that the others do not, and no reason says why it stays.",
    )
    assert replace(report, settings=replace(report.settings, overlapping={"test_b": "it parts two slips"})).passed


def test_a_reason_to_stay_must_be_needed() -> None:
    report = replace(FLAWLESS, settings=replace(SETTINGS, overlapping={"test_a": "why", "test_c": "why"}))
    assert report.faults == (
        "The test cell 'test_a' is said to overlap with others, but it catches something that they do not.",
        "The test cell 'test_c' is said to overlap with others, but there is no such test cell with points.",
    )


def test_an_equivalent_mutant_is_no_wrong_answer_that_a_cell_could_catch() -> None:
    report = with_trial(trial(Kind.MUTANT, "b * 1 → b"))
    excused = replace(report, settings=replace(SETTINGS, equivalent={"b * 1 → b": "times one"}))
    assert len(report.wrong) == len(excused.wrong) + 1


def test_what_a_cell_tells_apart() -> None:
    """Without test_a, a mistake caught by both looks like one that test_b catches alone."""
    assert FLAWLESS.tells_apart == {"test_a": 1, "test_b": 1}


def test_an_assignment_without_test_cells_cannot_pass() -> None:
    assert AuditReport("sums", (), (), SETTINGS).faults == ("There is no test cell with points.",)
