"""Reduced-error pruning: a node becomes a leaf if that does not raise the loss on validation rows.

From the leaves to the root, with L(t) of held_out.py,

    best(t) = min( L(t), Σ best(children of t) ),     t becomes a leaf where L(t) is not larger               (1)

Each part is decided for itself and the losses add, so the tree that is left has the least validation loss of all prunings, and
of those with that loss it is the one with the fewest leaves. Cutting again and again the node whose removal helps most does not
promise that: it may cut a node below which two smaller cuts would have helped more. A node that no validation row passes
becomes a leaf: nothing speaks for its split.

The loss on the validation rows is no estimate for new rows, since the tree was chosen by them.

Cost: O(rows·depth + nodes).
Reference: Quinlan, "Simplifying decision trees", International Journal of Man-Machine Studies 27, 1987.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.tree.pruning.held_out import TIE, node_losses
from aprendiz.tree.shared.nodes import Tree


def reduced_error_stumps(tree: Tree, leaf: Array, y: Array, costs: Array | None, sample_weight: Any = None) -> Array:
    """The nodes that become leaves, from validation rows that end in the nodes `leaf`.

    y holds numbers of classes, or without costs targets.
    """
    losses = node_losses(tree, leaf, y, costs, sample_weight)
    return cut_where_not_worse(tree, losses, TIE * losses[0])


def cut_where_not_worse(tree: Tree, losses: Array, tie: float) -> Array:
    """(1) for any loss of the nodes."""
    below, stumps = np.zeros(tree.node_count), np.zeros(tree.node_count, bool)
    for node in range(tree.node_count - 1, -1, -1):
        asks = not tree.is_leaf[node]
        stumps[node] = asks and losses[node] <= below[node] + tie
        best = below[node] if asks and not stumps[node] else losses[node]
        if node:
            below[tree.parent[node]] += best
    return stumps
