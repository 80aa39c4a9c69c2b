"""Counts of all pairs of columns at once: what a tree needs to know of the rows.

    N_jk[c, a, b] = Σ w  over the rows of class c with x_j = a and x_k = b                                    (1)

The indicators of all levels of all columns stand side by side, T of them; (1) for all pairs is then one table of c × T × T, of
which the part with j ≤ k is filled, and j = k holds the counts of the levels themselves. A row counts for a pair where both its
cells are known. Without classes there is one, number 0. (1) adds: files, Dask and `partial_fit` follow.

Cost: O(n·d²), one addition for each pair of known cells of a row; memory O(T²) for each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.bayes.naive.independent_columns import spread_out, unite_labels
from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.summaries.codes import codes_of, highest_codes

MOST_CELLS = 2**28  # of the table of all pairs: two gigabytes of doubles
FINE = 2.0**10  # parts of a weight whose sums are exact
ALL_ROWS = np.zeros(1, np.int64)  # the label of the only class, where there are none


@dataclass(frozen=True)
class PairCounts(Sums):
    """(1) as `table[c, start_j + a, start_k + b]`, with the labels of the classes and the number of levels of each column."""

    labels: Array
    total: Array  # weight of the rows of each class
    sizes: Array
    table: Array
    declared: bool = False  # whether the labels were announced, so that no others may come
    schema: Columns | None = None  # whose levels the codes are, where the columns hold words
    names: tuple[Any, ...] | None = None  # of the columns, where they have any
    exact: bool = True  # whether sums of the weights are exact: multiples of 2⁻¹⁰, up to 2⁴³

    @classmethod
    def of(cls, labels: Array, names: Sequence[str] | None, learner: str, block: Block) -> Self:
        codes, weights = codes_of(block, names, learner), block.weights
        schema = block.X.columns if isinstance(block.X, Mixed) else None
        least = np.ones(codes.shape[1], np.int64) if schema is None else sizes_of(schema)
        sizes = np.maximum(least, highest_codes(codes, weights) + 1)
        refuse_large(len(labels), sizes, names)
        y = np.zeros(len(block), np.int64) if block.y is None else block.y
        table = np.zeros((len(labels), sizes.sum(), sizes.sum()))
        count_pairs(codes, y, weights, starts_of(sizes), table)
        total = np.bincount(y, block.weight, len(labels)).astype(np.float64)
        exact = block.weight is None or bool((block.weight * FINE == np.floor(block.weight * FINE)).all())
        return cls(labels, total, sizes, table, False, schema, None if names is None else tuple(names), exact)

    def __add__(self, other: Self) -> Self:
        if self.schema is not None and other.schema is not None and self.schema is not other.schema:
            schema = self.schema.join(other.schema)
            self, other = self.under(schema), other.under(schema)
        labels, here, there = unite_labels(self.labels, other.labels)
        sizes = np.maximum(self.sizes, other.sizes)
        one, two = self.widened(sizes), other.widened(sizes)
        total = spread_out(self.total, here, len(labels)) + spread_out(other.total, there, len(labels))
        table = spread_out(one, here, len(labels)) + spread_out(two, there, len(labels))
        declared, exact = self.declared or other.declared, self.exact and other.exact
        return type(self)(labels, total, sizes, table, declared, self.schema, self.names, exact)

    def widened(self, sizes: Array, codes: Sequence[Array] | None = None) -> Array:
        """The table for columns with more levels; `codes` says where the levels of each column stand then, if they move."""
        if codes is None and np.array_equal(sizes, self.sizes):
            return self.table
        starts = starts_of(sizes)
        codes = [np.arange(size) for size in self.sizes] if codes is None else codes
        places = np.concatenate([start + own for start, own in zip(starts, codes, strict=True)])
        wide = np.zeros((len(self.table), sizes.sum(), sizes.sum()))
        wide[np.ix_(np.arange(len(wide)), places, places)] = self.table
        return wide

    def under(self, schema: Columns) -> Self:
        """The same counts with the levels in the order of another schema."""
        assert self.schema is not None
        sizes = np.maximum(sizes_of(schema), self.sizes)
        codes = []
        for size, mine, theirs in zip(self.sizes, self.schema, schema, strict=True):
            code = np.arange(size)
            code[: len(mine.levels)] = [theirs.levels.index(level) for level in mine.levels]
            codes.append(code)
        return replace(self, sizes=sizes, table=self.widened(sizes, codes), schema=schema)

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    def pair(self, j: int, k: int) -> Array:
        """N_jk of (1): classes × levels of j × levels of k."""
        if j > k:
            return self.pair(k, j).transpose(0, 2, 1)
        starts = starts_of(self.sizes)
        rows, columns = (slice(starts[v], starts[v] + self.sizes[v]) for v in (j, k))
        return self.table[:, rows, columns]

    def counts(self, j: int) -> Array:
        """The counts of the levels of a column: classes × levels."""
        return np.asarray(self.pair(j, j).diagonal(axis1=1, axis2=2))

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.total.sum())

    @property
    def rounded(self) -> bool:
        """Are the counts sums that were rounded?"""
        return not (self.exact and self.weight < 2.0**53 / FINE)

    @property
    def columns(self) -> int:
        return len(self.sizes)

    @property
    def finite(self) -> bool:
        """Counts do not overflow."""
        return True


def sizes_of(schema: Columns) -> Array:
    """The number of levels of each column; a column without a known cell has one."""
    return np.array([max(1, len(column.levels)) for column in schema], dtype=np.int64)


def starts_of(sizes: Array) -> Array:
    """Where the indicators of each column begin."""
    return np.cumsum(sizes) - sizes


def refuse_large(classes: int, sizes: Array, names: Sequence[str] | None) -> None:
    """Stop before a table that no memory holds."""
    if (cells := classes * int(sizes.sum()) ** 2) > MOST_CELLS:
        j = int(sizes.argmax())
        raise ValueError(
            f"The pairs of all levels would need {cells} counts, more than {MOST_CELLS}. Column "
            f"{j if names is None else repr(names[j])} has the most levels, {sizes[j]}: join levels, or leave columns out."
        )


@compiled
def count_pairs(X: Array, y: Array, w: Array, start: Array, table: Array) -> None:
    """Add the weight of each row to the cells of its pairs of levels: (1)."""
    n, d = X.shape
    place = np.empty(d, np.int64)
    for i in range(n):
        if w[i] > 0.0:
            for j in range(d):
                place[j] = start[j] + int64(X[i, j]) if X[i, j] >= 0 else int64(-1)
            for j in range(d):
                if place[j] >= 0:
                    for k in range(j, d):
                        if place[k] >= 0:
                            table[y[i], place[j], place[k]] += w[i]
