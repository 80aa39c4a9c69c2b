"""Stopping by a validation set: a split is made only if it lowers the loss on the validation rows of its node.

From the root down, with L(t) of held_out.py, the split of t stays where

    Σ L(children of t) < L(t)                                                                                 (1)

and t is a leaf elsewhere, whatever would have come below. Growth up to there does not look at what is below, so cutting the
full tree gives what stopping would have given. A split that helps only together with a later one (exclusive or) is lost:
reduced-error pruning (reduced_error.py), which looks from below, keeps it, and every split that stays here stays there.

Cost: O(rows·depth + nodes).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.tree.pruning.held_out import TIE, node_losses
from aprendiz.tree.shared.nodes import Tree


def validated_stumps(tree: Tree, leaf: Array, y: Array, costs: Array | None, sample_weight: Any = None) -> Array:
    """The nodes whose split does not stay, from validation rows that end in the nodes `leaf`.

    y holds numbers of classes, or without costs targets.
    """
    losses = node_losses(tree, leaf, y, costs, sample_weight)
    asked = np.bincount(tree.parent[1:], losses[1:], tree.node_count)
    return ~tree.is_leaf & (losses <= asked + TIE * losses[0])
