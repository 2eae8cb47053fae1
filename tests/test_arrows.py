"""Arrows between the packages run one way, and no file grows beyond reading: looked up in the sources' syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"autograder": ROOT / "autograder", "mha": ROOT / "course" / "mha"}
MOST_LINES = 400

STORES = {"sqlalchemy", "sqlite3", "alembic", "nbgrader", "nbformat", "nbconvert", "json", "pathlib", "os", "shutil"}
"""What a module would need that knows of files, notebooks or databases."""


def modules() -> dict[str, Path]:
    """Every module of the two packages by its dotted name."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in folder.rglob("*.py"):
            parts = (package, *path.relative_to(folder).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@cache
def imports(module: str) -> frozenset[str]:
    """What a module imports anywhere, by dotted names without dots in front; its own packages' names are complete."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])] if node.level else [])
            base = base or str(node.module)
            found |= {f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base for alias in node.names}
    return frozenset(found)


def reached(module: str) -> frozenset[str]:
    """The modules of the two packages that importing or using a module may bring along."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        for name in imports(waiting.pop()):
            if name in MODULES and name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)


def below(package: str) -> Iterator[str]:
    """The modules of a package, itself among them."""
    return (name for name in MODULES if name == package or name.startswith(f"{package}."))


def is_in(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def strays(module: str, *allowed: str) -> set[str]:
    """What a module imports of the two packages outside of those allowed."""
    return {name for name in imports(module) if is_in(name, *PACKAGES) and not is_in(name, *allowed)}


def test_the_sources_are_found_and_their_imports_resolved() -> None:
    assert {"autograder.sandbox.inside.serve", "autograder.engine.walk", "mha.mistakes.matcher"} <= set(MODULES)
    assert "autograder.sandbox.wire" in imports("autograder.sandbox.inside.serve")
    assert "autograder.sandbox.limits" in imports("autograder.engine.budget")
    assert "autograder.sandbox.session" in reached("autograder.worker")


@pytest.mark.parametrize("module", sorted(below("mha")))
def test_the_course_knows_nothing_of_the_grader(module: str) -> None:
    assert strays(module, "mha") == set()


@pytest.mark.parametrize("module", sorted(below("autograder.sandbox")))
def test_the_sandbox_imports_nothing_of_the_rest(module: str) -> None:
    assert strays(module, "autograder.sandbox") == set()


@pytest.mark.parametrize("module", sorted(below("autograder.sandbox.inside")))
def test_what_runs_inside_imports_only_what_both_sides_share(module: str) -> None:
    both = ("wire", "limits", "clear", "processor")
    shared = ("autograder.sandbox.inside", *(f"autograder.sandbox.{name}" for name in both))
    assert strays(module, *shared) == set()


@pytest.mark.parametrize("module", sorted(below("autograder.engine")))
def test_the_engine_knows_nothing_of_files_or_databases(module: str) -> None:
    assert strays(module, "autograder.engine", "autograder.sandbox", "autograder.names") == set()
    assert {name.partition(".")[0] for name in imports(module)} & STORES == set()


@pytest.mark.parametrize("module", sorted(below("autograder.gradebook")))
def test_the_gradebook_knows_nothing_of_sandboxes(module: str) -> None:
    assert {name for name in reached(module) if is_in(name, "autograder.sandbox")} == set()


def test_files_stay_small() -> None:
    folders = (*PACKAGES.values(), ROOT / "benchmarks", ROOT / "tests")
    lines = {
        str(path.relative_to(ROOT)): path.read_bytes().count(b"\n")
        for folder in folders
        for path in folder.rglob("*.py")
    }
    assert {path: count for path, count in lines.items() if count > MOST_LINES} == {}
    assert len(lines) > 100
