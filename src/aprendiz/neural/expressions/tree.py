"""An expression as a tree: numbers, names, and elementary functions of expressions.

The value and the partial derivative with respect to every name follow from the leaves up:

    ∂f(u, v)/∂x = ∂f/∂u · ∂u/∂x + ∂f/∂v · ∂v/∂x                                                               (1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.neural.elementary.functions import Elementary, Value


@dataclass(frozen=True)
class Number:
    value: float


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Call:
    """A function of expressions; `symbol` is how it is written."""

    symbol: str
    function: Elementary
    arguments: tuple[Tree, ...]


Tree = Number | Name | Call


def names_in(tree: Tree) -> tuple[str, ...]:
    """The names of an expression, each once, as they come."""
    return tuple(dict.fromkeys(each_name(tree)))


def each_name(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Name):
        yield tree.name
    elif isinstance(tree, Call):
        for one in tree.arguments:
            yield from each_name(one)


def value_of(tree: Tree, values: Mapping[str, Value]) -> Value:
    """The value of an expression."""
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Name):
        return values[tree.name]
    arguments = [value_of(one, values) for one in tree.arguments]
    refuse_outside(tree, arguments, tree.function.defined or tree.function.inside)
    return tree.function.value(*arguments)


def partials_of(tree: Tree, values: Mapping[str, Value]) -> tuple[Value, dict[str, Value]]:
    """The value, and the partial derivative for each name: (1)."""
    if isinstance(tree, Number):
        return tree.value, {}
    if isinstance(tree, Name):
        return values[tree.name], {tree.name: 1.0}
    inner = [partials_of(one, values) for one in tree.arguments]
    arguments = [value for value, _ in inner]
    if not any(parts for _, parts in inner):
        return value_of(tree, values), {}
    refuse_outside(tree, arguments, tree.function.inside)
    if tree.symbol == "**" and inner[1][1]:
        refuse_moving_exponent(*arguments)
    total: dict[str, Value] = {}
    for outer, (_, parts) in zip(tree.function.partials(*arguments), inner, strict=True):
        for name, part in parts.items():
            total[name] = total.get(name, 0.0) + outer * part
    return tree.function.value(*arguments), total


def refuse_outside(call: Call, arguments: list[Value], within: Callable[..., Any]) -> None:
    """Stop where a function is not defined, or has no derivative."""
    inside = np.asarray(within(*arguments))
    if inside.all():
        return
    first = tuple(int(i) for i in np.argwhere(~inside)[0])
    got = ", ".join(f"{np.real(np.broadcast_to(one, inside.shape)[first]):g}" for one in arguments)
    where = f" (entry {', '.join(map(str, first))})" if first else ""
    raise ValueError(f"{call.symbol} needs {call.function.domain}, got {got}{where}.")


def refuse_moving_exponent(base: Value, exponent: Value) -> None:
    """Stop where a power is no number for exponents nearby: of what is negative, and 0**0."""
    u, p = np.broadcast_arrays(np.real(base), np.real(exponent))
    broken = (u < 0) | ((u == 0) & (p == 0))
    if broken.any():
        at = tuple(np.argwhere(broken)[0])
        raise ValueError(
            f"** has no derivative for an exponent that varies at {u[at]:g}**{p[at]:g}: the base must be positive."
        )


def written(tree: Tree) -> str:
    """The expression as text."""
    return text_and_strength(tree)[0]


STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "−": 3, "**": 4}  # of the operators; "−" with one argument


def text_and_strength(tree: Tree) -> tuple[str, int]:
    """The text, and how strongly its outermost operator binds."""
    if isinstance(tree, Number):
        return f"{tree.value:g}", 9 if tree.value >= 0 else 3
    if isinstance(tree, Name):
        return tree.name, 9
    parts = [text_and_strength(one) for one in tree.arguments]
    if tree.symbol not in STRENGTH:
        return f"{tree.symbol}({', '.join(text for text, _ in parts)})", 9
    own = STRENGTH[tree.symbol]
    if len(parts) == 1:
        return f"-{enclosed(*parts[0], own)}", own
    left_loose, right_loose = (own + 1, own - 1) if tree.symbol == "**" else (own, own + (tree.symbol in "-/"))
    left, right = enclosed(*parts[0], left_loose), enclosed(*parts[1], right_loose)
    return (f"{left}{tree.symbol}{right}" if own > 2 else f"{left} {tree.symbol} {right}"), own


def enclosed(text: str, strength: int, least: int) -> str:
    """In brackets where it binds less strongly than what stands around it."""
    return text if strength >= least else f"({text})"
