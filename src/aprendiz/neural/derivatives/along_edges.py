"""Derivatives of a graph, from the derivatives z(i, j) = ∂j/∂i of its edges: three ways to the same number.

The sum over all paths P from a node i to the output o,

    S(i, o) = Σ_P Π_{(j, k) ∈ P} z(j, k),                                                                     (1)

has as many terms as there are paths, which may double with every layer. Its terms share their ends; backward (backpropagation)

    S(o, o) = 1,     S(i, o) = Σ_{k: i → k} z(i, k)·S(k, o)                                                   (2)

takes each edge once and gives the derivative of o for all nodes. Forward, for one input x,

    T(x) = 1,        T(k) = Σ_{i: i → k} T(i)·z(i, k)                                                         (3)

gives the derivative of all nodes for x.

Cost: (2) and (3) O(edges); (1) O(paths · length), counted by (2) with every z = 1 before it starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.neural.elementary.functions import Value

Edge = tuple[int, int]


def paths_between(graph: DirectedGraph, i: int, o: int) -> Iterator[tuple[int, ...]]:
    """The paths from i to o along the arrows, each as the places of its nodes."""
    alive = {v for v, n in enumerate(path_counts(graph, o)) if n}
    waiting: list[tuple[int, ...]] = [(i,)] if i in alive else []
    while waiting:
        path = waiting.pop()
        if path[-1] == o:
            yield path
        else:
            waiting += [(*path, k) for k in reversed(graph.children[path[-1]]) if k in alive]


def path_counts(graph: DirectedGraph, o: int) -> list[int]:
    """How many paths lead from each node to o."""
    return backward(graph, o, dict.fromkeys(edges_of(graph), 1), one=1, zero=0)


def backward(graph: DirectedGraph, o: int, z: Mapping[Edge, Value], *, one: Any = 1.0, zero: Any = 0.0) -> list[Value]:
    """S(i, o) of every node: (2)."""
    S: list[Value] = [zero] * len(graph)
    S[o] = one
    for i in reversed(graph.order):
        for k in graph.children[i]:
            S[i] = S[i] + z[i, k] * S[k]
    return S


def forward(graph: DirectedGraph, x: int, z: Mapping[Edge, Value]) -> list[Value]:
    """∂k/∂x of every node: (3)."""
    T: list[Value] = [0.0] * len(graph)
    T[x] = 1.0
    for k in graph.order:
        for i in graph.parents[k]:
            T[k] = T[k] + T[i] * z[i, k]
    return T


def edges_of(graph: DirectedGraph) -> list[Edge]:
    """The places of both ends of each arrow."""
    return [(i, k) for k, parents in enumerate(graph.parents) for i in parents]
