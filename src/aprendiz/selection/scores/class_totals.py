"""χ² of each column whose cells are counts, or shares: is its total spread over the classes as the rows are?

    χ² = Σ_k (O_k − E_k)² / E_k,     O_k = Σ of the class,   E_k = (n_k / n)·Σ of all classes                  (1)

among the rows whose cell is known. If every unit of a count fell into a class as often as a row does, and without regard to the
other units, (1) would have a χ² distribution with K − 1 degrees of freedom. Negative cells are no counts.

Cost: one pass, O(n·d); for sparse tables O(number of stored cells).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import chdtrc

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums
from aprendiz.selection.scores.scored import Scored, rounding_of_sums


@dataclass(frozen=True)
class ColumnTotals(Sums):
    """Σ w x and Σ w of the known cells of each class (classes × columns)."""

    observed: Array
    weight: Array

    @classmethod
    def of(cls, classes: int, names: Any, block: Block) -> Self:
        X, by_class = block.X, indicators(block, classes)
        cells = np.asarray(X.data if sparse.issparse(X) else X)
        if cells.size and np.fmin.reduce(cells, axis=None) < 0:
            refuse_negative(X, block.start, names)
        total = np.asarray(by_class.sum(axis=1)).reshape(-1, 1)
        product: Any = by_class @ X
        observed = product.toarray() if sparse.issparse(product) else np.asarray(product)
        if np.isfinite(observed).all():
            return cls(observed, np.repeat(total, X.shape[1], axis=1))
        full: Any = X
        missing = sparse.csr_matrix(np.isnan(full.toarray() if sparse.issparse(X) else X), dtype=np.float64)
        return cls(by_class @ with_zeros(X), total - (by_class @ missing).toarray())

    @property
    def columns(self) -> int:
        """Number of features."""
        return int(self.observed.shape[1])


def indicators(block: Block, classes: int) -> Any:
    """The weights of the rows, each in the line of its class."""
    n, y = len(block), np.asarray(block.y)
    return sparse.csr_matrix((np.asarray(block.weights, np.float64), (y, np.arange(n))), shape=(classes, n))


def with_zeros(X: Any) -> Array:
    """The cells, 0 where they are missing."""
    X = X.toarray() if sparse.issparse(X) else X
    return np.where(np.isnan(X), 0.0, X)


def refuse_negative(X: Any, start: int, names: Any) -> None:
    """Stop at the first negative cell."""
    cells = X.toarray() if sparse.issparse(X) else X
    row, column = np.argwhere(cells < 0)[0]
    name = column if names is None else repr(names[column])
    raise ValueError(
        f"Input X must be non-negative: row {start + row}, column {name} holds {cells[row, column]:.6g}. chi2 compares counts; "
        "for measurements use f_classif (score='anova') or mutual_info_classif."
    )


def class_totals(rows: Rows) -> ColumnTotals:
    """The sums of all columns."""
    assert rows.labels is not None
    classes = len(rows.labels)
    if in_memory(rows) and rows.sparse:
        rows = rows.like(thin=True)
    return rows.sum(ColumnTotals.of, classes, rows.names)


def chi_squared(sums: ColumnTotals) -> Scored:
    """(1) and its p-value; NaN for a column of zeros."""
    weight, there = sums.weight, np.asarray(sums.weight > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = weight / weight.sum(axis=0) * sums.observed.sum(axis=0)
        excess = sums.observed - expected
        statistic = np.where(there, excess * (excess / expected), 0.0).sum(axis=0)
        moved = np.where(there, np.abs(excess) * ((sums.observed + expected) / expected), 0.0).sum(axis=0)
        rounding = 2.0 * rounding_of_sums(weight.sum(axis=0)) * (moved + statistic)
        return Scored(statistic, chdtrc(there.sum(axis=0) - 1.0, statistic), rounding)
