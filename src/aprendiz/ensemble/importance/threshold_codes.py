"""A table as a forest sees it: of each cell, only how many of the forest's thresholds it exceeds.

    numbers     code(x) = number of thresholds of the column below x, so that  x ≤ k-th threshold  ⇔  code(x) ≤ k       (1)
    levels      their numbers
    missing     the largest code

Two bytes for a cell (four, if a column has 65 535 thresholds or levels) hold all that the trees ask, so that rows that are
asked many times stay in the cache of the processor.

Cost: a search among the thresholds for each cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.tree.shared.descent import cells_of

SHORT = 2**16 - 1  # thresholds, or levels, for which two bytes are too few
BY_LEVEL = -1  # cut of a split by levels, and of a leaf


@dataclass(frozen=True)
class ThresholdCodes:
    """Codes of cells, and the splits in terms of them.

    Attributes
    ----------
    cells : uint16 or uint32 of shape (rows, columns)
    cut : int32 of shape (nodes,)
        A cell takes the first branch if its code is not above; −1 where the split is by levels, and in leaves.
    ordered : bool of shape (columns,)
        Whether all splits by a column are cuts.
    """

    cells: Array
    cut: Array
    ordered: Array

    @classmethod
    def of(cls, forest: Forest, X: Any) -> ThresholdCodes:
        """The codes of an array or a mixed table."""
        rows, columns = X.shape
        splits = list(splits_of_columns(forest, columns))
        most = max(len(np.unique(forest.nodes["threshold"][nodes])) for nodes in splits)
        if isinstance(X, Mixed):
            most = max(most, *(len(column.levels) for column in X.columns))
        cells = np.empty((rows, columns), np.uint16 if most < SHORT else np.uint32)
        cut, ordered = np.full(len(forest.nodes), BY_LEVEL, np.int32), np.ones(columns, bool)
        code = partial(encode_column, forest.nodes["threshold"], cells_of(X), cells, cut)
        ordered[:] = list(ordered_map(lambda j: code(j, splits[j]), range(columns)))
        return cls(cells, cut, ordered)


def splits_of_columns(forest: Forest, columns: int) -> Iterator[Array]:
    """The nodes that ask about each column."""
    feature = forest.nodes["feature"]
    order = np.argsort(feature, kind="stable")
    starts = np.searchsorted(feature[order], np.arange(columns + 1))
    return (order[starts[j] : starts[j + 1]] for j in range(columns))


def encode_column(threshold: Array, table: tuple[Array, Array, Array], cells: Array, cut: Array, j: int, nodes: Array) -> bool:
    """Write the codes of a column and the cuts of the splits by it. Returns whether all of them are cuts."""
    numbers, codes, where = table
    asked = threshold[nodes]
    by_level = np.isnan(asked)
    missing = np.iinfo(cells.dtype).max
    if where[j] < 0:
        own = codes[:, -1 - where[j]]
        cells[:, j] = np.where(own < 0, missing, own)
        cut[nodes[~by_level]] = np.floor(asked[~by_level])
        return not by_level.any()
    own, line = numbers[:, where[j]], np.unique(asked)
    cells[:, j] = np.where(np.isnan(own), missing, np.searchsorted(line, own))
    cut[nodes] = np.searchsorted(line, asked)
    return True
