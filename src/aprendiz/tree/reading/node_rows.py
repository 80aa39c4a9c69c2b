"""The rows of a node, and what each of them counts there.

A row of weight ω that takes every split on the way to node t counts ω in t, and 0 elsewhere. Where missing cells take
every branch, a row counts in branch b of a node with the share of b among the rows there whose cell is known:

    ω(b) = ω · Σ_known in b ω / Σ_known ω                                                                     (1)

Plain NumPy. Cost: O(rows · depth).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.tree.shared.nodes import Tree


def cells(X: Any, column: int) -> Array:
    """A column of a table as numbers (of levels, their codes), NaN where a cell is missing."""
    if isinstance(X, Mixed):
        place = X.columns.places[column]
        if X.columns.columns[column].kind == "numeric":
            return np.asarray(X.numbers[:, place])
        codes = X.codes[:, place]
        return np.where(codes < 0, np.nan, codes)
    if sparse.issparse(X):
        return np.asarray(X[:, [column]].toarray().ravel(), dtype=np.float64)
    return np.asarray(X[:, column], dtype=np.float64)


def answers(x: Array, threshold: float, levels: Array, first: int) -> Array:
    """The branch that each cell takes: `first` up to a threshold, or that of its level; −1 where it cannot say."""
    known, branch = ~np.isnan(x), np.full(len(x), -1)
    if np.isnan(threshold):
        branch[known] = levels[x[known].astype(np.int64)]
    else:
        branch[known] = np.where(x[known] <= threshold, first, 1 - first)
    return branch


def branches(tree: Tree, X: Any, node: int) -> Array:
    """The branch that each row would take at a node, −1 for all branches."""
    branch = answers(cells(X, int(tree.feature[node])), float(tree.threshold[node]), tree.levels_of(node), 0)
    for s in range(tree.surrogate_start[node], tree.surrogate_start[node + 1]):
        levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
        x = cells(X, int(tree.surrogate_feature[s]))
        other = answers(x, float(tree.surrogate_threshold[s]), levels, int(tree.surrogate_first[s]))
        branch = np.where(branch < 0, other, branch)
    return np.where(branch < 0, tree.missing_branch[node], branch)


def weights_in(tree: Tree, X: Any, weight: Array, node: int) -> Array:
    """The weight of each row in a node: (1)."""
    if node == 0:
        return weight
    above = int(tree.parent[node])
    before = weights_in(tree, X, weight, above)
    branch, wanted = branches(tree, X, above), int(np.flatnonzero(tree.children_of(above) == node)[0])
    known = before[branch >= 0].sum()
    if known > 0:
        share = before[branch == wanted].sum() / known
    else:
        share = tree.weighted_n_node_samples[node] / tree.weighted_n_node_samples[tree.children_of(above)].sum()
    return np.where(branch == wanted, before, np.where(branch < 0, before * share, 0.0))
