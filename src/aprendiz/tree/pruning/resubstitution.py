"""What each node of a tree would cost as a leaf, and what its subtree saves.

    R(t)                                                     of the node by itself (risk.py)                  (1)
    R(T_t) = Σ R over the leaves below t                                                                      (2)
    g(t)   = (R(t) − R(T_t)) / (leaves below t − 1)                                                           (3)

g(t) is what each further leaf below t saves: at a price α = g(t) of a leaf it is all the same whether t is pruned. In a leaf
it is infinite, for there is nothing to prune. Cost: O(nodes).

Reference: Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, Wadsworth 1984, 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.tree.pruning.risk import equal_costs, risks
from aprendiz.tree.reading.labelled_tree import Labelled


@dataclass(frozen=True, eq=False)
class Resubstitution:
    """R(t), R(T_t) and g(t) of each node."""

    alone: Array
    below: Array
    saved: Array


def resubstitution(labelled: Labelled) -> Resubstitution:
    """The costs (1), (2) and (3) of all nodes."""
    tree = labelled.tree
    alone = risks(tree, costs_of(labelled))
    below = np.where(tree.is_leaf, alone, 0.0)
    for node in range(tree.node_count - 1, 0, -1):
        below[tree.parent[node]] += below[node]
    further = tree.leaves_below - 1
    saved = np.divide(alone - below, further, out=np.full(tree.node_count, np.inf), where=further > 0)
    return Resubstitution(alone, below, saved)


def costs_of(labelled: Labelled) -> Array | None:
    """The costs of mistakes, all 1 where none are given; None for numbers."""
    if labelled.classes is None:
        return None
    return equal_costs(len(labelled.classes)) if labelled.costs is None else labelled.costs
