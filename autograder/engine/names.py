"""Which names a trusted cell needs and must not bind, read from its syntax tree and never by running it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence, Set

from autograder.names import all_loads, names_in, without_magics

from .model import Role, Task

UNRESOLVED = "test cell {key!r} uses {name!r}, which neither the given cells, the student nor Python defines"
UNREADABLE = "cell {key!r} is not Python: {why} (line {line})"
REBOUND = "test cell {key!r} binds {name!r} otherwise than by a plain `def` at its top level"


def parse(source: str, filename: str) -> ast.Module:
    """Read a trusted cell. Magics and shell lines have no meaning in the trusted process and are left out.

    Raises:
        SyntaxError: the cell is not Python.
    """
    try:
        return ast.parse(source, filename)
    except SyntaxError:
        return ast.parse(without_magics(source), filename)


def top_level_loads(tree: ast.AST) -> set[str]:
    """Names that running the tree reads at once: not those inside the bodies of functions it only defines."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            defaults = [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
            decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
            for outer in (*defaults, *decorators):
                found |= top_level_loads(ast.Expr(outer))
        else:
            found |= top_level_loads(node)
    return found


def bound(tree: ast.AST) -> set[str]:
    """Every name that the tree binds anywhere: assignments, definitions, imports, parameters, loops, captures."""
    return {name for node in ast.walk(tree) for name in bound_by(node)}


def bound_by(node: ast.AST) -> tuple[str, ...]:
    """The names that one node binds by itself, without what is in it."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.alias(name=name, asname=alias):
            return (alias or name.split(".")[0],)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
    return ()


def needs_student(loads: Set[str], task: Task) -> bool:
    """Whether a locked cell that reads these names at once needs what only the student's code can give."""
    return not loads.isdisjoint(task.functions | task.data)


def authoring_errors(task: Task) -> list[str]:
    """What is wrong with an assignment's trusted cells, one sentence each.

    Locked cells of the trusted side and test cells are read in order; a name counts as defined from the cell on
    that binds it.
    """
    known = set(dir(builtins)) | {"__name__"} | task.functions | task.data
    errors = []
    for cell in task.cells:
        if cell.role is Role.STUDENT:
            continue
        try:
            tree = parse(cell.source, cell.key)
        except SyntaxError as error:
            errors.append(UNREADABLE.format(key=cell.key, why=error.msg, line=error.lineno))
            continue
        if cell.role is Role.LOCKED and needs_student(top_level_loads(tree), task):
            continue
        here = known | bound(tree)
        if cell.role is Role.TEST:
            errors += [UNRESOLVED.format(key=cell.key, name=name) for name in sorted(all_loads(tree) - here)]
            errors += [REBOUND.format(key=cell.key, name=name) for name in sorted(_rebound(tree.body, task.functions))]
        known = here
    return errors


def _rebound(body: Sequence[ast.stmt], functions: frozenset[str]) -> frozenset[str]:
    """Student functions that top-level statements bind in a way that the test session could not follow."""
    others = [node for node in body if not isinstance(node, ast.FunctionDef)]
    names = names_in(ast.Module(others, []))
    return (names.bound | names.imported) & functions
