"""One-way analysis of variance of each column, the classes its groups.

    F = [Σ_k n_k (m_k − m)² / (K − 1)] / [Σ_k S_k / (n − K)]                                                  (1)

with weight n_k, mean m_k and scatter S_k = Σ w (x − m_k)² of class k among the known cells of the column, n = Σ n_k,
m = Σ n_k m_k / n, and K classes that have known cells. Where classes differ in nothing and are normal, F has an F distribution
with K − 1 and n − K degrees of freedom.

The sums keep their digits: a block sums around a pivot inside each class (sums_of_rows.py), blocks are added by Chan's formula
(core/sums.py), and means are subtracted as pivots and small rests: what all classes share cancels before anything is rounded.
A column of equal cells has S = 0 exactly.

Cost: one pass, O(n·d); memory O(K·d).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import SMALLEST_SQUARE, Spread
from aprendiz.selection.scores.column_chunks import sum_of_columns
from aprendiz.selection.scores.scored import Scored, rounding_of_sums, share_lost, tails_of_f
from aprendiz.selection.scores.sums_of_rows import TILE, TURNED, add_rows, known_rows, mean_of_first, room_to_turn, turn_columns


@dataclass(frozen=True)
class ClassVariation(Spread):
    """`Spread` of each class: its arrays have shape (classes, columns). `lost` is the largest part that has cancelled in the
    scatter of a block, in scatters."""

    lost: Array = field(default_factory=lambda: np.zeros((1, 1)))

    @classmethod
    def of_classes(cls, classes: int, columns: slice, block: Block) -> Self:
        shape = (classes, columns.stop - columns.start)
        pivot, weight, first, second = (np.zeros(shape) for _ in range(4))
        known = np.zeros(shape, np.int64)
        rows, starts = rows_by_class(block.y, block.weights, classes)
        turned = room_to_turn(block)
        add_classes(block.X, turned, block.weights, rows, starts, columns.start, pivot, weight, first, second, known)
        sums = cls(weight, first, second, known, pivot)
        return replace(sums, lost=share_lost(first, weight, sums.scatter))

    def __add__(self, other: Self) -> Self:
        """A class that is not in a block takes no digits from those in which it is."""
        here, there = self.known > 0, other.known > 0
        mine = replace(self, pivot=np.where(here, self.pivot, other.pivot))
        both = Spread.__add__(mine, replace(other, pivot=np.where(there, other.pivot, mine.pivot)))
        return replace(both, lost=np.maximum(self.lost, other.lost))

    @property
    def columns(self) -> int:
        return int(self.pivot.shape[-1])

    @property
    def total(self) -> Array:
        """n of each column."""
        return self.weight.sum(axis=0)

    @property
    def present(self) -> Array:
        """K of each column."""
        return (self.weight > 0).sum(axis=0)

    @property
    def deviations(self) -> Array:
        """m_k − m of each class and column; 0 where the class has no known cell."""
        at, heaviest = np.arange(self.columns), np.argmax(self.weight, axis=0)
        apart = (self.pivot - self.pivot[heaviest, at]) + (self.offset - self.offset[heaviest, at])
        apart = np.where(self.weight > 0, apart, 0.0)
        total = self.total
        middle = np.divide((self.weight * apart).sum(axis=0), total, out=np.zeros_like(total), where=total > 0)
        return np.where(self.weight > 0, apart - middle, 0.0)

    @property
    def between(self) -> Array:
        """Σ_k n_k (m_k − m)²."""
        return (self.weight * self.deviations**2).sum(axis=0)

    @property
    def vanished_columns(self) -> Array:
        """Whether squares have lost their digits below the smallest double, within the classes or between them. Means that are
        equal are 0 apart: nothing is lost there."""
        apart = (self.deviations != 0.0).any(axis=0)
        return self.vanished.any(axis=0) & (self.second.sum(axis=0) < SMALLEST_SQUARE) | apart & (
            self.between < SMALLEST_SQUARE
        )

    @property
    def within(self) -> Array:
        """Σ_k S_k."""
        return self.scatter.sum(axis=0)


def class_variation(rows: Rows) -> ClassVariation:
    """The sums of all columns."""
    assert rows.labels is not None
    return sum_of_columns(rows, ClassVariation.of_classes, len(rows.labels))


def analysis_of_variance(sums: ClassVariation) -> Scored:
    """(1) and its p-value; ∞ and 0 where classes differ and nothing varies within them."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        free, rest = sums.present - 1.0, sums.total - sums.present
        rest = np.where(rest > 0, rest, np.nan)
        F = (sums.between / free) / (sums.within / rest)
        share = rounding_of_sums(sums.known.max(axis=0)) * (1.0 + 2.0 * sums.lost.max(axis=0))
        rounding = 2.0 * share * (F + np.sqrt(F * rest / free)) + share**2 * rest / free  # the means are off by √S·share
        return Scored(F, tails_of_f(free, rest, F), np.where(np.isfinite(F), rounding, 0.0))


def rows_by_class(y: Array, w: Array, classes: int) -> tuple[Array, Array]:
    """The rows that count, class after class, and where each class begins."""
    counted = np.flatnonzero(w > 0)
    labels = y[counted]
    rows = counted[np.argsort(labels, kind="stable")]
    return rows, np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=classes))])


@compiled
def add_classes(
    X: Array,
    turned: Array | None,
    w: Array,
    rows: Array,
    starts: Array,
    low: int,
    pivot: Array,
    weight: Array,
    first: Array,
    second: Array,
    known: Array,
) -> None:
    """Pivots of each class in the columns from `low` on, as many as there are pivots, and the sums around them."""
    width = pivot.shape[1]
    for start in range(0, width, TILE if turned is None else TURNED):
        stop = min(start + (TILE if turned is None else TURNED), width)
        if turned is not None:
            turn_columns(X, low + start, stop - start, turned)
        for k in range(len(pivot)):
            mine = rows[starts[k] : starts[k + 1]]
            p, f, s = pivot[k, start:stop], first[k, start:stop], second[k, start:stop]
            if turned is not None and len(mine):
                mean_of_first(turned, mine, 0, p)
                add_rows(turned, w, None, mine, 0, p, f, s, None)
            elif len(mine):
                mean_of_first(X, mine, low + start, p)
                add_rows(X, w, None, mine, low + start, p, f, s, None)
    some = np.empty(len(rows), np.int64)
    for k in range(len(pivot)):
        mine, total = rows[starts[k] : starts[k + 1]], 0.0
        for i in mine:
            total += w[i]
        for j in range(width):
            weight[k, j], known[k, j] = total, len(mine)
            if not np.isfinite(first[k, j]):
                count = known_rows(X, mine, low + j, some)
                first[k, j] = second[k, j] = pivot[k, j] = weight[k, j] = 0.0
                known[k, j] = count
                for i in some[:count]:
                    weight[k, j] += w[i]
                if count:
                    one, f, s = pivot[k, j : j + 1], first[k, j : j + 1], second[k, j : j + 1]
                    mean_of_first(X, some[:count], low + j, one)
                    add_rows(X, w, None, some[:count], low + j, one, f, s, None)
