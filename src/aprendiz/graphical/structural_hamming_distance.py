"""How far two graphs are from each other: the number of pairs of nodes whose edge differs.

Missing, added, turned: each counts one. Between equivalence classes, an arrow where the other has a line counts one, and what
data cannot tell apart counts nothing.

Reference: Tsamardinos, Brown & Aliferis, "The max-min hill-climbing Bayesian network structure learning algorithm", Machine
Learning 65, 2006.
"""

from __future__ import annotations

from typing import Any

from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph


def structural_hamming_distance(a: Any, b: Any, *, classes: bool = False) -> int:
    """The number of pairs of nodes whose edge differs.

    Parameters
    ----------
    a, b : BayesianNetwork, fitted search, DirectedGraph, `datasets` Network, PartlyDirectedGraph, pairs or mapping
        Graphs; a node without edges in one of them need not be named by the other, if both are edges.
    classes : bool
        Whether their equivalence classes are compared.

    Examples
    --------
    >>> from aprendiz.graphical import structural_hamming_distance
    >>> structural_hamming_distance([("a", "b"), ("b", "c")], [("b", "a"), ("b", "c"), ("c", "d")])
    2
    >>> structural_hamming_distance([("a", "b"), ("b", "c")], [("b", "a"), ("b", "c")], classes=True)
    0
    """
    one, other = (edge_kinds(graph, classes) for graph in (a, b))
    return sum(one.get(pair) != other.get(pair) for pair in one.keys() | other.keys())


def edge_kinds(given: Any, classes: bool) -> dict[frozenset[Any], Any]:
    """For each adjacent pair, the child of its arrow, in a tuple; of a line, no child."""
    graph = given if isinstance(given, PartlyDirectedGraph) else as_graph(given)
    if classes:
        graph = PartlyDirectedGraph.of_class(graph.extension() if isinstance(graph, PartlyDirectedGraph) else graph)
    if not isinstance(graph, PartlyDirectedGraph):
        return {frozenset(edge): edge[1:] for edge in graph.edges}
    return {frozenset(edge): edge[1:] for edge in graph.directed} | {frozenset(edge): () for edge in graph.undirected}
