"""A graph of functions: its value and its derivatives, every step to be seen.

Each node is a function of the nodes that point to it. The edge from i to j carries z(i, j) = ∂j/∂i. The derivative of the
output for any node is a sum over paths, found by dynamic programming (derivatives/along_edges.py): that is backpropagation.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import pairwise
from operator import mul
from typing import Any, Self

import numpy as np

from aprendiz.core.pictures import Picture, display
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.neural.derivatives.along_edges import Edge, backward, forward, path_counts, paths_between
from aprendiz.neural.derivatives.trace import Trace
from aprendiz.neural.elementary.functions import Value
from aprendiz.neural.expressions.parser import CONSTANTS, parse
from aprendiz.neural.expressions.rules import Rule, Written, rule_of
from aprendiz.neural.expressions.wengert_list import operations_of

MOST_PATHS = 100_000


class Graph:
    """Functions of functions, as an acyclic graph.

    Parameters
    ----------
    nodes : mapping of name to expression, or to (function, parents) or (function, parents, derivatives)
        Each node as a function of others. Names without a definition are the inputs.
    output : str, optional
        The node o to differentiate; by default the one that points to no other.

    Attributes
    ----------
    inputs : tuple of str
    output : str
    texts : dict of str to str
        What each node computes.

    Examples
    --------
    >>> graph = Graph({"g": "x**2 + y", "h": "x - y", "F": "g / h"})
    >>> graph.value(x=3, y=1)
    5.0
    >>> graph.gradient(x=3, y=1)
    {'x': 0.5, 'y': 3.0}
    """

    def __init__(self, nodes: Mapping[str, Any], output: str | None = None) -> None:
        if not isinstance(nodes, Mapping):
            raise TypeError(f"Nodes are a mapping of names to what they compute, such as {{'F': 'x**2 + y'}}, got {nodes!r}.")
        if strange := [name for name in nodes if not (isinstance(name, str) and name)]:
            raise TypeError(f"The name of a node is a text such as 'F', got {strange[0]!r}.")
        if not nodes:
            raise ValueError("There are no nodes: give at least one, such as {'F': 'x**2 + y'}.")
        if reserved := [name for name in nodes if name in CONSTANTS]:
            raise ValueError(f"{reserved[0]!r} is a constant in expressions: give the node another name.")
        self.rules: dict[str, Rule] = {name: rule_of(definition) for name, definition in nodes.items()}
        self.graph = DirectedGraph.of({name: rule.parents for name, rule in self.rules.items()})
        self.inputs = tuple(name for name in self.graph.nodes if name not in self.rules)
        if not self.inputs:
            raise ValueError("Every node is a constant: there is nothing to differentiate.")
        self.output = self.sink() if output is None else self.graph.nodes[self.graph.at(output)]

    @classmethod
    def of(cls, expression: str) -> Self:
        """The graph of an expression, with a node for each operation."""
        made = cls.__new__(cls)
        operations = operations_of(parse(expression))
        made.rules = {name: Written(tree) for name, tree in operations.items()}
        made.graph = DirectedGraph.of({name: rule.parents for name, rule in made.rules.items()})
        made.inputs = tuple(name for name in made.graph.nodes if name not in made.rules)
        made.output = list(operations)[-1]
        return made

    def sink(self) -> str:
        """The node that points to no other."""
        found = [name for name, children in zip(self.graph.nodes, self.graph.children, strict=True) if not children]
        if len(found) > 1:
            raise ValueError(f"{', '.join(map(repr, found))} point to no other node: say which is the output.")
        return str(found[0])

    @property
    def texts(self) -> dict[str, str]:
        """What each node computes, parents first."""
        names = (self.graph.nodes[v] for v in self.graph.order)
        return {name: self.rules[name].text for name in names if name in self.rules}

    # ---- values --------------------------------------------------------------------------------------------------------

    def values(self, inputs: Mapping[str, Value] | None = None, /, **named: Value) -> dict[str, Value]:
        """The value of every node, parents first. Inputs are numbers, or arrays that are taken cell by cell."""
        values: dict[str, Value] = self.checked({**(inputs or {}), **named})
        for v in self.graph.order:
            if (name := self.graph.nodes[v]) in self.rules:
                values[name] = self.computed(name, values)
        return {self.graph.nodes[v]: values[self.graph.nodes[v]] for v in self.graph.order}

    def value(self, inputs: Mapping[str, Value] | None = None, /, **named: Value) -> Value:
        """The value of the output."""
        return self.values(inputs, **named)[self.output]

    __call__ = value

    def checked(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Inputs, one for each, as numbers."""
        if unknown := [name for name in given if name not in self.inputs]:
            raise ValueError(f"{unknown[0]!r} is not an input; the inputs are {', '.join(self.inputs)}.")
        if missing := [name for name in self.inputs if name not in given]:
            raise ValueError(f"The input {missing[0]!r} has no value: give {missing[0]}=….")
        values = {name: number(name, given[name]) for name in self.inputs}
        try:
            np.broadcast_shapes(*(np.shape(value) for value in values.values()))
        except ValueError:
            shapes = ", ".join(f"{name} {np.shape(value)}" for name, value in values.items())
            raise ValueError(f"The shapes of the inputs do not go together: {shapes}.") from None
        return values

    def computed(self, name: str, values: Mapping[str, Value]) -> Value:
        """The value of a node; where it is none, the node is named."""
        try:
            with np.errstate(all="ignore"):
                result = self.rules[name].value(values)
        except (ValueError, ZeroDivisionError, OverflowError) as error:
            raise ValueError(f"Node {name!r} = {self.rules[name].text}: {error}") from error
        if not np.isfinite(np.asarray(result)).all():
            raise ValueError(f"Node {name!r} = {self.rules[name].text} overflows: take smaller inputs.")
        return plain(result)

    # ---- derivatives ---------------------------------------------------------------------------------------------------

    def edge_derivatives(self, inputs: Mapping[str, Value] | None = None, /, **named: Value) -> dict[tuple[str, str], Value]:
        """z(i, j) = ∂j/∂i of every edge, by the names of its ends."""
        z = self.differentiated(self.values(inputs, **named))
        return {(self.graph.nodes[i], self.graph.nodes[j]): value for (i, j), value in z.items()}

    def differentiated(self, values: Mapping[str, Value]) -> dict[Edge, Value]:
        """z(i, j) by the places of both ends."""
        z: dict[Edge, Value] = {}
        for v in self.graph.order:
            if (name := self.graph.nodes[v]) in self.rules:
                try:
                    with np.errstate(all="ignore"):
                        found = self.rules[name].partials(values)
                except (ValueError, ZeroDivisionError, OverflowError) as error:
                    raise ValueError(f"Node {name!r} = {self.rules[name].text}: {error}") from error
                for parent, value in found.items():
                    z[self.graph.place[parent], v] = plain(value)
        return z

    def derivatives(self, inputs: Mapping[str, Value] | None = None, /, **named: Value) -> dict[str, Value]:
        """S(i, o) = ∂o/∂i of every node, backward."""
        S = backward(self.graph, self.graph.at(self.output), self.differentiated(self.values(inputs, **named)))
        return {self.graph.nodes[v]: S[v] for v in self.graph.order}

    def gradient(self, inputs: Mapping[str, Value] | None = None, /, **named: Value) -> dict[str, Value]:
        """The derivative of the output for every input."""
        found = self.derivatives(inputs, **named)
        return {name: found[name] for name in self.inputs}

    def forward(self, along: str, inputs: Mapping[str, Value] | None = None, /, **named: Value) -> dict[str, Value]:
        """The derivative of every node for one node, forward."""
        T = forward(self.graph, self.graph.at(along), self.differentiated(self.values(inputs, **named)))
        return {self.graph.nodes[v]: T[v] for v in self.graph.order}

    # ---- paths ---------------------------------------------------------------------------------------------------------

    def count_paths(self, start: str) -> int:
        """How many paths lead from a node to the output."""
        return path_counts(self.graph, self.graph.at(self.output))[self.graph.at(start)]

    def paths(self, start: str, *, most: int = MOST_PATHS) -> list[tuple[str, ...]]:
        """The paths from a node to the output; refused where there are more than `most`."""
        if (count := self.count_paths(start)) > most:
            raise ValueError(
                f"{count} paths lead from {start!r} to {self.output!r}, more than most={most}. "
                "`derivatives` needs none of them: it takes each edge once."
            )
        found = paths_between(self.graph, self.graph.at(start), self.graph.at(self.output))
        return [tuple(self.graph.nodes[v] for v in path) for path in found]

    def path_products(
        self, start: str, inputs: Mapping[str, Value] | None = None, /, *, most: int = MOST_PATHS, **named: Value
    ) -> dict[tuple[str, ...], Value]:
        """The product of z along each path from a node to the output. Their sum is the derivative."""
        z = self.edge_derivatives(inputs, **named)
        edges = {path: list(pairwise(path)) for path in self.paths(start, most=most)}
        return {path: reduce(mul, (z[edge] for edge in steps), 1.0) for path, steps in edges.items()}

    # ---- to read and to look at ------------------------------------------------------------------------------------------

    def trace(self, inputs: Mapping[str, Value] | None = None, /, **named: Value) -> Trace:
        """Every step, forward and backward, to print."""
        values = self.values(inputs, **named)
        z = self.differentiated(values)
        S = backward(self.graph, self.graph.at(self.output), z)
        return Trace.of(self.graph, self.texts, values, z, S, self.output)

    def plot(self, inputs: Mapping[str, Value] | None = None, ax: Any = None) -> Picture:
        """Draw the graph with values, z on the edges and S on the nodes: `ComputationGraphDisplay`. Needs matplotlib."""
        return display("ComputationGraphDisplay").from_graph(self, inputs or {}, ax=ax)

    def __repr__(self) -> str:
        return f"Graph({', '.join(f'{name} = {text}' for name, text in self.texts.items())})"


def number(name: str, value: Any) -> Value:
    """A finite number, or an array of them."""
    try:
        found = np.asarray(value, dtype=np.complex128 if np.iscomplexobj(value) else np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"The input {name!r} is {value!r}: numbers are needed.") from None
    if not np.isfinite(found).all():
        raise ValueError(f"The input {name!r} holds {value!r}: finite numbers are needed.")
    return plain(found)


def plain(value: Any) -> Value:
    """A Python number instead of an array without axes."""
    found = np.asarray(value)
    return found.item() if found.ndim == 0 else found
