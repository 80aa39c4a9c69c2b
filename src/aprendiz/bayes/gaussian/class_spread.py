"""Sums of classes column by column: weight, mean and spread around a point inside each class.

The statistic of Gaussian naive Bayes, of diagonal discriminants and of nearest centroids. Missing cells are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.bayes.naive.independent_columns import spread_out, unite_labels
from aprendiz.compilation.compiled import compiled
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import SMALLEST_SQUARE, Spread, Sums, find_pivot


def class_pivots(rows: Rows, classes: int) -> Array:
    """A point inside each class: the median of some of its rows in the first block, or of all rows there."""
    return rows.first(pivots_of_classes, find_pivot(rows), classes)


def pivots_of_classes(everywhere: Array, classes: int, block: Block) -> Array:
    """The points of a block, `everywhere` for classes that are not in it."""
    pivots = np.tile(everywhere, (classes, 1))
    for k in np.flatnonzero(np.bincount(block.y, minlength=classes)):
        some = block.X[np.flatnonzero(block.y == k)[:100]].astype(np.float64)
        middle = np.sort(some, axis=0)[len(some) // 2]  # missing cells come last
        pivots[k] = np.where(np.isfinite(middle), middle, everywhere)
    return pivots


@dataclass(frozen=True)
class ClassSpread(Sums):
    """Labels, weight of each class, and the spread of its columns (classes × columns)."""

    labels: Array
    total: Array
    spread: Spread
    declared: bool = False  # whether the labels were announced, so that no others may come

    @classmethod
    def of(cls, labels: Array, pivot: Array, block: Block) -> Self:
        shape = pivot.shape
        weight, first, second, known = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int64)
        spread_by_class(block.X, block.y, block.weights, pivot, weight, first, second, known)
        total = np.bincount(block.y, block.weight, len(labels)).astype(np.float64)
        return cls(labels, total, Spread(weight, first, second, known, pivot))

    @classmethod
    def of_each(cls, labels: Array, pivot: Array, weights: Array, block: Block) -> list[Self]:
        """Under each of several weights."""
        shape = (len(weights), *pivot.shape)
        total, sums, known = np.zeros(shape[:2]), np.zeros((3, *shape)), np.zeros(shape, np.int64)
        for k in np.unique(block.y):
            mine = np.flatnonzero(block.y == k)
            own, Z = weights[:, mine], block.X[mine] - pivot[k]
            there = Z == Z
            Z = np.where(there, Z, 0.0)
            total[:, k] = own.sum(axis=1)
            sums[:, :, k] = np.stack(np.split(own.astype(np.float64) @ np.hstack([there, Z, Z * Z]), 3, axis=1))
            known[:, k] = np.count_nonzero(own, axis=1)[:, None] if there.all() else (own > 0).astype(np.float64) @ there
        weight, first, second = sums
        return [cls(labels, total[b], Spread(weight[b], first[b], second[b], known[b], pivot)) for b in range(len(weights))]

    def __add__(self, other: Self) -> Self:
        labels, here, there = unite_labels(self.labels, other.labels)
        total = spread_out(self.total, here, len(labels)) + spread_out(other.total, there, len(labels))
        mine, theirs = self.wider(here, len(labels)), other.wider(there, len(labels))
        if self.spread.pivot is not other.spread.pivot:  # a class that one of them has not seen takes the other's pivot
            pivot = np.where(mine.known > 0, mine.pivot, theirs.pivot)
            mine, theirs = replace(mine, pivot=pivot), replace(theirs, pivot=np.where(theirs.known > 0, theirs.pivot, pivot))
        return type(self)(labels, total, mine + theirs, self.declared or other.declared)

    def wider(self, where: Array, classes: int) -> Spread:
        """The spread with room for more classes."""
        if classes == len(self.labels):
            return self.spread
        return Spread(*(spread_out(getattr(self.spread, name), where, classes) for name in Spread.__dataclass_fields__))

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.total.sum())

    @property
    def columns(self) -> int:
        return int(self.spread.pivot.shape[1])

    @property
    def finite(self) -> bool:
        return self.spread.finite

    def refuse_vanished(self) -> None:
        """Stop at a column whose squares are too small for a double in every class: its variances say nothing."""
        gone = self.spread.vanished.any(axis=0) & (self.spread.second.sum(axis=0) < SMALLEST_SQUARE)
        if gone.any():
            column = int(np.flatnonzero(gone)[0])
            raise ValueError(f"Input X holds values too small to be squared: column {column} has no variance. Scale it.")

    @property
    def means(self) -> Array:
        """Of each class."""
        return self.spread.mean

    @property
    def variance(self) -> Array:
        """Within each class."""
        weight = self.spread.weight
        return np.divide(self.spread.scatter, weight, out=np.zeros_like(weight), where=weight > 0)

    def pool(self) -> tuple[Array, Array]:
        """Mean and variance of each column over all classes: within them, and between their means."""
        spread, at = self.spread, np.arange(self.columns)
        weight = spread.weight.sum(axis=0)
        share = np.divide(spread.weight, weight, out=np.zeros_like(spread.weight), where=weight > 0)
        first, pivot = np.argmax(share, axis=0), np.broadcast_to(spread.pivot, spread.weight.shape)
        apart = (pivot - pivot[first, at]) + (spread.offset - spread.offset[first, at])  # without their common part
        apart = np.where(share > 0, apart, 0.0)
        middle = (share * apart).sum(axis=0)
        mean = pivot[first, at] + (spread.offset[first, at] + middle)
        between = share * np.where(share > 0, apart - middle, 0.0) ** 2
        return mean, (share * self.variance + between).sum(axis=0)


def smoothed(variance: Array, part: float, of: Any) -> Array:
    """Variances to which a part (`var_smoothing`) of others is added; refused where they overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = variance + part * of
        fine = np.isfinite(2.0 * np.pi * found).all()
    if not fine:
        raise ParameterError(
            f"var_smoothing={part!r} times the largest variance of a column, {np.max(of):.3g}, is out of range: give a number "
            "below 1, or scale the columns."
        )
    return np.asarray(found)


@compiled
def spread_by_class(
    X: Array, y: Array, w: Array, pivot: Array, weight: Array, first: Array, second: Array, known: Array
) -> None:
    """Add weight, Σ w (x − pivot), Σ w (x − pivot)² and the number of the known cells, class by class."""
    for i in range(X.shape[0]):
        k = y[i]
        if w[i] == 0.0:
            continue
        for j in range(X.shape[1]):
            z = X[i, j] - pivot[k, j]
            there = z == z
            z = z if there else 0.0
            weight[k, j] += w[i] * there
            first[k, j] += w[i] * z
            second[k, j] += w[i] * z * z
            known[k, j] += there
