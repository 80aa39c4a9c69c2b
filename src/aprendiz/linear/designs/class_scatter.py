"""Means of the classes, and the scatter of the rows around them, as sums.

    n_k = Σ ω,    m_k = Σ ω x / n_k                  over the rows of class k                                     (1)
    S_k = Σ ω (x − m_k)(x − m_k)ᵀ,    S = Σ_k p_k S_k                                                             (2)

(1) is one pass, (2) another one that knows the means: nothing is subtracted afterwards, so S keeps its digits however far the
classes are apart, and takes d² numbers for any number of classes. With fewer rows than columns the centred rows themselves
are kept, n·d numbers Z with ZᵀZ = S.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import sparse

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums, find_pivot
from aprendiz.core.targets import plain
from aprendiz.summaries.moments import count_rows

FAR = 1e-9 / float(np.finfo(float).eps)  # a squared distance, in units within classes, whose rounding exceeds 1e-9


@dataclass(frozen=True)
class ClassSums(Sums):
    """Weight of each class, and Σ ω (x − pivot) of its rows; rows that count."""

    weight: Array
    first: Array
    rows: int

    @classmethod
    def of(cls, pivot: Array, classes: int, block: Block) -> Self:
        n = len(block)
        member = sparse.csr_array((block.weights, (block.y, np.arange(n))), shape=(classes, n))
        return cls(np.bincount(block.y, block.weights, classes), member @ (block.X - pivot), count_rows(block))


@dataclass(frozen=True)
class WithinScatter(Sums):
    """S of (2)."""

    scatter: Array

    @classmethod
    def of(cls, centres: ClassMeans, share: Array, block: Block) -> Self:
        Z = centres.around(share, block)
        return cls(Z.T @ Z)


@dataclass(frozen=True)
class ClassMeans:
    """(1), each mean as its difference from a pivot inside the data: nothing is lost to an offset that all rows share."""

    pivot: Array
    offset: Array  # m_k − pivot
    weight: Array  # n_k
    rows: int  # that count

    @classmethod
    def of(cls, rows: Rows) -> ClassMeans:
        assert rows.labels is not None
        pivot = find_pivot(rows)
        record = rows.sum(ClassSums.of, pivot, len(rows.labels))
        refuse_empty_sums(record.weight, record.finite, rows)
        refuse_weightless(record.weight, rows.labels)
        return cls(pivot, record.first / record.weight[:, None], record.weight, record.rows)

    @property
    def means(self) -> Array:
        """m_k."""
        return self.pivot + self.offset

    @property
    def middle(self) -> Array:
        """m − pivot, m the mean of all rows."""
        return (self.weight / self.weight.sum()) @ self.offset

    def between_rows(self) -> Array:
        """The rows √n_k·(m_k − m)."""
        return np.sqrt(self.weight)[:, None] * (self.offset - self.middle)

    def around(self, share: Array, block: Block) -> Array:
        """The rows √(p ω)·(x − mean of their class): Z of (2)."""
        Z = (block.X - self.pivot) - self.offset[block.y]
        Z *= np.sqrt(share[block.y] * block.weights)[:, None]
        return Z

    def within_scatter(self, rows: Rows, share: Array) -> Array:
        """S of (2)."""
        record = rows.sum(WithinScatter.of, self, share)
        refuse_empty_sums(1.0, record.finite, rows)
        return record.scatter

    def within_rows(self, rows: Rows, share: Array) -> Array:
        """Z of (2)."""
        return rows.each(lambda block: self.around(share, block))


# ---- classes far apart -------------------------------------------------------------------------------------------------


def reference(offset: Array, middle: Array, gram: Array) -> Array:
    """The point around which linear functions of the classes are written: the middle; where a class is so far away that the
    others would lose their digits, the class mean with the most others near it.

    `gram` holds the products of the means less the middle, in units of the deviations within classes.
    """
    if np.diagonal(gram).max() <= FAR:
        return middle
    return np.asarray(offset[np.median(squared_distances(gram), axis=1).argmin()])


def squared_distances(gram: Array) -> Array:
    """Between the points with these products."""
    squares = np.diagonal(gram)
    return np.maximum(squares[:, None] + squares - 2.0 * gram, 0.0)


def digits_lost(gram: Array) -> float:
    """By which factor rounding of the linear functions, around the origin of `gram`, exceeds what tells two classes apart."""
    apart = squared_distances(gram)
    np.fill_diagonal(apart, np.inf)
    return float((np.diagonal(gram)[:, None] / np.maximum(apart, 1.0)).max(initial=1.0))


def refuse_weightless(weight: Array, labels: Array) -> None:
    for label in labels[weight == 0]:
        raise ValueError(f"sample_weight: the rows of class {plain(label)!r} all weigh 0: leave them out, or give them weight.")
