"""Which names a piece of Python binds and uses at its top level; it is parsed, never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

PARSED_CHARACTERS: Final = 100_000
"""A cell longer than this is nobody's answer, and is not parsed."""
PARSED_TOGETHER: Final = 2_000_000
"""Of many cells, those beyond this many characters are not parsed: that would take longer than grading."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one cell."""

    functions: frozenset[str] = frozenset()
    """Bound by ``def`` or to a ``lambda``."""
    data: frozenset[str] = frozenset()
    """Bound in any other way, save by an import."""
    imported: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    """Every name that is read anywhere in the cell."""

    @property
    def bound(self) -> frozenset[str]:
        return self.functions | self.data


def parse(source: str) -> ast.Module | None:
    """The syntax tree of a cell, or None where it is not plain Python (magics, errors, absurd sizes)."""
    if len(source) > PARSED_CHARACTERS:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a student's invalid escape is theirs, not ours
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def without_magics(source: str) -> str:
    """The cell with lines that only IPython understands blanked, so that the rest can be parsed."""
    lines = source.split("\n")
    if lines[0].startswith("%%"):
        lines[0] = ""
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines)


@lru_cache(maxsize=512)
def names_of(source: str) -> Names:
    """The names of a cell; none where it cannot be parsed."""
    tree = parse(source) or parse(without_magics(source))
    if tree is None:
        return Names()
    try:
        return names_in(tree)
    except RecursionError:
        return Names()


def names_in(tree: ast.AST) -> Names:
    """The names of what was parsed. Raises RecursionError where it is nested beyond any use."""
    finder = _TopLevel()
    finder.visit(tree)
    functions = frozenset(finder.functions)
    return Names(functions, frozenset(finder.data) - functions, frozenset(finder.imported), frozenset(all_loads(tree)))


def all_loads(tree: ast.AST) -> set[str]:
    """Every name that a tree reads anywhere."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def names_of_all(sources: Mapping[int, str]) -> dict[int, Names]:
    """The names of many cells, in their order, as far as parsing them takes a bounded time."""
    found: dict[int, Names] = {}
    left = PARSED_TOGETHER
    for index, source in sources.items():
        left -= len(source)
        found[index] = names_of(source) if left >= 0 else Names()
    return found


class _TopLevel(ast.NodeVisitor):
    """Collects what the statements of a module bind, without entering functions and classes."""

    def __init__(self) -> None:
        self.functions: set[str] = set()
        self.data: set[str] = set()
        self.imported: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.functions.add(node.name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.data.add(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        return

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.imported.update((alias.asname or alias.name).split(".")[0] for alias in node.names)

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.value, ast.Lambda):
            self.functions.update(target.id for target in node.targets if isinstance(target, ast.Name))
            return
        self.generic_visit(node)

    def _comprehension(self, node: ast.AST) -> None:
        # its loop variable is its own; only a walrus inside leaks
        for child in ast.walk(node):
            if isinstance(child, ast.NamedExpr):
                self.data.add(child.target.id)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.data.add(node.id)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        # the name of `except … as name` is gone after the block
        for statement in node.body:
            self.visit(statement)
