"""What each node would lose on rows that did not grow the tree.

    L(t) = Σ ω_i ℓ(y_i, t)     over the rows that pass t                                                      (1)
    ℓ(y, t) = C(y, prediction of t) for classes,     mean over the outputs of (y − mean of t)² for regressions    (2)

A row passes its leaf and all nodes above it, so one descent gives (1) for every node, and with it the loss of every pruning:
the sum of L over its leaves. A row that goes down several branches (a missing cell, divided by weight) is given once for each
leaf, with its share as weight.

Cost: O(rows·depth).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number, same_length, weights
from aprendiz.tree.pruning.risk import decisions
from aprendiz.tree.shared.nodes import NOBODY, Tree

Loss = Callable[[Array, Array], Array]  # numbers of rows, and a node for each → what each row loses there
TIE = 1e-12  # losses, as a share of the root's, that differ by rounding


def node_losses(tree: Tree, leaf: Array, y: Array, costs: Array | None, sample_weight: Any = None) -> Array:
    """L(t) of each node, for rows that end in the nodes `leaf`; y holds numbers of classes, or without costs targets."""
    leaf = np.asarray(leaf)
    loss = loss_of(tree, leaf, y, costs)
    weight = weights(sample_weight, len(leaf))
    return passing_sums(tree, leaf, loss if weight is None else lambda rows, node: weight[rows] * loss(rows, node))


def passing_sums(tree: Tree, leaf: Array, amount: Loss) -> Array:
    """Σ amount(rows, nodes) in each node over the rows that pass it."""
    total, rows, node = np.zeros(tree.node_count), np.arange(len(leaf)), leaf
    while len(rows):
        total += np.bincount(node, amount(rows, node), tree.node_count)
        above = tree.parent[node]
        rows, node = rows[above != NOBODY], above[above != NOBODY]
    return total


def loss_of(tree: Tree, leaf: Array, y: Array, costs: Array | None) -> Loss:
    """(2) for some of the rows and a node for each."""
    refuse_other_nodes(tree, leaf)
    y = np.asarray(y)
    same_length("y", len(y), len(leaf))
    if costs is not None:
        refuse_other_classes(y, tree.value.shape[2])
        return costs_of_answers(y, decisions(tree, costs), costs)
    refuse_bad_number("y", y)
    return squared_errors(y, tree)


def costs_of_answers(y: Array, answers: Array, costs: Array) -> Loss:
    """C(y, prediction): the cost of a row in a node, from the number of its class and that of the prediction of each node."""
    return lambda rows, node: costs[y[rows], answers[node]]


def squared_errors(y: Array, tree: Tree) -> Loss:
    """The mean over the outputs of (y − mean of t)²."""
    targets, means = y.reshape(len(y), -1), tree.value[:, :, 0]
    return lambda rows, node: np.asarray(((targets[rows] - means[node]) ** 2).mean(axis=1))


def refuse_other_nodes(tree: Tree, leaf: Array) -> None:
    outside = np.flatnonzero((leaf < 0) | (leaf >= tree.node_count))
    if len(outside):
        row = outside[0]
        raise ValueError(
            f"leaf[{row}] = {leaf[row]} is not a node of the tree, which has {tree.node_count}: give numbers below that."
        )


def refuse_other_classes(y: Array, classes: int) -> None:
    if y.dtype.kind not in "iu":
        raise TypeError(f"y holds {y.dtype}, with costs it must hold the numbers of the classes: encode the labels first.")
    outside = np.flatnonzero((y < 0) | (y >= classes))
    if len(outside):
        row = outside[0]
        raise ValueError(
            f"y[{row}] = {y[row]} is not a class of the tree, which has {classes}: leave the row out or give it a known class."
        )
