"""Statistics that add: frozen records of arrays with `+`.

Whatever a learner needs to know of its rows, it asks for as a sum over them, `rows.sum(statistic, *parameters)`. A
statistic is a function of parameters and a block that returns one of these records:

    Sums        arrays that add field by field; the base of all others, and of the learners' own
    Spread      weight, mean and variance column by column, missing cells left out
    Extremes    smallest and largest known cell of each column
    Counts      contingency tables of any order; the one record that also subtracts
    Moments     weight, mean and scatter of all columns together (moments.py)

A statistic `Record.of` may have a sibling `Record.of_each(*parameters, weights, block)`: the records of a block under each of
several weights, whole numbers in the rows of a matrix (summaries/replicates.py).

Numerical rule: nothing is accumulated around zero. Moments are taken around a pivot inside the data; records that agreed
on their pivot add plainly, others by Chan's formula, which adds what is positive and subtracts nothing:

    S = S₁ + S₂ + (n₁n₂/n)·δδᵀ,   δ = m₂ − m₁,   m = m₁ + (n₂/n)·δ                                            (1)

Reference: Chan, Golub & LeVeque, "Algorithms for computing the sample variance", The American Statistician 37, 1983.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import MOST_ROWS, Array, Block, Rows
from aprendiz.core.threads import scratch

LEAST = 1e-280  # sums of squares below which some of the squares may have lost their digits


@dataclass(frozen=True)
class Sums:
    """Numbers and arrays that add field by field."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def finite(self) -> bool:
        """Has nothing overflowed?"""
        values = (getattr(self, f.name) for f in fields(self))
        return all(np.isfinite(value).all() for value in values if isinstance(value, (float, np.ndarray)))


SMALLEST_SQUARE = 2.0**-960  # a sum of squares below has lost digits
SMALLEST_SIZE = 2.0**-1000  # of the cells of a column, far enough from the smallest double


# ---- columns one by one ----------------------------------------------------------------------------------------------


def find_pivot(rows: Rows, *, target: bool = False) -> Array:
    """A point inside the data, column by column: the median of about a hundred rows of the first block."""
    return rows.first(pivot_of_block, target, rows.names)


