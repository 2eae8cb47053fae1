"""The hidden tests of the graded notebook, held to their promise."""

from __future__ import annotations

from mha.mistakes import CATALOGUE

from autograder.audit.model import Kind
from autograder.audit.report import AuditReport


def test_the_tests_are_good_enough(real: AuditReport) -> None:
    assert real.faults == ()


def test_every_known_mistake_loses_points_wherever_it_can_be_made(real: AuditReport) -> None:
    tried = real.of(Kind.MISTAKE)
    assert [trial.candidate.id for trial in tried if not trial.lost] == []
    assert len({trial.candidate.mistake for trial in tried}) == len(CATALOGUE) - len(real.settings.elsewhere)
    assert {trial.candidate.function for trial in tried} == {"concat_heads", "multi_head_attention"}
    assert set(real.settings.elsewhere) <= {mistake.id for mistake in CATALOGUE if mistake.contract == "split_heads"}
    assert len(CATALOGUE) >= 60


def test_each_test_cell_catches_the_mistakes_that_it_is_about(real: AuditReport) -> None:
    lost: dict[str, set[str]] = {}
    for trial in real.of(Kind.MISTAKE):
        lost.setdefault(trial.candidate.mistake, set()).update(trial.lost)
    assert set(real.settings.about) == {cell.key for cell in real.cells}
    for cell, mistakes in real.settings.about.items():
        assert [mistake for mistake in mistakes if cell not in lost[mistake]] == [], cell
    assert {mistake for mistakes in real.settings.about.values() for mistake in mistakes} == set(lost)


def test_a_wrong_concat_costs_points_of_its_own_task_alone(real: AuditReport) -> None:
    for trial in real.of(Kind.MISTAKE):
        own = "test_concat_" if trial.candidate.function == "concat_heads" else "test_attention_"
        assert all(key.startswith(own) for key in trial.lost), trial.candidate.id


def test_a_hundred_mutants_and_more_of_which_hardly_one_survives(real: AuditReport) -> None:
    assert len(real.of(Kind.MUTANT)) >= 100
    assert real.killed_share >= 0.95
    assert {trial.candidate.id for trial in real.survivors} == set(real.settings.equivalent)


def test_every_right_answer_gets_full_marks(real: AuditReport) -> None:
    right = real.of(Kind.RIGHT)
    assert {trial.candidate.id: dict(trial.messages) for trial in right if trial.lost} == {}
    assert sum(trial.candidate.id.startswith("concat_") for trial in right) >= 12
    assert sum(trial.candidate.id.startswith("attention_") for trial in right) >= 12
    assert len(right) >= 25
    assert {sum(trial.scores.values()) for trial in (*right, *real.of(Kind.SOLUTION))} == {20.0}


def test_the_released_notebook_earns_nothing_in_any_test_cell(real: AuditReport) -> None:
    (stub,) = real.of(Kind.STUB)
    assert set(stub.scores.values()) == {0.0}


def test_no_message_is_missing_where_points_are_lost(real: AuditReport) -> None:
    for trial in real.of(Kind.MISTAKE):
        assert all(trial.messages.get(key, "").strip() for key in trial.lost), trial.candidate.id
