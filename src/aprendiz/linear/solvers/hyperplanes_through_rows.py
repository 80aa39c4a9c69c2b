"""Hyperplanes through d rows: which sets of rows there are, which hyperplane each defines, and which rows lie on which side.

    c + wᵀz = 0 for the d rows of a set,     Σ_j |w_j| = 1                                                       (1)

z are the rows between 0 and 1: each column from its smallest value on, in units of its range, rounded up to a power of 2. w is
the null vector of the d − 1 differences between the rows, by elimination with complete pivoting, so that |c + wᵀz| of the rows
of the set is a few roundings; |t| ≤ 64·d·ε counts as 0, on the hyperplane.

Columns that are affine functions of the columns before them are left out, and d is the number of the others.

Cost: d³/3 for each set, n·d for the sides of each hyperplane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.summaries.moments import triangular

EPS = float(np.finfo(float).eps)
BATCH = 4096  # sets of rows that are judged in one pass


def slack(columns: int) -> float:
    """The largest |t| that may be rounding."""
    return 64.0 * columns * EPS


@dataclass(frozen=True)
class CandidateRows:
    """The rows that hyperplanes may go through: different ones, in order; and between 0 and 1, in units of the columns."""

    X: Array
    Z: Array  # without the columns that are affine functions of those before them
    kept: Array  # the numbers of the others
    low: Array
    unit: Array

    @classmethod
    def of(cls, X: Array) -> CandidateRows:
        X = np.unique(X.astype(np.float64) + 0.0, axis=0)
        low = X.min(axis=0)
        unit = np.ldexp(1.0, np.minimum(np.frexp(refuse_far_apart(low, X.max(axis=0)))[1], 1023))
        Z = (X - low) / unit
        kept = independent(Z)
        return cls(X, np.ascontiguousarray(Z[:, kept]), kept, low[kept], unit)

    def inward(self, X: Array) -> Array:
        """Rows in units of the columns."""
        return (X[:, self.kept] - self.low) / self.unit[self.kept]

    def outward(self, plane: Array) -> Array:
        """w of a hyperplane in the units of the table; 0 for the columns left out, infinite where there is no such number."""
        w = np.zeros(len(self.unit))
        with np.errstate(over="ignore"):
            w[self.kept] = plane[1:] / self.unit[self.kept]
        return w


def refuse_far_apart(low: Array, high: Array) -> Array:
    """high − low of each column, which must be numbers."""
    with np.errstate(over="ignore"):
        apart = high - low
    for column in np.flatnonzero(np.isinf(apart))[:1]:
        raise ValueError(
            f"Input X holds values too far apart to be subtracted in column {column}: {low[column]:.3g} and "
            f"{high[column]:.3g}. Scale the column."
        )
    return apart


def independent(Z: Array) -> Array:
    """The numbers of the columns that are no affine function of the columns before them."""
    n, d = Z.shape
    R = triangular(Z - Z.mean(axis=0))  # has the lengths and angles of the columns, and few rows
    Q, kept = np.empty((len(R), min(n, d))), np.zeros(d, bool)
    for j in range(d):
        k, rest = int(np.count_nonzero(kept)), R[:, j]
        for _ in range(2):  # once more, for what rounding left
            rest = rest - Q[:, :k] @ (Q[:, :k].T @ rest)
        size = float(np.linalg.norm(rest))
        if k < n - 1 and size > 1e-10 * float(np.linalg.norm(R[:, j])) + 1e-13:
            Q[:, k], kept[j] = rest / size, True
    return np.flatnonzero(kept)


def all_sets(n: int, d: int) -> Iterator[Array]:
    """Every set of d of the numbers 0 … n − 1, in order, some at a time."""
    left, following = comb(n, d) if d else 0, np.arange(d)
    while left > 0:
        sets = np.empty((min(BATCH, left), d), np.int64)
        fill_sets(n, following, sets)
        left -= len(sets)
        yield sets


def drawn_sets(n: int, d: int, number: int, seed: int) -> Iterator[Array]:
    """Random sets of d of the numbers 0 … n − 1, each as likely as any other (Floyd's method), some at a time."""
    for start in range(0, number if d else 0, BATCH):
        drawn = np.arange(start, min(start + BATCH, number))
        sets = np.empty((len(drawn), d), np.int64)
        for j in range(d):
            last = n - d + j
            some = (uniforms(seed, 1 + j, drawn) * (last + 1)).astype(np.int64)
            sets[:, j] = np.where((sets[:, :j] == some[:, None]).any(axis=1), last, some)
        yield sets


@dataclass(frozen=True)
class Gains(Sums):
    """For each hyperplane, Σ ω of the second class − Σ ω of the first, over the rows above it, and over those below it."""

    gain: Array

    @classmethod
    def of(cls, inward: Callable[[Array], Array], planes: Array, block: Block) -> Self:
        Z = np.ascontiguousarray(inward(block.X).T)
        signed = np.where(block.y == 1, block.weights, -block.weights)
        gain = np.zeros((len(planes), 2))
        count_sides(Z, planes, signed, slack(block.X.shape[1]), gain)
        return cls(gain)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def fill_sets(n: int, following: Array, sets: Array) -> None:
    """Write sets of numbers in order, from `following` on, which is moved on."""
    d = len(following)
    for k in range(len(sets)):
        sets[k] = following
        i = d - 1
        while i >= 0 and following[i] == n - d + i:
            i -= 1
        if i >= 0:
            following[i] += 1
            for j in range(i + 1, d):
                following[j] = following[j - 1] + 1


@compiled
def planes_through(Z: Array, sets: Array, planes: Array) -> None:
    """(c, w) with c + wᵀz = 0 for the d rows of each set and Σ|w| = 1; NaN where they lie on more than one hyperplane."""
    d = Z.shape[1]
    A = np.empty((d - 1, d))
    for k in range(len(sets)):
        first = sets[k, 0]
        for i in range(d - 1):
            largest = 0.0
            for j in range(d):
                A[i, j] = Z[sets[k, i + 1], j] - Z[first, j]
                largest = max(largest, abs(A[i, j]))
            for j in range(d):
                A[i, j] /= largest
        w = planes[k, 1:]
        null_vector(A, w)
        size = np.abs(w).sum()
        w /= size
        planes[k, 0] = 0.0
        for j in range(d):
            planes[k, 0] -= w[j] * Z[first, j]


@compiled(inner=True)
def null_vector(A: Array, w: Array) -> None:
    """w with A w = 0 for d − 1 rows of d numbers, by elimination with complete pivoting; NaN where w is not unique."""
    d = A.shape[1]
    order = np.arange(d)
    for k in range(d - 1):
        row, column, largest = k, k, -1.0
        for i in range(k, d - 1):
            for j in range(k, d):
                if abs(A[i, j]) > largest:
                    row, column, largest = i, j, abs(A[i, j])
        if not largest > 1e-10:
            w[:] = np.nan
            return
        for j in range(d):
            A[k, j], A[row, j] = A[row, j], A[k, j]
        for i in range(d - 1):
            A[i, k], A[i, column] = A[i, column], A[i, k]
        order[k], order[column] = order[column], order[k]
        for i in range(k + 1, d - 1):
            factor = A[i, k] / A[k, k]
            for j in range(k, d):
                A[i, j] -= factor * A[k, j]
    w[order[d - 1]] = 1.0
    for k in range(d - 2, -1, -1):
        total = A[k, d - 1]
        for j in range(k + 1, d - 1):
            total += A[k, j] * w[order[j]]
        w[order[k]] = -total / A[k, k]


@compiled
def count_sides(Z: Array, planes: Array, signed: Array, slack: float, gain: Array) -> None:
    """Add the signed weights of the rows above each hyperplane, and of those below it. Z is columns × rows."""
    d, n = Z.shape
    t = np.empty(256)
    for k in range(len(planes)):
        above, below = 0.0, 0.0
        for start in range(0, n, 256):
            m = min(256, n - start)
            t[:m] = planes[k, 0]
            for j in range(d):
                for i in range(m):
                    t[i] += planes[k, 1 + j] * Z[j, start + i]
            for i in range(m):
                above += signed[start + i] if t[i] > slack else 0.0
                below += signed[start + i] if t[i] < -slack else 0.0
        gain[k, 0] += above
        gain[k, 1] += below
