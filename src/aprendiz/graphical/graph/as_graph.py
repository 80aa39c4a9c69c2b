"""Whatever has arrows, as a directed graph."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from aprendiz.graphical.graph.directed_graph import DirectedGraph


def as_graph(given: Any) -> DirectedGraph:
    """The arrows of a network, of a fitted search for one, of a `datasets` Network, or of edges."""
    graph = given if isinstance(given, DirectedGraph) else getattr(given, "graph_", None)
    if isinstance(graph, DirectedGraph):
        return graph
    if hasattr(given, "fit"):
        check_is_fitted(given, "graph_")
    return DirectedGraph.of(given)
