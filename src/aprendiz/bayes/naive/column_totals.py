"""Totals of columns within each class: all that naive Bayes of words needs to know of a table.

    N_kj = Σ ω x_ij  over the rows i of class k                                                               (1)
    t_ik = b_k + Σ_j x_ij W_jk                                                                                (2)

(1) is learned, (2) is said of new rows. Both go over the cells that are not zero, and a sparse table stays sparse: its blocks
are views of the stored cells. A cell of 0 says nothing in (2), even where W is infinite.

Cost: one pass over the stored cells for (1), K times that for (2); memory O(K·d).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.bayes.naive.counted_columns import CountedColumns
from aprendiz.bayes.naive.independent_columns import spread_out, unite_labels
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums
from aprendiz.locale import _


class ColumnTotals(CountedColumns):
    """What the learners of (1) share."""

    allows = frozenset({"sparse"})

    @abstractmethod
    def reading(self) -> Callable[[Block], Any]:
        """How the cells of a block are read: a function that gives them, checked."""

    def summarise(self, rows: Rows) -> TotalsByClass:
        assert rows.labels is not None
        return thin(rows).sum(TotalsByClass.of, rows.labels, self.reading())

    def check_rows(self, rows: Rows) -> Rows:
        return thin(rows)

    def common_attributes(self, record: TotalsByClass) -> dict[str, Any]:
        """The attributes that do not depend on the method."""
        return {
            "classes_": record.labels,
            "class_count_": record.total,
            "class_log_prior_": self.log_priors(record.labels, record.total),
            "feature_count_": record.counts,
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on measurements, which are no counts
        return tags


def thin(rows: Rows) -> Rows:
    """The same rows, sparse ones in sparse blocks."""
    return rows.like(thin=True) if in_memory(rows) and rows.sparse else rows


def counts_of(learner: str, block: Block) -> Any:
    """The cells of a block, none below 0."""
    stored = cells_of(block.X)
    if stored.size and stored.min() < 0:
        row, column, value = first_cell(block.X, lambda cells: cells < 0)
        words = _(
            "Negative values in data passed to {learner} (input X): {value} in row {row}, column {column}. "
            "Counts start at 0: use GaussianNB for measurements."
        )
        raise ValueError(words.format(learner=learner, value=f"{value:g}", row=block.start + row, column=column))
    return block.X


def cells_of(X: Any) -> Array:
    """The cells that are stored."""
    stored: Array = X.data if sparse.issparse(X) else X
    return stored


def first_cell(X: Any, strange: Callable[[Array], Array]) -> tuple[int, int, float]:
    """Row, column and value of the first strange cell."""
    if sparse.issparse(X):
        table = X.tocoo()
        at = int(np.flatnonzero(strange(table.data))[0])
        return int(table.coords[0][at]), int(table.coords[1][at]), float(table.data[at])
    row, column = (int(i) for i in np.argwhere(strange(X))[0])
    return row, column, float(X[row, column])


@dataclass(frozen=True)
class TotalsByClass(Sums):
    """Labels, weight of each class, and (1), classes × columns."""

    labels: Array
    total: Array
    counts: Array
    declared: bool = False  # whether the labels were announced, so that no others may come

    @classmethod
    def of(cls, labels: Array, reading: Callable[[Block], Any], block: Block) -> Self:
        X = reading(block)
        counts = np.zeros((len(labels), X.shape[1]))
        if sparse.issparse(X):
            by_class = np.argsort(block.y, kind="stable")  # the totals of one class stay at hand
            add_stored(X.data, X.indices, X.indptr, by_class, block.y, block.weights, counts)
        else:
            add_cells(X, block.y, block.weights, counts)
        return cls(labels, np.bincount(block.y, block.weight, len(labels)).astype(np.float64), counts)

    def __add__(self, other: Self) -> Self:
        labels, here, there = unite_labels(self.labels, other.labels)
        classes, either = len(labels), self.declared or other.declared
        total = spread_out(self.total, here, classes) + spread_out(other.total, there, classes)
        counts = spread_out(self.counts, here, classes) + spread_out(other.counts, there, classes)
        return type(self)(labels, total, counts, either)

    def __iadd__(self, other: Self) -> Self:
        if not np.array_equal(self.labels, other.labels):
            return self + other
        counts = np.add(self.counts, other.counts, out=self.counts)
        return type(self)(self.labels, self.total + other.total, counts, self.declared or other.declared)

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.total.sum())

    @property
    def columns(self) -> int:
        return int(self.counts.shape[1])

    @property
    def finite(self) -> bool:
        """Has no total overflowed?"""
        return bool(np.isfinite(self.counts).all())


@dataclass(frozen=True)
class LinearScores:
    """(2) of a block, rows × classes: `table` is W, `start` is b."""

    table: Array
    start: Array
    reading: Callable[[Block], Any]

    @classmethod
    def of(cls, weights: Array, start: Array, reading: Callable[[Block], Any]) -> Self:
        """From weights that are classes × columns."""
        if weights.ndim != 2 or start.shape != weights.shape[:1]:
            raise ValueError(f"Weights of shape {weights.shape} do not go with {start.shape} classes: fit again.")
        return cls(np.ascontiguousarray(weights.T), start, reading)

    def __call__(self, block: Block) -> Array:
        X = self.reading(block)
        if len(self.table) != X.shape[1]:
            raise ValueError(f"Weights of {len(self.table)} columns do not go with rows of {X.shape[1]}: fit again.")
        scores = np.tile(self.start, (X.shape[0], 1))
        if sparse.issparse(X):
            score_stored(X.data, X.indices, X.indptr, self.table, scores)
        else:
            score_cells(X, self.table, scores)
        return scores


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def add_cells(X: Array, y: Array, w: Array, counts: Array) -> None:
    """Add (1) of dense rows; rows of weight 0 are not seen at all."""
    for i in range(X.shape[0]):
        if w[i] > 0.0:
            for j in range(X.shape[1]):
                counts[y[i], j] += w[i] * X[i, j]


@compiled
def add_stored(data: Array, indices: Array, indptr: Array, order: Array, y: Array, w: Array, counts: Array) -> None:
    """The same for rows of stored cells, visited in some order."""
    for i in order:
        if w[i] > 0.0:
            totals = counts[y[i]]
            for at in range(indptr[i], indptr[i + 1]):
                totals[indices[at]] += w[i] * data[at]


@compiled
def score_cells(X: Array, W: Array, scores: Array) -> None:
    """Add the sum of (2) for dense rows."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            x = X[i, j]
            if x != 0.0:
                for k in range(W.shape[1]):
                    scores[i, k] += x * W[j, k]


@compiled
def score_stored(data: Array, indices: Array, indptr: Array, W: Array, scores: Array) -> None:
    """The same for rows of stored cells."""
    for i in range(len(indptr) - 1):
        score = scores[i]
        for at in range(indptr[i], indptr[i + 1]):
            x = data[at]
            if x != 0.0:
                w = W[indices[at]]
                for k in range(len(score)):
                    score[k] += x * w[k]
