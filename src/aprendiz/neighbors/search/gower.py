"""Gower's distance: the mean difference over the columns that both rows have, whatever the columns hold.

    d(x, q) = Σ_j δ_j / m,     over the m columns where neither cell is missing                                (1)

    numbers                 δ = |x − q| / range of the column among the points, at most 1
    ordinal                 δ = |rank of x − rank of q| / (levels − 1)
    binary, categorical     δ = 0 for the same level, else 1

Two rows without a column in common (m = 0) are at distance 1, the largest there is. A constant column has range 0: δ = 0 for
its value, else 1. With missing cells (1) is no metric (two rows that differ may both be at distance 0 from a third), so
the search is by brute force.

Cost: O(n·d) for each query.
Reference: Gower, "A general coefficient of similarity and some of its properties", Biometrics 1971.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.all_distances import AllDistances


class GowerSearch(AllDistances):
    """All distances (1) of a mixed table, or of a table of numbers with NaN for missing cells."""

    block = 64

    def __init__(self, X: Mixed | Array):
        self.n, self.columns = X.shape
        self.numbers, self.codes = parts(X)
        self.ranges = ranges(X, self.numbers)

    def distances(self, Q: Any) -> Array:
        found = np.empty((len(Q), self.n))
        numbers, codes = parts(Q)
        gower(self.numbers, self.codes, self.ranges, numbers, codes, found)
        return found


def parts(X: Mixed | Array) -> tuple[Array, Array]:
    """Measured columns (numbers and ranks, NaN where missing) and columns of levels without an order (−1 where missing)."""
    if not isinstance(X, Mixed):
        return np.ascontiguousarray(X, np.float64), np.empty((len(X), 0), np.int32)
    ordinal = ordinals(X)
    ranks = np.where(X.codes[:, ordinal] < 0, np.nan, X.codes[:, ordinal])
    return np.hstack([X.numbers, ranks]), np.ascontiguousarray(X.codes[:, ~ordinal])


def ordinals(X: Mixed) -> Array:
    """Which of the columns with levels have an order."""
    return np.array([X.columns.columns[j].kind == "ordinal" for j in X.columns.coded], dtype=bool)


def ranges(X: Mixed | Array, measured: Array) -> Array:
    """The range of each measured column: of the points, or all the ranks of an ordinal column."""
    known = (
        np.where(np.isnan(measured), -np.inf, measured).max(axis=0),
        np.where(np.isnan(measured), np.inf, measured).min(axis=0),
    )
    found = np.maximum(known[0] - known[1], 0.0)  # 0 for a column without a cell
    if isinstance(X, Mixed):
        levels = [len(X.columns.columns[j].levels) - 1.0 for j in X.columns.coded]
        found[X.numbers.shape[1] :] = np.array(levels)[ordinals(X)]
    return np.asarray(found)


@compiled(exact=True)
def gower(numbers: Array, codes: Array, ranges: Array, query_numbers: Array, query_codes: Array, out: Array) -> None:
    """out[i, j] = (1) between query i and point j."""
    for i in range(len(out)):
        for j in range(len(numbers)):
            total, common = 0.0, 0
            for t in range(numbers.shape[1]):
                u = abs(numbers[j, t] - query_numbers[i, t])
                if not np.isnan(u):
                    total += min(u / ranges[t], 1.0) if u > 0.0 else 0.0
                    common += 1
            for t in range(codes.shape[1]):
                if codes[j, t] >= 0 and query_codes[i, t] >= 0:
                    total += 0.0 if codes[j, t] == query_codes[i, t] else 1.0
                    common += 1
            out[i, j] = total / common if common > 0 else 1.0
