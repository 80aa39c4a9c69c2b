"""Whether the arrays of a stored forest go together, so that a descent stays inside them and comes to an end.

A descent goes from node t to t + 1 or to `second[t]` of the same tree, both behind t; a leaf names a row of `value`; and a
split by levels knows a branch for each level of its column. All in arrays: O(nodes + levels).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check

FIELDS = {"threshold": "f", "second": "i", "feature": "i", "missing": "i"}


def forests_agree(held: Mapping[str, Any]) -> bool:
    """Is the forest of a model sound, if it has one?"""
    if "forest_" not in held:
        return True
    forest, columns = held["forest_"], int(held["n_features_in_"])
    labels, count = held.get("classes_", ()), len(forest.nodes)
    several = isinstance(labels, list)
    classes = 0 if several else len(labels)
    outputs = sum(map(len, labels)) if several else classes or int(held["n_outputs_"])
    schema = held.get("columns_")
    levels = np.array([0] * columns if schema is None else [len(column.levels) for column in schema.columns])
    kinds = forest.nodes.dtype.names == tuple(FIELDS) and all(forest.nodes.dtype[n].kind == k for n, k in FIELDS.items())
    costs = held.get("costs_")
    return bool(
        kinds
        and len(levels) == columns
        and forest.classes == classes
        and forest.value.dtype == np.float64
        and forest.value.ndim == 2
        and forest.value.shape[1] == outputs
        and (costs is None or costs.shape == (classes, classes))
        and len(forest.impurity) == int(((forest.nodes["feature"] != -1) | (forest.nodes["second"] >= classes)).sum())
        and trees_stand(forest.start, count)
        and nodes_agree(forest, columns, levels)
        and levels_agree(forest, levels)
        and len(held.get("estimator_weights_", forest.start[1:])) in (len(forest.start) - 1, len(held.get("models_", ())))
        and len(forest.leaf_rows) == len(forest.leaf_weight) == int((forest.nodes["feature"] < 0).sum())
    )


def trees_stand(start: Any, count: int) -> bool:
    """Do the trees follow each other, with a node each, up to the last node?"""
    right = start.ndim == 1 and start.dtype.kind == "i" and len(start) > 0 and start[0] == 0 and start[-1] == count
    return bool(right and (np.diff(start) > 0).all())


def nodes_agree(forest: Any, columns: int, levels: Any) -> bool:
    """Splits by columns that exist, branches behind their node in the same tree, and leaves with a prediction."""
    feature, second, count = forest.nodes["feature"], forest.nodes["second"].astype(np.int64), len(forest.nodes)
    size = np.repeat(np.diff(forest.start), np.diff(forest.start))
    place = np.arange(count) - np.repeat(forest.start[:-1], np.diff(forest.start))
    leaf = feature == -1
    return bool(
        (leaf | ((feature >= 0) & (feature < columns))).all()
        and np.isin(forest.nodes["missing"], (0, 1)).all()
        and (leaf | ((second > place + 1) & (second < size))).all()
        and (~leaf | ((second >= 0) & (second < len(forest.value)))).all()
        and (levels[feature[~leaf]] > 0)[np.isnan(forest.nodes["threshold"][~leaf])].all()
    )


def levels_agree(forest: Any, levels: Any) -> bool:
    """A branch (or −1) for each level of the column of a split by levels, and for no other node."""
    start, branch, count = forest.level_start, forest.level_branch, len(forest.nodes)
    feature, asks = forest.nodes["feature"], np.isnan(forest.nodes["threshold"])
    if not len(start):
        return not len(branch) and not asks.any()
    right = start.shape == (count + 1,) and start.dtype.kind == "i" and branch.dtype.kind == "i" and start[0] == 0
    wanted = np.where(asks, levels[np.maximum(feature, 0)], 0)
    return bool(right and start[-1] == len(branch) and (np.diff(start) == wanted).all() and np.isin(branch, (-1, 0, 1)).all())


FORESTS = Check(forests_agree, "the nodes of its trees do not go together; fit it again")
