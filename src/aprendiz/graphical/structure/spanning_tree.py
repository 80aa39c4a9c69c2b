"""The spanning tree of largest weight, and how much every other one weighs less.

A tree grows from its root: of all pairs with one node inside, the heaviest joins next (Prim). A spanning tree is one of largest
weight if and only if no pair outside it is heavier than a pair on the path that it would close to a cycle:

    margin = min over pairs (a, b) outside the tree of  [ min over the path from a to b of w ] − w_ab         (1)

The best other tree swaps one pair, so its weight is less by exactly (1), and (1) < 0 would prove that the tree is not best.

Cost: O(d²).
Reference: Prim, "Shortest connection networks and some generalizations", Bell System Technical Journal 36, 1957; Tarjan,
"Sensitivity analysis of minimum spanning trees and shortest path trees", Information Processing Letters 14, 1982.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array


def spanning_tree(weights: Array, root: int) -> Array:
    """The parent of each node in the heaviest tree, −1 for the root. Among equals, the first in order."""
    d = len(weights)
    parent, inside = np.full(d, -1), np.zeros(d, bool)
    best, via = np.full(d, -np.inf), np.full(d, root)  # the heaviest pair to a node inside
    best[root] = np.inf
    for _ in range(d):
        v = int(np.where(inside, -np.inf, best).argmax())
        inside[v] = True
        parent[v] = -1 if v == root else via[v]
        closer = ~inside & (weights[v] > best)
        best[closer], via[closer] = weights[v][closer], v
    return parent


def outward_order(parent: Array) -> list[int]:
    """The nodes of a tree, parents before children."""
    order = [int(v) for v in np.flatnonzero(parent < 0)]
    for v in order:  # grows while it is read
        order += [int(child) for child in np.flatnonzero(parent == v)]
    return order


def swap_margin(weights: Array, parent: Array) -> float:
    """(1); ∞ where there is no other tree."""
    order = outward_order(parent)
    lightest = np.full(weights.shape, np.inf)  # of the pairs on the path between two nodes
    for number, v in enumerate(order[1:], 1):
        before, u = order[:number], parent[v]
        lightest[v, before] = lightest[before, v] = np.minimum(lightest[u, before], weights[u, v])
    outside = ~np.eye(len(parent), dtype=bool)
    children = np.flatnonzero(parent >= 0)
    outside[children, parent[children]] = outside[parent[children], children] = False
    return float((lightest - weights)[outside].min(initial=np.inf))


def tree_certificate(weights: Array, rounding: Array, parent: Array, claim: str) -> Certificate:
    """That no spanning tree weighs more. The weight of each is known to `rounding` / 2, so a tree with a larger margin is the
    only best one."""
    joined = np.flatnonzero(parent >= 0)
    margin = swap_margin(weights, parent)
    known = {
        "information": float(weights[joined, parent[joined]].sum()),
        "margin": margin,
        "rounding": 2.0 * len(joined) * float(rounding.max()),
    }
    return Certificate(claim, margin >= 0, known)
