"""Rows that are alike in all other columns: strata inside which a column may be permuted without making rows that cannot be.

A small regression tree predicts the column from the others, and its leaves are the strata: what the others tell of the column
is the same, as far as the tree can see, for all rows of a leaf. A column of levels is predicted as the indicators of its
levels, whose variances add to its Gini impurity; missing cells are an indicator too. Several columns are predicted together,
each scaled to variance 1, and a split must explain a hundredth of it, so that a column that the others tell nothing about
has one stratum.

Cost: the growth of a tree of at most 32 leaves for each group of columns.
Reference: Molnar, König, Bischl & Casalicchio, "Model-agnostic feature importance and effects with dependent features: a
conditional subgroup approach", Data Mining and Knowledge Discovery 38, 2024.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Block
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.tree_maker import TreeMaker
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.descent import cells_of

DEPTH = 5  # splits between the root of the small tree and a stratum
LEAST = 20  # rows of a stratum, about eight of which a bag leaves out
EXPLAINED = 0.01  # part of the variance that a split explains
LEVELS = 20  # of a column that is predicted: the most frequent ones


def conditional_strata(X: Any, weight: Array, groups: Array) -> Array:
    """The stratum of each row, for each group of columns (bool of shape (groups, columns)): int32 of shape (groups, rows)."""
    plan = Plan("squared_error", max_depth=DEPTH, min_samples_leaf=LEAST, min_impurity_decrease=EXPLAINED)
    table = CodedTable.of(X, None, exact=False)
    maker = TreeMaker(table, np.empty(0, np.int32), np.empty((0, 1)), None, None, plan)
    block = Block(X, None, None, 0)

    def strata(group: Array) -> Array:
        others = np.flatnonzero(~group)
        predicted = targets(X, weight, np.flatnonzero(group))
        if not len(others) or not predicted.shape[1]:
            return np.zeros(len(weight), np.int32)
        forest = replace(maker, z=predicted).member(weight, 0, 0, columns=others).forest
        assert forest is not None
        leaf = ForestDescent(forest).leaves(block)[:, 0]
        return np.unique(leaf, return_inverse=True)[1].astype(np.int32)

    return np.array(list(ordered_map(strata, groups)))


def targets(X: Any, weight: Array, columns: Array) -> Array:
    """Some columns as numbers, none of them missing, whose mean variance is 1; no numbers if all are constant."""
    numbers, codes, where = cells_of(X)
    parts: list[Array] = []
    for j in where[columns]:
        if j < 0:
            parts.append(scale(indicators(codes[:, -1 - j], weight), weight))
            continue
        missing = np.isnan(numbers[:, j])
        known = np.where(missing, 0.0, weight)
        middle = known @ np.where(missing, 0.0, numbers[:, j]) / max(known.sum(), 1e-300)
        parts.append(scale(np.where(missing, middle, numbers[:, j])[:, None], weight))
        parts.append(scale(missing[:, None].astype(np.float64), weight))
    z = np.hstack(parts)
    return np.ascontiguousarray(z * np.sqrt(z.shape[1] / max(sum(part.shape[1] > 0 for part in parts), 1)))


def indicators(codes: Array, weight: Array) -> Array:
    """A column of 0 and 1 for each level, missing cells among them; the most frequent ones alone, if they are many."""
    levels, number = np.unique(codes, return_inverse=True)
    often = np.argsort(-np.bincount(number, weight), kind="stable")[:LEVELS]
    return (codes[:, None] == levels[often]).astype(np.float64)


def scale(part: Array, weight: Array) -> Array:
    """Centred, with variances that add to 1; no columns if they are constant."""
    part = part - np.average(part, axis=0, weights=weight)
    total = np.average(part**2, axis=0, weights=weight).sum()
    return part / np.sqrt(total) if total > 0 else part[:, :0]
