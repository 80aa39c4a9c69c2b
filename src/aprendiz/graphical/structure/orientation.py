"""The directions that colliders tell, a → c ← b where a and b are not adjacent, and those that follow.

They follow by Meek's rules (graph/partly_directed_graph.py). Tests on few rows can contradict each
other: an edge that should point both ways, or against what is known of the graph, is given no direction by them, and is listed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph
from aprendiz.graphical.structure.known_edges import KnownEdges


def directions(adjacent: Array, claimed: Array, known: KnownEdges) -> tuple[Array, list[tuple[int, int]]]:
    """`found[a, b]`: whether a → b, or, if `found[b, a]` too, a — b. And the pairs whose directions contradict each other."""
    one_way = adjacent & known.allowed & ~known.allowed.T
    against = claimed & one_way.T
    both = claimed & claimed.T
    arrows = (claimed & ~against & ~both) | one_way
    lines = adjacent & ~(arrows | arrows.T)
    nodes = range(len(adjacent))
    graph = PartlyDirectedGraph.by_place(nodes, edges_of(arrows), edges_of(np.triu(lines))).oriented()
    found = np.zeros(adjacent.shape, bool)
    for a, b in graph.directed:
        found[a, b] = True
    for a, b in graph.undirected:
        found[a, b] = found[b, a] = True
    return found, edges_of(np.triu(against | against.T | both))


def edges_of(matrix: Array) -> list[tuple[int, int]]:
    """The pairs that are marked."""
    return [(a, b) for a, b in np.argwhere(matrix).tolist()]


def as_graph(found: Array, nodes: tuple[Any, ...]) -> PartlyDirectedGraph:
    """Arrows and lines between names."""
    return PartlyDirectedGraph.by_place(nodes, edges_of(found & ~found.T), edges_of(np.triu(found & found.T)))


def member(graph: PartlyDirectedGraph) -> DirectedGraph | None:
    """A directed graph of the class; None where the directions contradict each other."""
    try:
        return graph.extension()
    except ValueError:
        return None


def without_cycles(graph: PartlyDirectedGraph) -> DirectedGraph:
    """A directed graph with the same adjacent pairs and as many of the arrows as close no cycle, in their order; the others are
    turned round, and lines go as the order of the nodes allows."""
    place = {name: v for v, name in enumerate(graph.nodes)}
    ahead = np.eye(len(place), dtype=bool)  # ahead[a, b]: a path of arrows leads from a to b
    parents: list[list[int]] = [[] for _ in place]
    for first, second in (*graph.directed, *graph.undirected):
        a, b = place[first], place[second]
        if ahead[b, a]:
            a, b = b, a
        parents[b].append(a)
        ahead |= np.outer(ahead[:, a], ahead[b])
    return DirectedGraph(graph.nodes, tuple(tuple(sorted(own)) for own in parents))
