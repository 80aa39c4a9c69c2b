"""What hangs together in a graph: connected components, vertices without edges, two colours.

Cost: O(vertices + edges).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, connected_components

from aprendiz.cluster.graph.checks import as_graph
from aprendiz.core.rows import Array

NAMED = 10  # vertices that a message names


def components(W: Any) -> Array:
    """The number of the connected component of each vertex, counted from 0 in the order of their first vertices.

    Examples
    --------
    >>> components([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    array([0, 1, 0])
    """
    return parts(as_graph(W))


def isolated(W: Any) -> Array:
    """The vertices without edges to others.

    Examples
    --------
    >>> isolated([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    array([1])
    """
    graph = as_graph(W)
    graph.setdiag(0.0)
    return np.flatnonzero(np.asarray(graph.sum(axis=1)) == 0)


# ---- of graphs that are checked already --------------------------------------------------------------------------------


def parts(graph: Any) -> Array:
    """`components` of a checked graph."""
    found = connected_components(graph, directed=False)[1]
    first = np.unique(found, return_index=True)[1]
    place = np.empty(len(first), np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return place[found]


def refuse_isolated(graph: Any, why: str) -> None:
    """Vertices of degree 0."""
    alone = np.flatnonzero(np.asarray(graph.sum(axis=1)) == 0)
    if len(alone):
        raise ValueError(f"{list_vertices(alone)} no edges, but {why}: join more rows (a larger ε, k or σ), or leave them out.")


def list_vertices(vertices: Array) -> str:
    """The first vertices by number, and the verb."""
    if len(vertices) == 1:
        return f"Vertex {vertices[0]} has"
    more = f" and {len(vertices) - NAMED} more" if len(vertices) > NAMED else ""
    return f"Vertices {', '.join(map(str, vertices[:NAMED]))}{more} have"


def has_two_colours(graph: Any, part: Array) -> bool:
    """Is there a component whose vertices can have two colours such that every edge joins different ones?"""
    colour = np.zeros(len(part), np.int64)
    for start in np.unique(part, return_index=True)[1]:
        order, before = breadth_first_order(graph, start, directed=False)
        for vertex in order[1:]:
            colour[vertex] = 1 - colour[before[vertex]]
    rows = np.repeat(np.arange(len(part)), np.diff(graph.indptr))
    clashes = np.bincount(part[rows], colour[rows] == colour[graph.indices], minlength=part.max() + 1)
    return bool((clashes == 0).any())
