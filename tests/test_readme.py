"""What the README names is there: files, pictures, make's targets, commands, and the size of the sample class."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.cli import app

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = "\n".join(re.findall(r"^```\n(.*?)^```", README, re.DOTALL | re.MULTILINE))


def found(pattern: str, text: str) -> list[str]:
    every = sorted(set(re.findall(pattern, text)))
    assert every, f"the README has nothing like {pattern}"
    return every


@pytest.mark.parametrize("target", found(r"\]\((?!https?:)([^)#]+)\)", README))
def test_links_and_pictures_lead_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


@pytest.mark.parametrize("target", found(r"(?m)^make ([a-z]+)", CODE))
def test_targets_of_make(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", found(r"(?m)^autograder ([a-z]+)", CODE))
def test_commands(command: str) -> None:
    shown = CliRunner().invoke(app, [command, "--help"])
    assert shown.exit_code == 0


@pytest.mark.parametrize("folder", found(r"(?m)^\| `([a-z/]+)`", README))
def test_folders_of_the_map(folder: str) -> None:
    assert (ROOT / folder).is_dir()


def test_what_pip_installs_is_there() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    projects = [ROOT / line.removeprefix("-e ") / "pyproject.toml" for line in lines if line.startswith("-e ")]
    names = [tomllib.loads(project.read_text(encoding="utf-8"))["project"]["name"] for project in projects]
    assert names == ["mha-course", "mha-autograder"]


def test_the_sample_class_has_sixteen() -> None:
    assert "a sample class of sixteen" in README
    assert len(list((ROOT / "examples" / "submitted").iterdir())) == 16
