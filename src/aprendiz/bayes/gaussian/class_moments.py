"""Means of the classes and the scatter of their rows around them: the one statistic of the discriminant family.

    n_k = Σ ω,     m_k = Σ ω x / n_k,     S_k = Σ ω (x − m_k)(x − m_k)ᵀ       over the rows of class k          (1)
    S = Σ_k S_k                                                                                                (2)

`ClassMoments` holds S_k of each class, or S alone, which is d² numbers for any number of classes. `ClassRows` holds the rows
themselves, for tables with more columns than rows: what is asked of S_k = Z_kᵀZ_k is then found in the span of the rows.

Sums are taken around a point inside each class, so that nothing is lost where classes lie far apart or far from zero. Records
that agree on these points add plainly, others by

    S_k = S_k' + S_k'' + (n'n''/n)·δδᵀ,     δ = m_k'' − m_k'                                                     (3)

Cost: one pass, n·d²/2 multiplications.
Reference: Chan, Golub & LeVeque, The American Statistician 37, 1983.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.bayes.gaussian.class_spread import class_pivots
from aprendiz.bayes.naive.independent_columns import spread_out, unite_labels
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums, find_pivot
from aprendiz.core.threads import scratch
from aprendiz.summaries.moments import augment, grams_of_each


@dataclass(frozen=True)
class ClassMoments(Sums):
    """(1), or (1) with (2): `second` is Σ ω z zᵀ of z = x − pivot, of each class or, of shape (d, d), of all."""

    labels: Array
    total: Array  # n_k
    first: Array  # Σ ω z of each class
    second: Array
    pivot: Array  # of each class
    members: Array  # rows of each class that count
    declared: bool = False  # whether the labels were announced, so that no others may come
    fourths: Array | None = None  # Σ ω ‖z‖⁴ of each class, its columns standardised, where a shrinkage is to be found
    estimates: Array | None = None  # Σ_k of each class, where a covariance_estimator has found them

    @classmethod
    def of(cls, labels: Array, pivot: Array, pooled: bool, block: Block) -> Self:
        (n, d), K = block.X.shape, len(labels)
        first, total, members, Z = np.zeros((K, d)), np.zeros(K), np.zeros(K, np.int64), scratch(n, d)
        order = np.arange(n) if pooled else np.argsort(block.y, kind="stable")
        around_pivots(block.X, block.y, block.weights, pivot, order, Z, first, total, members)
        if pooled:
            return cls(labels, total, first, Z.T @ Z, pivot, members)
        ends = np.searchsorted(block.y[order], np.arange(K + 1))
        second = np.stack([Z[ends[k] : ends[k + 1]].T @ Z[ends[k] : ends[k + 1]] for k in range(K)])
        return cls(labels, total, first, second, pivot, members)

    @classmethod
    def of_each(cls, labels: Array, pivot: Array, pooled: bool, weights: Array, block: Block) -> list[Self]:
        """Under each of several weights."""
        (K, d), B = pivot.shape, len(weights)
        total, first, members = np.zeros((B, K)), np.zeros((B, K, d)), np.zeros((B, K), np.int64)
        second = np.zeros((B, d, d) if pooled else (B, K, d, d))
        for k in np.unique(block.y):
            mine = np.flatnonzero(block.y == k)
            grams = grams_of_each(augment(pivot[k], block.X[mine]), weights[:, mine])
            total[:, k], first[:, k] = grams[:, 0, 0], grams[:, 0, 1:]
            members[:, k] = np.count_nonzero(weights[:, mine], axis=1)
            own = second if pooled else second[:, k]
            own += grams[:, 1:, 1:]
        return [cls(labels, total[b], first[b], second[b], pivot, members[b]) for b in range(B)]

    def __add__(self, other: Any) -> Any:
        if isinstance(other, ClassRows):
            return self + other.moments()
        if self.agrees_with(other):
            total, members = self.total + other.total, self.members + other.members
            first, second = self.first + other.first, self.second + other.second
            return type(self)(self.labels, total, first, second, self.pivot, members, self.declared or other.declared)
        labels, here, there = unite_labels(self.labels, other.labels)
        return self.wider(labels, here).merge(other.wider(labels, there))

    def agrees_with(self, other: Self) -> bool:
        """The same classes around the same points? Equal numbers will do: a record that was pickled has arrays of its own."""
        if self.pivot is other.pivot:
            return True
        return np.array_equal(self.pivot, other.pivot) and np.array_equal(self.labels, other.labels)

    def wider(self, labels: Array, where: Array) -> Self:
        """The same with room for more classes."""
        names = ("total", "first", "pivot", "members") + (() if self.pooled else ("second",))
        wide: dict[str, Any] = {name: spread_out(getattr(self, name), where, len(labels)) for name in names}
        return replace(self, labels=labels, **wide)

    def merge(self, other: Self) -> Self:
        """(3); the sums are then around the means, but for rounding."""
        total = self.total + other.total
        share = np.divide(other.total, total, out=np.zeros_like(total), where=total > 0)[:, None]
        both = (share > 0) & (share < 1)
        delta = np.where(both, (other.pivot - self.pivot) + (other.offset - self.offset), 0.0)  # without their common part
        start = np.where(share == 1, other.pivot, self.pivot)
        offset = np.where(share == 1, other.offset, self.offset + share * delta)
        pivot = start + offset
        rest = offset - (pivot - start)  # what rounding left of the means
        first = total[:, None] * rest
        D = np.sqrt(self.total[:, None] * share) * delta
        if self.pooled:
            between = D.T @ D + rest.T @ first
        else:
            between = D[:, :, None] * D[:, None, :] + rest[:, :, None] * first[:, None, :]
        second = self.scatter + other.scatter + between
        members, declared = self.members + other.members, self.declared or other.declared
        return type(self)(self.labels, total, first, second, pivot, members, declared)

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    @property
    def finite(self) -> bool:
        """Has nothing overflowed?"""
        return bool(np.isfinite(self.first).all() and np.isfinite(self.second).all())

    @property
    def pooled(self) -> bool:
        return self.second.ndim == 2

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.total.sum())

    @property
    def columns(self) -> int:
        return int(self.pivot.shape[1])

    @property
    def rows(self) -> int:
        """That count."""
        return int(self.members.sum())

    @property
    def offset(self) -> Array:
        """m_k − pivot; 0 where there is no weight."""
        return self.first / np.where(self.total > 0, self.total, 1.0)[:, None]

    @property
    def means(self) -> Array:
        """m_k."""
        return self.pivot + self.offset

    @property
    def scatter(self) -> Array:
        """S_k of each class, or S."""
        if self.pooled:
            return self.second - self.offset.T @ self.first
        return self.second - self.offset[:, :, None] * self.first[:, None, :]

    @property
    def within(self) -> Array:
        """S."""
        return self.scatter if self.pooled else self.scatter.sum(axis=0)


@dataclass(frozen=True)
class ClassRows(Sums):
    """The rows less a pivot, their weights and classes."""

    labels: Array
    X: Array
    row_weights: Array
    owner: Array
    pivot: Array
    pooled: bool  # what is summed up when there are as many rows as columns
    declared: bool = False
    fourths: Array | None = None
    estimates: Array | None = None

    @classmethod
    def of(cls, labels: Array, pivot: Array, pooled: bool, block: Block) -> Self:
        return cls(labels, block.X - pivot, block.weights.astype(np.float64), block.y.astype(np.int64), pivot, pooled)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, ClassMoments):
            return self.moments() + other
        labels, here, there = unite_labels(self.labels, other.labels)
        same = self.pivot is other.pivot or np.array_equal(self.pivot, other.pivot)
        X = np.concatenate([self.X, other.X if same else other.X + (other.pivot - self.pivot)])
        weights = np.concatenate([self.row_weights, other.row_weights])
        owner = np.concatenate([here[self.owner], there[other.owner]])
        both = type(self)(labels, X, weights, owner, self.pivot, self.pooled, self.declared or other.declared)
        return both if len(X) < self.columns else both.moments()

    def moments(self) -> ClassMoments:
        """Summed up."""
        Z, means, K = self.centre(), self.means, len(self.labels)
        second = Z.T @ Z if self.pooled else np.stack([Z[self.owner == k].T @ Z[self.owner == k] for k in range(K)])
        none = np.zeros_like(means)
        found = (self.fourths, self.estimates)
        return ClassMoments(self.labels, self.total, none, second, means, self.members, self.declared, *found)

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    @property
    def finite(self) -> bool:
        """Has nothing overflowed?"""
        return bool(np.isfinite(self.X).all())

    @property
    def total(self) -> Array:
        """n_k."""
        return np.bincount(self.owner, self.row_weights, len(self.labels)).astype(np.float64)

    @property
    def members(self) -> Array:
        """Rows of each class that count."""
        return np.bincount(self.owner[self.row_weights > 0], minlength=len(self.labels))

    @property
    def rows(self) -> int:
        """That count."""
        return int(np.count_nonzero(self.row_weights))

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.row_weights.sum())

    @property
    def columns(self) -> int:
        return len(self.pivot)

    @property
    def offset(self) -> Array:
        """m_k − pivot; 0 where there is no weight."""
        total = self.total
        member = np.zeros((len(total), len(self.owner)))
        member[self.owner, np.arange(len(self.owner))] = self.row_weights
        return (member @ self.X) / np.where(total > 0, total, 1.0)[:, None]

    @property
    def means(self) -> Array:
        """m_k."""
        return self.pivot + self.offset

    def centre(self) -> Array:
        """√ω·(x − m_k): Z with ZᵀZ = S."""
        return np.sqrt(self.row_weights)[:, None] * (self.X - self.offset[self.owner])


def class_statistic(rows: Rows, *, pooled: bool) -> ClassMoments | ClassRows:
    """What the discriminant family knows of its rows."""
    assert rows.labels is not None
    if rows.count is not None and rows.count < rows.columns:
        return rows.sum(ClassRows.of, rows.labels, find_pivot(rows), pooled)
    return rows.sum(ClassMoments.of, rows.labels, class_pivots(rows, len(rows.labels)), pooled)


@compiled
def around_pivots(
    X: Array, y: Array, weight: Array, pivot: Array, order: Array, Z: Array, first: Array, total: Array, members: Array
) -> None:
    """Writes √ω·(x − pivot of the class) of the rows in order to Z; adds weights, Σ ω (x − pivot) and rows class by class."""
    for a in range(len(order)):
        i = order[a]
        k, root = y[i], np.sqrt(weight[i])
        total[k] += weight[i]
        members[k] += weight[i] > 0.0
        for j in range(X.shape[1]):
            z = X[i, j] - pivot[k, j]
            Z[a, j] = root * z
            first[k, j] += weight[i] * z
