"""Counts of the codes of each column in each class, a record that adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from aprendiz.bayes.naive.independent_columns import spread_out, unite_labels
from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.summaries.codes import add_padded, codes_of, highest_codes


@dataclass(frozen=True)
class ClassCounts(Sums):
    """Labels, weight of each class, and for each column a table of classes × categories."""

    labels: Array
    total: Array
    counts: tuple[Array, ...]
    declared: bool = False  # whether the labels were announced, so that no others may come
    schema: Columns | None = None  # whose levels the categories are, where the columns hold words

    @classmethod
    def of(cls, labels: Array, least: Array, names: Sequence[str] | None, block: Block) -> Self:
        codes = codes_of(block, names, "CategoricalNB")
        sizes = np.maximum(least, highest_codes(codes, block.weights) + 1)
        ends = np.cumsum(sizes)
        table = np.zeros((len(labels), ends[-1]))
        count_codes(codes, block.y, block.weights, ends - sizes, table)
        total = np.bincount(block.y, block.weight, len(labels)).astype(np.float64)
        schema = block.X.columns if isinstance(block.X, Mixed) else None
        return cls(labels, total, tuple(np.split(table, ends[:-1], axis=1)), schema=schema)

    def __add__(self, other: Self) -> Self:
        if self.schema is not None and other.schema is not None and self.schema is not other.schema:
            schema = self.schema.join(other.schema)
            self, other = replace(self, schema=schema), other.under(schema)
        labels, here, there = unite_labels(self.labels, other.labels)
        classes = len(labels)
        total = spread_out(self.total, here, classes) + spread_out(other.total, there, classes)
        pairs = zip(self.counts, other.counts, strict=True)
        counts = tuple(add_padded(spread_out(a, here, classes), spread_out(b, there, classes)) for a, b in pairs)
        return type(self)(labels, total, counts, self.declared or other.declared, self.schema)

    def under(self, schema: Columns) -> Self:
        """The same counts with the categories in the order of another schema."""
        assert self.schema is not None
        counts = []
        for table, mine, theirs in zip(self.counts, self.schema, schema, strict=True):
            wide = np.zeros((len(table), max(table.shape[1], len(theirs.levels))))
            wide[:, [theirs.levels.index(level) for level in mine.levels]] = table[:, : len(mine.levels)]
            counts.append(wide)
        return replace(self, counts=tuple(counts), schema=schema)

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.total.sum())

    @property
    def columns(self) -> int:
        return len(self.counts)

    @property
    def finite(self) -> bool:
        """Counts do not overflow."""
        return True


@compiled
def count_codes(X: Array, y: Array, w: Array, start: Array, table: Array) -> None:
    """Add the weight of each row to the cells of its class and its categories."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if w[i] > 0.0 and X[i, j] >= 0:
                table[y[i], start[j] + int64(X[i, j])] += w[i]


@compiled
def add_logarithms(X: Array, table: Array, start: Array, end: Array, joint: Array) -> None:
    """Add log θ of each known cell, for all classes; `table` has a row for each category."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if X[i, j] >= 0:
                at = start[j] + int64(X[i, j])
                if at < end[j]:
                    for k in range(table.shape[1]):
                        joint[i, k] += table[at, k]
