"""Whether the arrays of a stored decision tree go together, so that a descent stays inside them and comes to an end.

A descent follows `children` from node to node: every child stands behind its parent, the first one next to it; a branch that a
split, a level, a missing cell or a surrogate names is one of the node's; and a split on levels knows all levels of its
column. All in arrays: O(nodes + levels).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check
from aprendiz.tree.shared.nodes import LEAF


def trees_agree(held: Mapping[str, Any]) -> bool:
    """Is the tree of a model sound, if it has one?"""
    if "tree_" not in held:
        return True
    tree, columns = held["tree_"], int(held["n_features_in_"])
    schema = held.get("columns_")
    levels = np.array([0] * columns if schema is None else [len(column.levels) for column in schema.columns])
    outputs, classes = int(held["n_outputs_"]), most_classes(held["classes_"]) if "classes_" in held else 1
    whole = all(getattr(tree, name).dtype.kind == "i" for name in WHOLE)
    numbers = all(getattr(tree, name).dtype.kind == "f" for name in REAL)
    nodes = len(tree.feature)
    return bool(
        len(levels) == columns
        and whole
        and numbers
        and nodes > 0
        and tree.value.shape == (nodes, outputs, classes)
        and all(getattr(tree, name).shape == (nodes,) for name in PER_NODE)
        and (held.get("costs_") is None or held["costs_"].shape == (classes, classes))
        and nodes_agree(tree, columns)
        and splits_agree(tree, levels)
        and surrogates_agree(tree, levels)
    )


def most_classes(labels: Any) -> int:
    """The number of classes, of several targets the largest."""
    return max(len(one) for one in labels) if isinstance(labels, list) else len(labels)


WHOLE = (
    *("feature", "child_start", "children", "level_start", "level_branch", "missing_branch", "n_node_samples"),
    *("surrogate_start", "surrogate_feature", "surrogate_first", "surrogate_level_start", "surrogate_level_branch"),
)
REAL = ("threshold", "impurity", "weighted_n_node_samples", "value", "surrogate_threshold", "surrogate_agreement")
PER_NODE = ("feature", "threshold", "missing_branch", "impurity", "n_node_samples", "weighted_n_node_samples")


def is_runs(start: Any, count: int, items: Any) -> bool:
    """Do `count` runs follow each other and end with the items?"""
    right = start.shape == (count + 1,) and items.ndim == 1 and start[0] == 0 and start[-1] == len(items)
    return bool(right and (np.diff(start) >= 0).all())


def nodes_agree(tree: Any, columns: int) -> bool:
    """Splits on columns that exist, and children that stand behind their parents."""
    nodes, leaf = len(tree.feature), tree.feature == LEAF
    if not is_runs(tree.child_start, nodes, tree.children) or len(tree.children) != nodes - 1:
        return False
    branches = np.diff(tree.child_start)
    parent = np.repeat(np.arange(nodes), branches)
    first = tree.children[tree.child_start[:-1][~leaf]]
    return bool(
        (leaf | ((tree.feature >= 0) & (tree.feature < columns))).all()
        and (branches[leaf] == 0).all()
        and (branches[~leaf] >= 2).all()
        and (np.sort(tree.children) == np.arange(1, nodes)).all()
        and (tree.children > parent).all()
        and (first == np.flatnonzero(~leaf) + 1).all()
        and (leaf | ((tree.missing_branch >= -1) & (tree.missing_branch < branches))).all()
    )


def splits_agree(tree: Any, levels: Any) -> bool:
    """Branches of all levels, where a split is on levels."""
    branches, leaf = np.diff(tree.child_start), tree.feature == LEAF
    return levels_agree(tree.level_start, tree.level_branch, tree.threshold, tree.feature, branches, ~leaf, levels)


def surrogates_agree(tree: Any, levels: Any) -> bool:
    """The same for surrogate splits, which have two branches."""
    count = len(tree.surrogate_feature)
    if not is_runs(tree.surrogate_start, len(tree.feature), tree.surrogate_feature):
        return False
    branches = np.repeat(np.diff(tree.child_start), np.diff(tree.surrogate_start))
    inside = (tree.surrogate_feature >= 0) & (tree.surrogate_feature < len(levels))
    if not (inside.all() and tree.surrogate_threshold.shape == tree.surrogate_first.shape == (count,)):
        return False
    start, branch = tree.surrogate_level_start, tree.surrogate_level_branch
    asks = np.ones(count, bool)
    agree = levels_agree(start, branch, tree.surrogate_threshold, tree.surrogate_feature, branches, asks, levels)
    return bool(agree and np.isin(tree.surrogate_first, (0, 1)).all() and (branches == 2).all())


def levels_agree(start: Any, branch: Any, threshold: Any, feature: Any, branches: Any, asks: Any, levels: Any) -> bool:
    """Is there a branch that exists (or −1) for each level of the column of each split on levels, and for no other?"""
    count = len(feature)
    if not is_runs(start, count, branch):
        return False
    wanted = np.where(asks & np.isnan(threshold), levels[np.where(asks, feature, 0)], 0)
    limit = np.repeat(branches, np.diff(start))
    return bool((np.diff(start) == wanted).all() and (branch >= -1).all() and (branch < limit).all())


TREES = Check(trees_agree, "the nodes of its tree do not go together; fit it again")
