"""The equivalence class of a network as a graph with arrows and lines, its CPDAG (completed partially directed acyclic graph).

Data alone cannot tell members of a class apart: they state the same independencies, and their tables can say the same
distributions. An arrow of the class stands in all members, a line either way: graph/partly_directed_graph.py.
"""

from __future__ import annotations

from typing import Any

from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph


def cpdag(network: Any) -> PartlyDirectedGraph:
    """The equivalence class of a network.

    Parameters
    ----------
    network : BayesianNetwork, fitted search, DirectedGraph, `datasets` Network, pairs (parent, child) or mapping
        Its arrows.

    Returns
    -------
    PartlyDirectedGraph
        `directed` and `undirected` edges; `extension()` is a member.

    Examples
    --------
    >>> from aprendiz.graphical import cpdag
    >>> print(cpdag([("sprinkler", "wet"), ("rain", "wet"), ("wet", "slippery"), ("winter", "cold")]))
    sprinkler → wet
    wet → slippery
    rain → wet
    winter — cold
    """
    return PartlyDirectedGraph.of_class(as_graph(network))
