"""d-separation: which nodes can tell something about others, once some are observed.

A path is open given the observed nodes C if information passes each node n inside it:

    → n →, ← n ←, ← n →   (chain, fork)     passes if n is not in C                                           (1)
    → n ←                 (collider)        passes if n or a descendant of n is in C                          (2)

A and B are d-separated by C if no path between them is open. There may be more paths than atoms; but whether information
passes a node depends only on the node and on the arrows by which it comes and goes. So it is enough to visit each node at most
twice, once from a child and once from a parent. An observed descendant of a collider sends back up what came down to it, so
that (2) need not be asked of the collider.

Cost: O(nodes + edges) for all nodes that A reaches.
Reference: Shachter, "Bayes-ball", UAI 1998; Koller & Friedman, "Probabilistic Graphical Models", algorithm 3.1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from aprendiz.graphical.graph.directed_graph import DirectedGraph


def connected(graph: DirectedGraph, sources: Iterable[int], given: Collection[int]) -> set[int]:
    """The nodes that open paths reach from some sources, with these; observed nodes are not among them."""
    observed = set(given)
    waiting = [(v, True) for v in sources]  # a node, and whether it is come to from a child; sources go all ways
    seen = set(waiting)
    while waiting:
        v, from_child = waiting.pop()
        steps: list[tuple[int, bool]] = []
        if v not in observed:  # (1)
            steps += [(child, False) for child in graph.children[v]]
        if from_child != (v in observed):  # (1) of what comes from a child, (2) of what comes from a parent
            steps += [(parent, True) for parent in graph.parents[v]]
        fresh = [step for step in steps if step not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return {v for v, _ in seen} - observed


def separated(graph: DirectedGraph, some: Collection[int], others: Collection[int], given: Collection[int]) -> bool:
    """Whether no open path leads from some nodes to others."""
    return connected(graph, some, given).isdisjoint(others)
