"""Trusted cells, read and compiled once in a process and used for every submission."""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

from autograder.names import all_loads

from .names import parse, top_level_loads


@dataclass(frozen=True, slots=True)
class Step:
    """One top-level statement."""

    code: CodeType
    defines: str = ""
    """The student's function that this statement defines anew, if it does."""
    source: str = ""
    """The source of that definition."""


@dataclass(frozen=True, slots=True)
class Program:
    """A trusted cell, ready to run statement by statement."""

    steps: tuple[Step, ...]
    last: CodeType | None
    """The last statement, where it is an expression: its value is a score."""
    loads: frozenset[str]
    """Every name that the cell reads."""
    top_level_loads: frozenset[str]
    """Names that running the cell reads at once."""


def file_name(key: str) -> str:
    """The file name under which a trusted cell's code shows in tracebacks."""
    return f"<trusted {key}>"


@lru_cache(maxsize=512)
def program_of(key: str, source: str, functions: frozenset[str]) -> Program:
    """Compile a trusted cell.

    Args:
        key: the cell's key.
        source: its source.
        functions: the student's functions, whose definitions must be followed in the sandbox.

    Raises:
        SyntaxError: the cell is not Python.
    """
    file = file_name(key)
    tree = parse(source, file)
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    body, last = list(tree.body), None
    if body and isinstance(body[-1], ast.Expr):
        last = compile(ast.Expression(body.pop().value), file, "eval")
    steps = []
    for node in body:
        code = compile(ast.Module([node], []), file, "exec")
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            steps.append(Step(code, node.name, ast.unparse(node)))
        else:
            steps.append(Step(code))
    return Program(tuple(steps), last, frozenset(all_loads(tree)), frozenset(top_level_loads(tree)))
