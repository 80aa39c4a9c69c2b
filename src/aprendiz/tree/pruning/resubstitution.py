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
from aprendiz.tree.shared.nodes import Tree


@dataclass(frozen=True, eq=False)
class Resubstitution:
    """R(t), R(T_t) and g(t) of each node; printed, a table."""

    alone: Array
    below: Array
    saved: Array

    def __str__(self) -> str:
        stands = np.flatnonzero(~np.isnan(self.alone))
        lines = [f"{'node':>6}  {'R(t)':>10}  {'R(T_t)':>10}  {'g(t)':>10}"]
        for t in stands:
            g = f"{self.saved[t]:10.4g}" if np.isfinite(self.saved[t]) else f"{'leaf':>10}"
            lines.append(f"{t:6d}  {self.alone[t]:10.4g}  {self.below[t]:10.4g}  {g}")
        return "\n".join(lines)


def resubstitution(labelled: Labelled) -> Resubstitution:
    """The costs (1), (2) and (3) of all nodes."""
    return costs_below(labelled.tree, risks(labelled.tree, costs_of(labelled)), labelled.tree.is_leaf)


def costs_below(tree: Tree, alone: Array, leaf: Array) -> Resubstitution:
    """(1), (2) and (3) of all nodes where those of `leaf` are the leaves; what hangs below a leaf is NaN."""
    stands = np.ones(tree.node_count, bool)
    for node in range(1, tree.node_count):
        above = tree.parent[node]
        stands[node] = stands[above] and not leaf[above]
    ends = leaf & stands
    below, leaves = np.where(ends, alone, 0.0), ends.astype(np.int64)
    for node in range(tree.node_count - 1, 0, -1):
        if stands[node]:
            below[tree.parent[node]] += below[node]
            leaves[tree.parent[node]] += leaves[node]
    saved = np.divide(alone - below, leaves - 1, out=np.full(tree.node_count, np.inf), where=leaves > 1)
    found = (np.where(stands, values, np.nan) for values in (alone, below, saved))
    return Resubstitution(*found)


def costs_of(labelled: Labelled) -> Array | None:
    """The costs of mistakes, all 1 where none are given; None for numbers."""
    if labelled.classes is None:
        return None
    return equal_costs(len(labelled.classes)) if labelled.costs is None else labelled.costs