def pivot_of_block(target: bool, names: Sequence[str] | None, block: Block) -> Array:
    """The median of about a hundred rows of a block."""
    some = about_a_hundred_rows(target, block)
    refuse_tiny_column(some[:, : block.X.shape[1]], names)
    known = np.isfinite(some)
    if known.all():
        return np.sort(some, axis=0)[len(some) // 2]
    return np.array([np.median(column[ok]) if ok.any() else 0.0 for column, ok in zip(some.T, known.T, strict=True)])


def refuse_tiny_column(some: Array, names: Sequence[str] | None) -> None:
    """Stop at a column in which all of some cells are zero or nearly so: close to the smallest double they lose their digits,
    and what is divided by them overflows."""
    sizes = np.fmax.reduce(np.abs(some), axis=0)
    if (tiny := (sizes > 0) & (sizes < SMALLEST_SIZE)).any():
        column = int(np.flatnonzero(tiny)[0])
        raise ValueError(
            f"Input X holds values too small to compute with: the first rows hold at most {sizes[column]:.3g} in column "
            f"{column if names is None else repr(names[column])}. Scale the column."
        )


def about_a_hundred_rows(target: bool, block: Block) -> Array:
    """About a hundred rows of a block, their targets beside them if asked."""
    stride = max(1, len(block) // 100)
    some = block.X[::stride].astype(np.float64)
    return np.column_stack([some, block.y[::stride].astype(np.float64)]) if target else some


@dataclass(frozen=True)
class Spread(Sums):
    """Column by column: weight of the known cells, Σ w (x − pivot), Σ w (x − pivot)², and rows seen."""

    weight: Array
    first: Array
    second: Array
    known: Array
    pivot: Array

    @classmethod
    def of(cls, pivot: Array, block: Block) -> Self:
        (n, d), w = block.X.shape, block.weight
        Z = np.subtract(block.X, pivot, out=scratch(n, d))
        if np.isfinite(Z.sum()):
            weight = np.full(d, float(n) if w is None else w.sum())
            first = Z.sum(axis=0) if w is None else w @ Z
            Z *= Z
            second = Z.sum(axis=0) if w is None else w @ Z
            return cls(weight, first, second, np.full(d, n), pivot)
        weight, first, second = np.zeros((3, d))
        known = np.zeros(d, np.int64)
        spread_of_known(block.X, block.weights, pivot, weight, first, second, known)
        return cls(weight, first, second, known, pivot)

    def __add__(self, other: Self) -> Self:
        if self.pivot is other.pivot or np.array_equal(self.pivot, other.pivot):
            first, second = self.first + other.first, self.second + other.second
            return type(self)(self.weight + other.weight, first, second, self.known + other.known, self.pivot)
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        delta = (other.pivot - self.pivot) + (other.offset - self.offset)  # of the means, without their common part
        scatter = self.scatter + other.scatter + self.weight * share * delta**2  # (1), each column alone
        offset = self.offset + share * delta
        pivot = self.pivot + offset
        first = weight * (offset - (pivot - self.pivot))
        second = scatter + np.divide(first**2, weight, out=np.zeros_like(weight), where=weight > 0)
        return type(self)(weight, first, second, self.known + other.known, pivot)

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.pivot)

    @property
    def offset(self) -> Array:
        """mean − pivot; 0 where no cell is known."""
        return np.divide(self.first, self.weight, out=np.zeros_like(self.first), where=self.weight > 0)

    @property
    def mean(self) -> Array:
        """Mean of the known cells; the pivot where there is none."""
        return self.pivot + self.offset

    @property
    def scatter(self) -> Array:
        """Σ w (x − mean)²."""
        shift = np.divide(self.first**2, self.weight, out=np.zeros_like(self.first), where=self.weight > 0)
        return np.maximum(self.second - shift, 0.0)

    @property
    def vanished(self) -> Array:
        """Whether squares (x − pivot)² have lost their digits below the smallest double, so that the scatter says nothing."""
        return (self.second < SMALLEST_SQUARE) & ((self.second > 0) | (self.first != 0))

    @property
    def digits(self) -> Array:
        """Digits of each variance, relative to itself, and of each mean, relative to the deviation (or to its own size, where
        that is larger): a sum of m terms of one sign is off by at most m/2·ε of it, and so is the part that the distance
        between pivot and mean takes away. None are left where the squares of the deviations leave the range of doubles."""
        variance = np.divide(self.scatter, self.weight, out=np.zeros_like(self.first), where=self.weight > 0)
        ratio = np.divide(self.offset**2, variance, out=np.zeros_like(self.first), where=variance > 0)
        terms = 4.0 + np.minimum(self.known, MOST_ROWS) / 2.0
        kept = -np.log10(np.finfo(float).eps * terms * (1.0 + 2.0 * ratio))
        constant = (self.first == 0) & (self.second == 0)
        ordinary = constant | ((self.second > LEAST) & (self.second < 1 / LEAST) & (variance > 0))
        return np.where(ordinary, np.maximum(kept, 0.0), 0.0)


@dataclass(frozen=True)
class Extremes(Sums):
    """Smallest and largest known cell of each column (∞ and −∞ where there is none), rows and weight."""

    low: Array
    high: Array
    rows: int
    weight: float

    @classmethod
    def of(cls, block: Block) -> Self:
        X = block.X if block.weight is None else block.X[block.weight > 0]
        if not len(X):
            none = np.full(X.shape[1], np.inf)
            return cls(none, -none, 0, 0.0)
        low, high = X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
        if np.isnan(low).any():
            low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
            low, high = np.where(np.isnan(low), np.inf, low), np.where(np.isnan(high), -np.inf, high)
        return cls(low.astype(np.float64), high.astype(np.float64), len(X), float(block.weights.sum()))

    def __add__(self, other: Self) -> Self:
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return type(self)(low, high, self.rows + other.rows, self.weight + other.weight)

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.low)

    @property
    def finite(self) -> bool:
        """Nothing is squared, so nothing overflows."""
        return True


@compiled
def spread_of_known(X: Array, w: Array, pivot: Array, weight: Array, first: Array, second: Array, known: Array) -> None:
    """Add weight, Σ w (x − pivot), Σ w (x − pivot)² and the number of the known cells of each column."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            z = X[i, j] - pivot[j]
            there = z == z
            z = z if there else 0.0
            weight[j] += w[i] if there else 0.0
            first[j] += w[i] * z
            second[j] += w[i] * z * z
            known[j] += there


# ---- counts ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts(Sums):
    """A contingency table: `table[i, j, …]` rows (or weight) with codes i, j, …"""

    table: Array

    @classmethod
    def cross(cls, shape: tuple[int, ...], *codes: Array, weight: Array | None = None) -> Self:
        """The table of some vectors of codes 0 … shape − 1: whole numbers, unless the rows have weights."""
        cell = np.ravel_multi_index(tuple(np.asarray(c).astype(np.intp) for c in codes), shape)
        return cls(np.bincount(cell, weight, minlength=int(np.prod(shape))).reshape(shape))

    def __sub__(self, other: Self) -> Self:
        """The rest of the rows. Whole numbers only: subtracting weights would lose digits to a heavy row."""
        if not (np.issubdtype(self.table.dtype, np.integer) and np.issubdtype(other.table.dtype, np.integer)):
            raise TypeError("Weighted counts are not subtracted (digits would be lost): add the other folds instead.")
        return type(self)(self.table - other.table)

    def marginal(self, *axes: int) -> Array:
        """The table of some of its variables."""
        return self.table.sum(axis=tuple(a for a in range(self.table.ndim) if a not in axes))
