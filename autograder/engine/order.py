"""Whether a test may come later than its place in the notebook, and find everything as it was there."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from functools import lru_cache

from autograder.names import parse

from .model import Role, Task
from .names import bound_by

LOOKS_AROUND = frozenset(
    {"globals", "locals", "vars", "dir", "eval", "exec", "compile", "open", "get_ipython", "getattr", "get_type_hints"}
    | {"attrgetter", "methodcaller", "sys", "inspect", "gc"}
    | {"gi_frame", "cr_frame", "ag_frame", "tb_frame", "f_back", "f_globals", "f_locals", "f_builtins"}
)
"""With one of these a function can find out about cells that ran after its own without naming anything in them."""
HARMLESS = frozenset(
    {"__future__", "cmath", "collections", "dataclasses", "functools", "itertools", "math", "random", "statistics"}
    | {"typing", "matplotlib", "mha", "numpy"}
)
"""Modules with which nothing can be found out."""
ALWAYS_THERE = frozenset({"itertools", "math", "numpy"})
"""Modules that a session has imported before its first cell: to import them again only binds a name."""
CONSTANT = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.USub, ast.expr_context)
TYPES = frozenset(dir(builtins)) | {"np", "numpy"}
"""What an annotation may read: a name of the student's could be bound to another value in between."""
OF_TYPES = (*CONSTANT, ast.Name, ast.Subscript, ast.BinOp, ast.BitOr)


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
    looks_around = False
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                looks_around |= "__" in text
            case ast.Name(id=name):
                names.add(name)
                looks_around |= name.startswith("__") or name in LOOKS_AROUND
            case ast.Attribute(attr=name):
                looks_around |= name.startswith("_") or name in LOOKS_AROUND
            case ast.Import(names=aliases):
                looks_around |= not all(_is_harmless(alias.name) for alias in aliases)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                imported = {alias.name for alias in aliases}
                looks_around |= bool(level) or not _is_harmless(module or "") or not LOOKS_AROUND.isdisjoint(imported)
                looks_around |= any(name.startswith(("_", "*")) for name in imported)
            case _:
                names.update(bound_by(node))
    return Effects(frozenset(names), _definitions(tree), looks_around)


def tests_may_wait(task: Task) -> bool:
    """Whether it can make no difference to any test that all other cells have run before it.

    So it is where the cells behind the first test do nothing but define and import, nothing that they bind is bound
    or read before them, in a cell or in a test, and nothing could find it without its name. In doubt the answer is no.
    """
    before: set[str] = set()
    tested = False
    for cell in task.cells:
        if not cell.runs and cell.role is not Role.TEST:
            continue
        effects = effects_of(cell.source)
        if effects is None or effects.looks_around:
            return False
        if cell.role is Role.TEST:
            tested = True
        elif tested and (effects.defines is None or effects.defines & before):
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
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            annotations = [node.returns, *(argument.annotation for argument in every if argument is not None)]
            defaults = [*arguments.defaults, *arguments.kw_defaults]
            return all(map(_is_constant, filter(None, defaults))) and all(map(_is_type, filter(None, annotations)))
        case ast.Import(names=aliases):
            return all(alias.name in ALWAYS_THERE for alias in aliases)
        case ast.Pass():
            return True
    return False


def _is_harmless(module: str) -> bool:
    first, *others = module.split(".")
    return first in HARMLESS and not any(part.startswith("_") for part in others)


def _is_constant(expression: ast.expr) -> bool:
    return all(isinstance(node, CONSTANT) for node in ast.walk(expression))


def _is_type(expression: ast.expr) -> bool:
    """Whether this reads nothing but Python's types and NumPy's."""
    for node in ast.walk(expression):
        match node:
            case ast.Name(id=name) if name not in TYPES:
                return False
            case ast.Attribute(value=ast.Attribute() | ast.Name(id="np" | "numpy")):
                continue
            case _ if not isinstance(node, OF_TYPES):
                return False
    return True
