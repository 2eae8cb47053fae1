"""Advice from reading a function's source: right, and could be better. It costs no points."""

from __future__ import annotations

import ast
import textwrap

__all__ = ["advice"]

LOOP_OVER_HEADS = (
    "Your function loops over the heads. That is right; the matrix product treats the head axis like a batch axis, so "
    "one product can do all heads at once."
)
LOOP_OVER_BATCH = (
    "Your function loops over the sentences of the batch. That is right; NumPy carries the batch axis through by "
    "itself, so the loop can go."
)
LOOP_TO_JOIN = (
    "Your function joins the heads in a loop. That is right; moving one axis and merging two does the same without a "
    "loop."
)
NESTED_LOOPS = (
    "Your loops go through single numbers in Python. That is right on small inputs, but NumPy does the same on whole "
    "arrays, and many times faster."
)
PRINTS = "Your function prints while it works. That helps while you look for a mistake; take it out when you are done."

PRODUCTS = frozenset(
    {"dot", "einsum", "inner", "matmul", "multi_head_attention_per_head", "softmax", "tensordot", "vdot"}
)
LONGEST_SOURCE = 100_000
TOO_DEEP = 3


def advice(source: str) -> list[str]:
    """Return advice on the source of one or more functions; nothing where it cannot be read.

    Args:
        source: Python source, such as a notebook's cell or what `inspect.getsource` returns.
    """
    tree = _parsed(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] if tree else []
    found: list[str] = []
    for function in functions:
        found += _about(function)
    return list(dict.fromkeys(found))


def _about(function: ast.FunctionDef) -> list[str]:
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For | ast.comprehension)]
    found = []
    if _depth(function) >= TOO_DEEP:
        found.append(NESTED_LOOPS)
    else:
        if any(_runs_over(loop, ("head", "h")) or _over_second_axis(loop, function) for loop in loops):
            found.append(LOOP_OVER_HEADS if _multiplies(function) else LOOP_TO_JOIN)
        if any(_runs_over(loop, ("batch", "b", "sentence")) for loop in loops):
            found.append(LOOP_OVER_BATCH)
    if any(_called(node) == "print" for node in ast.walk(function)):
        found.append(PRINTS)
    return found


def _parsed(source: str) -> ast.Module | None:
    if not isinstance(source, str) or len(source) > LONGEST_SOURCE:
        return None
    try:
        return ast.parse(textwrap.dedent(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # all that the parser raises for odd sources
        return None


def _runs_over(loop: ast.For | ast.comprehension, words: tuple[str, ...]) -> bool:
    """Say whether the loop's variable or range is called after ``words``."""
    names = [
        node.id.casefold() for part in (loop.target, loop.iter) for node in ast.walk(part) if isinstance(node, ast.Name)
    ]
    return any(name == word or (len(word) > 1 and word in name) for name in names for word in words)


def _over_second_axis(loop: ast.For | ast.comprehension, function: ast.FunctionDef) -> bool:
    """Say whether a concat loops over ``x.shape[1]``, which are its heads."""
    return "concat" in function.name and "shape[1]" in ast.unparse(loop.iter)


def _multiplies(function: ast.FunctionDef) -> bool:
    return any(
        (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)) or _called(node) in PRODUCTS
        for node in ast.walk(function)
    )


def _called(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else None


def _depth(node: ast.AST) -> int:
    """Return how many loops stand inside one another, iteratively, since a source may be nested deeply."""
    deepest, waiting = 0, [(node, 0)]
    while waiting:
        current, depth = waiting.pop()
        inner = depth + _loops_at(current)
        deepest = max(deepest, inner)
        waiting += [(child, inner) for child in ast.iter_child_nodes(current)]
    return deepest


def _loops_at(node: ast.AST) -> int:
    """Return how many loops start at ``node``: one that unpacks an index of three parts counts as three."""
    if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple):
        return max(1, len(node.target.elts)) if _called(node.iter) in ("ndindex", "product") else 1
    return isinstance(node, ast.For | ast.While) + len(getattr(node, "generators", ()))
