"""What ``audits/<assignment>.toml`` may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.audit.candidates import load_catalogue
from autograder.audit.scenarios import read_answers, read_right_answers
from autograder.audit.settings import AuditSettings, AuditSettingsError, load_audit_settings
from autograder.errors import WRONG_USE
from autograder.settings import Settings


def write(root: Path, text: str) -> Settings:
    (root / "audits").mkdir()
    (root / "audits" / "sums.toml").write_text(text, encoding="utf-8")
    return Settings(root)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    own = load_audit_settings(Settings(tmp_path), "sums")
    assert own == AuditSettings(tmp_path / "audits" / "sums.toml")
    assert not own.present
    assert own.share == 0.95


def test_everything_is_read(tmp_path: Path) -> None:
    text = (
        'catalogue = "a.b:C"\nright = "right"\nshare = 0.9\n[equivalent]\n"x → y" = "the same"\n'
        '[overlapping]\ntest_a = "why"\n[elsewhere]\nslip = "not here"\n[about]\ntest_a = ["one", "two"]\n'
    )
    own = load_audit_settings(write(tmp_path, text), "sums")
    assert own == AuditSettings(
        tmp_path / "audits" / "sums.toml",
        present=True,
        catalogue="a.b:C",
        right="right",
        share=0.9,
        equivalent={"x → y": "the same"},
        overlapping={"test_a": "why"},
        elsewhere={"slip": "not here"},
        about={"test_a": ("one", "two")},
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("share = ", "cannot be read"),
        ("shares = 0.9", "there is no setting 'shares'"),
        ("share = 2", "'share' should be a number from 0 to 1"),
        ("share = true", "'share' should be a number from 0 to 1"),
        ("right = 3", "'right' should be a text"),
        ("equivalent = 3", "'equivalent' should be a table of texts"),
        ("[equivalent]\nx = ' '", "'equivalent' should be a table of texts"),
        ("[about]\nx = 'one'", "'about' should be a table of lists of texts"),
        ("[about]\nx = [1]", "'about' should be a table of lists of texts"),
    ],
)
def test_what_makes_no_sense_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(AuditSettingsError, match=says) as caught:
        load_audit_settings(write(tmp_path, text), "sums")
    assert caught.value.status == WRONG_USE


@pytest.mark.parametrize("name", ["no.such.module:X", "mha.mistakes:NOTHING", "mha.mistakes"])
def test_a_catalogue_that_is_not_there_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(AuditSettingsError, match="cannot be loaded"):
        load_catalogue(AuditSettings(tmp_path / "sums.toml", catalogue=name))


def test_the_cells_of_an_answer_are_read() -> None:
    found = read_answers("# %% extra\na = 1\n\n\n# %% add\ndef add(a, b):\n    return a + b\n")
    assert [(answer.cell, answer.source) for answer in found] == [
        ("extra", "a = 1"),
        ("add", "def add(a, b):\n    return a + b"),
    ]


@pytest.mark.parametrize("files", [{}, {"solution.py": "a = 1"}, {"solution.py": "# %% add\n"}])
def test_a_folder_that_is_no_answer_is_told(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "right" / "one").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "right" / "one" / name).write_text(text, encoding="utf-8")
    with pytest.raises(AuditSettingsError, match="is no right answer"):
        read_right_answers(tmp_path / "right", tmp_path / "sums.toml")


def test_a_folder_of_right_answers_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(AuditSettingsError, match="no folder of right answers"):
        read_right_answers(tmp_path / "right", tmp_path / "sums.toml")
