"""From text to an expression: `(x**2 + y) / (x - y)`.

The text is parsed with Python's grammar and never evaluated. Allowed are numbers, names, + − * / **, brackets, and calls of the
elementary functions by name; everything else is refused, with the place where it stands.
"""

from __future__ import annotations

import ast
from math import isfinite, pi

from aprendiz.neural.elementary.functions import ADD, DIVIDE, FUNCTIONS, MULTIPLY, NEGATE, POWER, SUBTRACT, Elementary
from aprendiz.neural.expressions.tree import Call, Name, Number, Tree

LONGEST = 10_000  # characters of an expression
DEEPEST = 200  # brackets and operators inside each other

OPERATORS: dict[type[ast.operator], tuple[str, Elementary]] = {
    ast.Add: ("+", ADD),
    ast.Sub: ("-", SUBTRACT),
    ast.Mult: ("*", MULTIPLY),
    ast.Div: ("/", DIVIDE),
    ast.Pow: ("**", POWER),
}
CONSTANTS = {"pi": pi}


def parse(text: str) -> Tree:
    """The expression that a text writes."""
    if not isinstance(text, str):
        raise TypeError(f"An expression is a text such as 'x**2 + y', got {type(text).__name__}.")
    if len(text) > LONGEST:
        raise ValueError(f"The expression has {len(text)} characters; at most {LONGEST} are read.")
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        place = f" at character {error.offset}" if error.offset else ""
        raise ValueError(f"{shortened(text)} is no expression{place}: write, for instance, '(x**2 + y) / (x - y)'.") from None
    except (RecursionError, MemoryError, ValueError):
        raise ValueError(
            f"{shortened(text)} cannot be read: its brackets or operators are nested too deeply (split it into several nodes), "
            "or it holds a stray character."
        ) from None
    return tree_of(body, text.strip(), 0)


def tree_of(node: ast.expr, text: str, depth: int) -> Tree:
    """The expression of a piece of Python's grammar."""
    if depth > DEEPEST:
        raise ValueError(f"{shortened(text)} is nested more than {DEEPEST} levels deep: split it into several nodes.")
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return number(node.value, node, text)
    if isinstance(node, ast.Name):
        return Number(CONSTANTS[node.id]) if node.id in CONSTANTS else Name(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        return tree_of(node.operand, text, depth + 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = tree_of(node.operand, text, depth + 1)
        return Number(-inner.value) if isinstance(inner, Number) else Call("−", NEGATE, (inner,))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        symbol, function = OPERATORS[type(node.op)]
        return Call(symbol, function, (tree_of(node.left, text, depth + 1), tree_of(node.right, text, depth + 1)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return call_of(node, node.func.id, text, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
        raise ValueError(f"{piece(node, text)} is not a power in {shortened(text)}: write ** for it, as in x**2.")
    raise ValueError(
        f"{piece(node, text)} is not allowed in {shortened(text)}: use numbers, names, + - * / ** and {', '.join(FUNCTIONS)}."
    )


def call_of(node: ast.Call, name: str, text: str, depth: int) -> Tree:
    """A call of an elementary function."""
    if name not in FUNCTIONS:
        raise ValueError(f"There is no function {name!r} in {shortened(text)}; there are {', '.join(FUNCTIONS)}.")
    function = FUNCTIONS[name]
    if len(node.args) != function.arguments:
        raise ValueError(f"{name} takes {function.arguments} argument(s), got {len(node.args)}: {piece(node, text)}.")
    return Call(name, function, tuple(tree_of(one, text, depth + 1) for one in node.args))


def number(value: int | float, node: ast.expr, text: str) -> Number:
    """A number that a double holds."""
    try:
        found = float(value)
    except OverflowError:
        found = float("inf")
    if not isfinite(found):
        raise ValueError(f"{shortened(piece(node, text))} is too large for a number.")
    return Number(found)


def piece(node: ast.expr, text: str) -> str:
    """The part of the text that a piece of grammar stands for."""
    return repr(ast.get_source_segment(text, node) or type(node).__name__)


def shortened(text: str) -> str:
    """The text in quotation marks, cut where it is long."""
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
