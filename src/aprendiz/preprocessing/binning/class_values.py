"""The values of each column in order, with the weight that each class has there: a record that adds.

A column is a list of triples (value, class, weight), sorted by value and then by class, each pair once. Two lists are merged,
as in merge sort, so sums over files and Dask cost no more than sorting the column. Missing cells are left out.

Cost: O(n·log n) for each column; memory O(number of different pairs), at most 24 bytes for each cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class ClassValues(Sums):
    """Values, classes and weights of each column, and the weight of all rows."""

    values: tuple[Array, ...]
    classes: tuple[Array, ...]
    weights: tuple[Array, ...]
    weight: float

    @classmethod
    def of(cls, block: Block) -> Self:
        counted = np.flatnonzero(block.weights > 0)
        y, w = block.y[counted].astype(np.int64), block.weights[counted].astype(np.float64)
        columns = []
        for column in block.X.T:
            x = column[counted].astype(np.float64)
            order = np.argsort(x)[: len(x) - int(np.isnan(x).sum())]  # missing cells are last
            columns.append(summed_runs(x[order], y[order], w[order]))
        return cls.joined(columns, float(w.sum()))

    @classmethod
    def joined(cls, columns: list[tuple[Array, Array, Array]], weight: float) -> Self:
        values, classes, weights = zip(*columns, strict=True)
        return cls(values, classes, weights, weight)

    def __add__(self, other: Self) -> Self:
        mine, theirs = (zip(r.values, r.classes, r.weights, strict=True) for r in (self, other))
        return type(self).joined([merged(a, b) for a, b in zip(mine, theirs, strict=True)], self.weight + other.weight)

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.values)

    @property
    def finite(self) -> bool:
        """Weights do not overflow."""
        return True


def summed_runs(x: Array, y: Array, w: Array) -> tuple[Array, Array, Array]:
    """The triples of sorted cells, whose classes come in any order where cells are equal."""
    values, classes, weights = np.empty(len(x)), np.empty(len(x), np.int64), np.empty(len(x))
    length = sum_runs(x, y, w, np.zeros(int(y.max(initial=0)) + 1), values, classes, weights)
    return values[:length].copy(), classes[:length].copy(), weights[:length].copy()


@compiled
def sum_runs(x: Array, y: Array, w: Array, total: Array, values: Array, classes: Array, weights: Array) -> int:
    """Sum the weights of each class over equal cells; `total` is room for them. The number of triples is returned."""
    length, start = int64(0), int64(0)
    while start < len(x):
        stop = start
        while stop < len(x) and x[stop] == x[start]:
            total[y[stop]] += w[stop]
            stop += 1
        for k in range(len(total)) if stop - start > 1 else range(y[start], y[start] + 1):
            if total[k] > 0.0:
                values[length], classes[length], weights[length] = x[start], k, total[k]
                total[k] = 0.0
                length += 1
        start = stop
    return length


def merged(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
    """Two sorted lists as one; equal pairs add their weights."""
    most = len(a[0]) + len(b[0])
    values, classes, weights = np.empty(most), np.empty(most, np.int64), np.empty(most)
    length = merge_sorted(*a, *b, values, classes, weights)
    if length == most:
        return values, classes, weights
    return values[:length].copy(), classes[:length].copy(), weights[:length].copy()


@compiled
def merge_sorted(
    x: Array, c: Array, w: Array, other_x: Array, other_c: Array, other_w: Array, values: Array, classes: Array, weights: Array
) -> int:
    """Merge two lists into a third one, whose length is returned."""
    i, j, last = 0, 0, -1
    while i < len(x) or j < len(other_x):
        mine = j == len(other_x)
        if not mine and i < len(x):
            mine = x[i] < other_x[j] or (x[i] == other_x[j] and c[i] <= other_c[j])
        if mine:
            value, label, weight = x[i], c[i], w[i]
            i += 1
        else:
            value, label, weight = other_x[j], other_c[j], other_w[j]
            j += 1
        if last >= 0 and values[last] == value and classes[last] == label:
            weights[last] += weight
        else:
            last += 1
            values[last], classes[last], weights[last] = value, label, weight
    return last + 1
