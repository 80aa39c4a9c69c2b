"""The risk of a node: what its prediction costs on the rows of the fit, if the node is a leaf.

    R(t) = p(t)·r(t),     p(t) = weight of t / weight of the root                                             (1)
    r(t) = min_l Σ_k p_k(t) C(k, l)            for classes: the least expected cost                           (2)
    r(t) = impurity of t                       for regressions (the mean squared error, as a rule)            (3)

With C(k, l) = 1 for k ≠ l, (2) is the share of the rows that the node gets wrong. R(T), the sum over the leaves of a tree, is
the resubstitution estimate of its error: it never rises when the tree grows, so that alone it says nothing about the right
size. scikit-learn takes (3) for classes too. Where monotonic constraints bound the prediction of a node, p_k(t) are the shares
that it predicts, while its impurity is that of its rows.

Cost: O(nodes·K²).
Reference: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, chapters 2 and 3.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.tree.reading.labelled_tree import expected_costs
from aprendiz.tree.shared.nodes import Tree


def risks(tree: Tree, costs: Array | None) -> Array:
    """R(t) of each node: (2) with costs, (3) without."""
    if costs is None:
        return impurity_risks(tree)
    refuse_other_costs(tree, costs)
    return shares(tree) * expected_costs(tree, costs).min(axis=1)


def impurity_risks(tree: Tree) -> Array:
    """R(t) of each node by (3)."""
    return shares(tree) * tree.impurity


def shares(tree: Tree) -> Array:
    """p(t): the weight of each node as a share of all weight."""
    return np.asarray(tree.weighted_n_node_samples / tree.weighted_n_node_samples[0])


def decisions(tree: Tree, costs: Array) -> Array:
    """The number of the class with the least expected cost in each node, the first of equals."""
    refuse_other_costs(tree, costs)
    return expected_costs(tree, costs).argmin(axis=1)


def equal_costs(classes: int) -> Array:
    """1 for each wrong class, 0 for the right one."""
    return 1.0 - np.eye(classes)


def refuse_other_costs(tree: Tree, costs: Array) -> None:
    classes = tree.value.shape[2]
    if np.shape(costs) != (classes, classes):
        raise ValueError(
            f"costs has shape {np.shape(costs)}, the tree has {classes} classes: give a row and a column for each class."
        )
