"""An expression taken apart: a node for each operation, equal parts once.

    (x**2 + y) / (x - y)   →   v1 = x**2,  v2 = v1 + y,  v3 = x - y,  v4 = v2 / v3

Reference: Wengert, "A simple automatic derivative evaluation program", Communications of the ACM 7, 1964.
"""

from __future__ import annotations

from itertools import count

from aprendiz.neural.elementary.functions import IDENTITY
from aprendiz.neural.expressions.tree import Call, Name, Tree, names_in


def operations_of(tree: Tree) -> dict[str, Tree]:
    """The operations by the names of their nodes, in the order in which they are computed; the last is the expression."""
    taken, number = set(names_in(tree)), count(1)
    names: dict[Tree, str] = {}

    def leaf_for(part: Tree) -> Tree:
        if not isinstance(part, Call):
            return part
        operation = Call(part.symbol, part.function, tuple(leaf_for(one) for one in part.arguments))
        if not names_in(operation):
            return operation  # numbers only: no node
        if operation not in names:
            names[operation] = next(name for i in number if (name := f"v{i}") not in taken)
        return Name(names[operation])

    if isinstance(leaf := leaf_for(tree), Name) and leaf.name in taken:
        return {next(name for i in number if (name := f"v{i}") not in taken): Call("identity", IDENTITY, (leaf,))}
    if not isinstance(leaf, Name):
        raise ValueError("The expression holds no name: there is nothing to differentiate.")
    return {name: operation for operation, name in names.items()}
