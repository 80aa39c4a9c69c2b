"""What a query needs of a network. The rest is left out before anything is multiplied.

A node that is neither asked, nor known, nor above one of these is barren: its table sums to one. Of the others, without the
known nodes, only those are needed that share a table with a target, directly or through others (moral graph): the rest is
d-separated from the targets by what is known, and contributes a constant.

Reference: Geiger, Verma & Pearl, "d-separation: from theorems to algorithms", UAI 1989.
"""

from __future__ import annotations

from collections.abc import Collection

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.inference.elimination_orders import neighbours_in


def not_barren(graph: DirectedGraph, named: Collection[int]) -> set[int]:
    """The nodes that are named, and those above them."""
    return graph.ancestors(named)


def needed_families(
    graph: DirectedGraph, targets: Collection[int], told: Collection[int], known: Collection[int]
) -> frozenset[int]:
    """The nodes whose tables p(targets | evidence) depends on; without targets, those that p(evidence) depends on. `told` are
    the nodes of which anything is said, `known` those of which all is."""
    above = not_barren(graph, {*targets, *told})
    if not targets:
        return frozenset(above)
    families = {v: {v, *graph.parents[v]} - set(known) for v in above}
    joined = neighbours_in(families.values())
    waiting, reached = list(targets), set(targets)
    for v in waiting:  # grows while it is read
        fresh = joined[v] - reached
        reached |= fresh
        waiting.extend(fresh)
    return frozenset(v for v, family in families.items() if not family.isdisjoint(reached))
