"""Whether a test may come later than its place in the notebook, and find everything as it was there."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from functools import lru_cache

from autograder.names import parse

from .model import Role, Task
from .names import bound_by

LOOKS_AROUND = frozenset(
    {"globals", "locals", "vars", "dir", "eval", "exec", "compile", "open", "get_ipython", "sys", "inspect", "gc"}
)
"""With one of these a function can find out about cells that ran after its own without naming anything in them."""
SAFE_MODULES = sys.stdlib_module_names - {"this", "antigravity"} | {"numpy"}
PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.BitOr, ast.BinOp, ast.UnaryOp, ast.USub)
"""Of these are the defaults and annotations that a definition reads without doing anything."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What a cell does to the names of a notebook, as far as its text tells."""

    names: frozenset[str]
    """Every name that it binds or reads anywhere, also inside its functions."""
    defines: frozenset[str] | None
    """What it binds where it does nothing but define and import; None where it does more."""
    looks_around: bool


@lru_cache(maxsize=512)
def effects_of(source: str) -> Effects | None:
    """The effects of a cell; None where it cannot be read."""
    tree = parse(source)
    if tree is None:
        return None
    names: set[str] = set()
    attributes: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            attributes.add(node.attr)
        else:
            names.update(bound_by(node))
    looks_around = any(name in LOOKS_AROUND or name.startswith("__") for name in names | attributes)
    return Effects(frozenset(names), _definitions(tree), looks_around)


def tests_may_wait(task: Task) -> bool:
    """Whether it can make no difference to any test that all other cells have run before it.

    So it is where the cells behind the first test do nothing but define and import, and nothing that they bind is
    bound or read before them, in a cell or in a test. In doubt the answer is no.
    """
    before: set[str] = set()
    tested = False
    for cell in task.cells:
        if not cell.runs:
            continue
        effects = effects_of(cell.source)
        if effects is None:
            return False
        if cell.role is Role.TEST:
            tested = True
        elif effects.looks_around or (tested and (effects.defines is None or effects.defines & before)):
            return False
        before |= effects.names
    return True


def _definitions(tree: ast.Module) -> frozenset[str] | None:
    if not all(_defines(node) for node in tree.body):
        return None
    nodes = [*tree.body, *(alias for node in tree.body for alias in getattr(node, "names", ()))]
    return frozenset(name for node in nodes for name in bound_by(node))


def _defines(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(decorator_list=[], args=arguments):
            given = [*arguments.defaults, *arguments.kw_defaults, node.returns]
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            given += [argument.annotation for argument in every if argument is not None]
            return all(_is_plain(one) for one in given if one is not None)
        case ast.Import(names=names):
            return all(alias.name.partition(".")[0] in SAFE_MODULES for alias in names)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            return module.partition(".")[0] in SAFE_MODULES and all(alias.name != "*" for alias in names)
        case ast.Pass():
            return True
    return False


def _is_plain(expression: ast.expr) -> bool:
    return all(isinstance(node, (*PLAIN, ast.expr_context)) for node in ast.walk(expression))
