"""The small changes that make a mutant: each operator takes one node and gives the nodes that may stand there instead.

An operator never changes the node that it is given. Whatever it yields is worth trying, nothing more: what comes out
the same as the original is left out later.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

Operator = Callable[[ast.AST, Sequence[str]], Iterator[ast.AST]]
"""Takes a node and the names that its function binds, in order; yields what may replace the node."""

ARITHMETIC: Final[dict[type[ast.operator], tuple[type[ast.operator], ...]]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.Sub, ast.FloorDiv, ast.Pow),
    ast.MatMult: (ast.Mult, ast.Add, ast.Sub),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Eq: (ast.NotEq, ast.LtE),
    ast.NotEq: (ast.Eq, ast.Lt),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
SIBLINGS: Final = {
    name: other
    for pair in (
        ("sum", "mean"),
        ("max", "min"),
        ("argmax", "argmin"),
        ("any", "all"),
        ("zeros", "ones"),
        ("zeros_like", "ones_like"),
        ("hstack", "vstack"),
        ("concatenate", "stack"),
        ("maximum", "minimum"),
        ("append", "extend"),
        ("tril", "triu"),
        ("floor", "ceil"),
        ("exp", "log"),
    )
    for name, other in (pair, pair[::-1])
}


def swap_elements(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """Two elements of a tuple or list change places: axes, sizes, results, unpacked names."""
    if isinstance(node, ast.Tuple | ast.List):
        for elements in _swapped(node.elts):
            yield type(node)(elts=elements, ctx=node.ctx)


def drop_element(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """One element of a tuple or list is missing."""
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load) and len(node.elts) > 1:
        for index in range(len(node.elts)):
            yield type(node)(elts=node.elts[:index] + node.elts[index + 1 :], ctx=node.ctx)


def swap_arguments(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """Two arguments of a call change places."""
    if isinstance(node, ast.Call):
        for arguments in _swapped(node.args):
            yield ast.Call(node.func, arguments, node.keywords)


def drop_argument(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """An argument of a call, by place or by name, is missing."""
    if isinstance(node, ast.Call):
        for index in range(len(node.args)):
            yield ast.Call(node.func, node.args[:index] + node.args[index + 1 :], node.keywords)
        for index in range(len(node.keywords)):
            yield ast.Call(node.func, node.args, node.keywords[:index] + node.keywords[index + 1 :])


def drop_call(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """A method is not called on its object, or a function not on its first argument."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
            yield node.func.value
        if node.args and not isinstance(node.args[0], ast.Starred):
            yield node.args[0]


def drop_attribute(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """An attribute is not taken: ``w`` for ``w.T``."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and not _is_module(node.value):
        yield node.value


def change_number(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """A number is one more, one less, zero or of the other sign; a truth value is the other one."""
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        for value in (node.value + 1, node.value - 1, 0, -node.value):
            if value != node.value:
                yield ast.Constant(value)


def change_arithmetic(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """Another operator between the same operands; the operands swapped."""
    if isinstance(node, ast.BinOp):
        for operator in ARITHMETIC.get(type(node.op), ()):
            yield ast.BinOp(node.left, operator(), node.right)
        if not isinstance(node.op, ast.Add | ast.Mult):
            yield ast.BinOp(node.right, node.op, node.left)
    if isinstance(node, ast.AugAssign):
        for operator in ARITHMETIC.get(type(node.op), ()):
            yield ast.AugAssign(node.target, operator(), node.value)
        yield ast.Assign([node.target], node.value)


def drop_operand(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """Only one side of an operation is left."""
    if isinstance(node, ast.BinOp):
        yield node.left
        yield node.right
    if isinstance(node, ast.BoolOp):
        yield from node.values
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def transpose_operand(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """One side of a matrix product is transposed where it should not be."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield ast.BinOp(ast.Attribute(node.left, "T", ast.Load()), node.op, node.right)
        yield ast.BinOp(node.left, node.op, ast.Attribute(node.right, "T", ast.Load()))


def change_comparison(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """Another comparison; ``and`` for ``or``."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            for other in COMPARISONS.get(type(operator), ()):
                yield ast.Compare(node.left, [*node.ops[:index], other(), *node.ops[index + 1 :]], node.comparators)
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def negate_condition(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """A branch is taken when it should not be."""
    if isinstance(node, ast.If | ast.While):
        yield type(node)(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    if isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)


def negate_result(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """What is returned or stored has the other sign; nothing is returned."""
    if isinstance(node, ast.Return) and node.value is not None:
        yield ast.Return(None)
        if not isinstance(node.value, ast.Tuple):
            yield ast.Return(ast.UnaryOp(ast.USub(), node.value))
    if (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Assign(node.targets, ast.UnaryOp(ast.USub(), node.value))


def take_neighbour(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """A name of the function's own is read instead of its neighbour."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        place = names.index(node.id)
        for other in (place - 1, place + 1):
            if 0 <= other < len(names):
                yield ast.Name(names[other], ast.Load())


def take_sibling(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """Another function of the same kind is called."""
    if isinstance(node, ast.Attribute) and node.attr in SIBLINGS:
        yield ast.Attribute(node.value, SIBLINGS[node.attr], node.ctx)


def leave_loop(node: ast.AST, names: Sequence[str]) -> Iterator[ast.AST]:
    """A loop ends where it should go on, or the other way round; it runs once only, or leaves out its first turn."""
    if isinstance(node, ast.Break):
        yield ast.Continue()
    if isinstance(node, ast.Continue):
        yield ast.Break()
    if isinstance(node, ast.For):
        yield ast.For(node.target, node.iter, [*node.body, ast.Break()], node.orelse)
        rest = ast.Subscript(
            ast.Call(ast.Name("list", ast.Load()), [node.iter], []), ast.Slice(ast.Constant(1)), ast.Load()
        )
        yield ast.For(node.target, rest, node.body, node.orelse)


OPERATORS: Final[dict[str, Operator]] = {
    "elements swapped": swap_elements,
    "element dropped": drop_element,
    "arguments swapped": swap_arguments,
    "argument dropped": drop_argument,
    "call dropped": drop_call,
    "attribute dropped": drop_attribute,
    "number changed": change_number,
    "operator changed": change_arithmetic,
    "operand dropped": drop_operand,
    "operand transposed": transpose_operand,
    "comparison changed": change_comparison,
    "condition negated": negate_condition,
    "result changed": negate_result,
    "name confused": take_neighbour,
    "function confused": take_sibling,
    "loop changed": leave_loop,
}


def _swapped(nodes: Sequence[ast.expr]) -> Iterator[list[ast.expr]]:
    for first, second in combinations(range(len(nodes)), 2):
        swapped = list(nodes)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        yield swapped


def _is_module(node: ast.expr) -> bool:
    """Whether this can only be a module such as ``np``, which is no value of its own."""
    return isinstance(node, ast.Name) and node.id in {"np", "numpy", "math"}
