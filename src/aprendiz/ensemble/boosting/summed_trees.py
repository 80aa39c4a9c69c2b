"""What boosted trees say of rows: the start, and the steps of the leaves that a row reaches, added tree after tree.

    f_k(x) = start_k + Σ_m value(leaf of x in tree m of class k)                                                  (1)

Trees of one iteration stand side by side: tree i is of class i mod K. The sum is taken in the order of the fit, so that a
prediction for a row of the fit has the bits that it had there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.ensemble.forest.descent import ForestDescent
from aprendiz.ensemble.forest.forest import Forest


class SummedTrees:
    """A forest made ready for (1)."""

    def __init__(self, forest: Forest, start: Array):
        self.start, self.descent = start, ForestDescent(forest)
        self.value = np.ascontiguousarray(forest.value)
        self.weights = np.ones(len(forest))

    def raw(self, block: Block) -> Array:
        """(1) for some rows: of shape (rows, K)."""
        k = len(self.start)
        if k == 1:
            return self.descent.sums(self.value, self.weights, block, first=self.start)
        return np.column_stack(
            [
                self.descent.sums(self.value, self.weights[c::k], block, first=self.start[c : c + 1], trees=slice(c, None, k))
                for c in range(k)
            ]
        )

    def staged(self, rows: Rows) -> Iterator[Array]:
        """(1) after the first iteration, the first two, …: a new array each time."""
        k = len(self.start)
        total = np.tile(self.start, (rows.each(lambda block: np.zeros(len(block), np.int8)).shape[0], 1))
        for first in range(0, len(self.weights), k):
            for c in range(k):
                total[:, c] += self.value[:, 0].take(rows.each(lambda block, tree=first + c: self.descent.answers(tree, block)))
            yield total.copy()
