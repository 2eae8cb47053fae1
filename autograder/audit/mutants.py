"""Automatic mutants of a solution: the same list on every run, each with one change that a person can read."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from autograder.settings import StudentVersion

from .operators import OPERATORS

REMOVED: Final = "(removed)"
STATEMENT_REMOVED: Final = "statement removed"
ARROW: Final = " → "

Path = tuple[tuple[str, int | None], ...]
"""Where a node stands: field by field from the root, with the index where the field is a list."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A solution with one change."""

    source: str
    operator: str
    line: int
    """Of the cell, counted from 1."""
    function: str
    """The function that was changed; empty for code outside of any."""
    before: str
    after: str

    @property
    def change(self) -> str:
        """What was changed, without the line: this stays the same when a comment above it grows."""
        return f"{self.before}{ARROW}{self.after}"


def mutants(source: str, version: StudentVersion | None = None) -> list[Mutant]:
    """Every mutant of a solution cell, in the order of its lines.

    What stands outside of the cell's solution regions is given to the student and is not changed.

    Raises:
        SyntaxError: the cell is not Python.
    """
    tree = ast.parse(source)
    inside = _solution_lines(source, version or StudentVersion())
    seen = {ast.unparse(tree)}
    found = []
    for path, node, names, function in _sites(tree, (), (), ""):
        if inside and getattr(node, "lineno", 0) not in inside:
            continue
        for operator, replacement in _replacements(node, names):
            mutated = _replaced(tree, path, replacement)
            text = ast.unparse(mutated)
            if text in seen or not _compiles(text):
                continue
            seen.add(text)
            before, after = _context(tree, mutated, path, replacement)
            found.append(Mutant(text, operator, node.lineno, function, before, after))
    return found


def _replacements(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, ast.AST | None]]:
    if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Pass):
        yield STATEMENT_REMOVED, None
    for name, operator in OPERATORS.items():
        for replacement in operator(node, names):
            yield name, replacement


def _sites(
    node: ast.AST, path: Path, names: tuple[str, ...], function: str
) -> Iterator[tuple[Path, ast.AST, tuple[str, ...], str]]:
    """Every statement and expression that may change, with the names and the name of the function around it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        names, function = _names_of(node), function or node.name
    for field, value in ast.iter_fields(node):
        if field in {"args", "decorator_list", "returns", "annotation"} and not isinstance(node, ast.Call):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if not isinstance(child, ast.AST) or _is_docstring(child):
                continue
            here = (*path, (field, index))
            if isinstance(child, ast.stmt | ast.expr):
                yield here, child, names, function
            yield from _sites(child, here, names, function)


def _names_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    """A function's own names in the order in which they appear: parameters, then what it assigns."""
    args = function.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    stored = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    names += [node.id for node in sorted(stored, key=lambda node: (node.lineno, node.col_offset))]
    return tuple(dict.fromkeys(names))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _replaced(tree: ast.Module, path: Path, replacement: ast.AST | None) -> ast.Module:
    mutated = copy.deepcopy(tree)
    parent: ast.AST = mutated
    for field, index in path[:-1]:
        value = getattr(parent, field)
        parent = value if index is None else value[index]
    field, index = path[-1]
    if index is None:
        setattr(parent, field, copy.deepcopy(replacement))
    elif replacement is None:
        body = getattr(parent, field)
        del body[index]
        if field == "body" and all(_is_docstring(node) for node in body):
            body.append(ast.Pass())
    else:
        getattr(parent, field)[index] = copy.deepcopy(replacement)
    return ast.fix_missing_locations(mutated)


def _compiles(source: str) -> bool:
    try:
        compile(source, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _context(tree: ast.Module, mutated: ast.Module, path: Path, replacement: ast.AST | None) -> tuple[str, str]:
    """The change in the smallest surroundings that a person can place: a call, a subscript or a statement."""
    before: list[ast.AST] = [tree]
    for field, index in path:
        value = getattr(before[-1], field)
        before.append(value if index is None else value[index])
    if replacement is None:
        return _first_line(before[-1]), REMOVED
    depth = len(path)
    while depth > 1 and not isinstance(before[depth], ast.Call | ast.Subscript | ast.stmt):
        depth -= 1
    after: ast.AST = mutated
    for field, index in path[:depth]:
        value = getattr(after, field)
        after = value if index is None else value[index]
    told, other = _first_line(before[depth]), _first_line(after)
    return told, other if other != told else f"{other} … {_lines(after)[-1].strip()}"


def _first_line(node: ast.AST) -> str:
    """A statement that holds others is shown by its first line."""
    return _lines(node)[0]


def _lines(node: ast.AST) -> list[str]:
    return ast.unparse(node).split("\n")


def _solution_lines(source: str, version: StudentVersion) -> set[int]:
    """The lines inside solution regions; empty where the cell has none and is all solution."""
    lines, inside = set(), False
    for number, line in enumerate(source.splitlines(), start=1):
        if version.begin_solution in line:
            inside = True
        elif version.end_solution in line:
            inside = False
        elif inside:
            lines.add(number)
    return lines
