"""Neighbours among sparse rows, Euclidean or by cosine, without making them dense.

    ‖x − q‖² = ‖x‖² − 2 xᵀq + ‖q‖²                                                                            (1)

costs only the cells that both rows have, but loses digits where rows are close. So (1) is a screen: a point whose (1) exceeds
the k-th smallest by more than the rounding of both,

    2·(m + 4)·ε·(‖x‖ + ‖q‖)²,     m = the most cells in a row of either side                                    (2)

is not among the k nearest. The others are computed by differences, over the columns in their order, and give the bits of the
dense search.

Cost: one sparse product for a block of queries, O(n) for each query to pick.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.metrics import NeighborMetric
from aprendiz.neighbors.search.point_index import Found, Listed, Search, in_order

EPS = np.finfo(np.float64).eps


class SparseSearch(Search):
    """Brute force over the rows of a CSR matrix."""

    method = "brute"
    block = 64

    def __init__(self, X: Any, metric: NeighborMetric):
        self.n, self.columns = X.shape
        self.metric, self.points = metric, prepare(X, metric)
        self.squares, self.most = squares(self.points), most_cells(self.points)

    def nearest_block(self, Q: Any, k: int, skip: Array | None) -> Found:
        queries, screen, slack = self.screen(Q)
        if skip is not None:
            screen[np.arange(len(screen)), skip] = np.inf
        cut = np.partition(screen, k - 1, axis=1)[:, k - 1] + slack.max(axis=1)
        query, indices = np.nonzero(screen <= (cut[:, None] + slack))
        counts, found, indices = self.recompute(queries, query, indices)
        firsts = (np.cumsum(counts) - counts)[:, None] + np.arange(k)
        return found[firsts], indices[firsts]

    def within_block(self, Q: Any, radius: float) -> Listed:
        queries, screen, slack = self.screen(Q)
        limit = self.metric.limit(radius, self.columns)
        query, indices = np.nonzero(screen <= limit + slack)
        counts, found, indices = self.recompute(queries, query, indices)
        inside = found <= radius
        query = np.repeat(np.arange(len(counts)), counts)[inside]
        return np.bincount(query, minlength=len(counts)), found[inside], indices[inside]

    def screen(self, Q: Any) -> tuple[Any, Array, Array]:
        """(1) of all pairs, and half of (2)."""
        queries = prepare(Q, self.metric)
        own = squares(queries)[:, None]
        products = (queries @ self.points.T).toarray()
        screen = self.squares - 2 * products + own
        cells = max(self.most, most_cells(queries))
        return queries, screen, (cells + 4) * EPS * (np.sqrt(self.squares) + np.sqrt(own)) ** 2

    def recompute(self, queries: Any, query: Array, indices: Array) -> Listed:
        """Pairs by differences, in order."""
        sums = np.empty(len(query))
        a, b = queries, self.points
        differences(a.data, a.indices, a.indptr, query, b.data, b.indices, b.indptr, indices, sums)
        counts, sums, indices = in_order(query, sums, indices, queries.shape[0])
        return counts, self.metric.distances(sums, self.columns), indices


def prepare(X: Any, metric: NeighborMetric) -> Any:
    """Cells as doubles, columns in order, rows by their lengths for cosine (an extra column marks rows of zeros)."""
    rows = sparse.csr_array(X, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    if metric.name != "cosine":
        return rows
    count = np.diff(rows.indptr)
    to_unit_length(rows.data, rows.indptr)
    return sparse.hstack([rows, sparse.csr_array((count == 0).astype(np.float64)[:, None])], format="csr")


def squares(rows: Any) -> Array:
    """‖x‖² of each row."""
    return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()


def most_cells(rows: Any) -> int:
    return int(np.diff(rows.indptr).max(initial=1))


@compiled(exact=True)
def to_unit_length(cells: Array, starts: Array) -> None:
    """x / ‖x‖, by the operations of metrics.py."""
    for i in range(len(starts) - 1):
        largest, total = 0.0, 0.0
        for t in range(starts[i], starts[i + 1]):
            largest = max(largest, abs(cells[t]))
        for t in range(starts[i], starts[i + 1]):
            cells[t] /= largest
            total += cells[t] * cells[t]
        for t in range(starts[i], starts[i + 1]):
            cells[t] /= np.sqrt(total)


@compiled(exact=True)
def differences(
    a: Array, a_columns: Array, a_starts: Array, a_rows: Array, b: Array, b_columns: Array, b_starts: Array, b_rows: Array,
    sums: Array,
) -> None:  # fmt: skip
    """sums[i] = Σ (x − q)² of a pair of rows, over their columns in order."""
    for pair in range(len(sums)):
        i, i_stop = a_starts[a_rows[pair]], a_starts[a_rows[pair] + 1]
        j, j_stop = b_starts[b_rows[pair]], b_starts[b_rows[pair] + 1]
        total = 0.0
        while i < i_stop or j < j_stop:
            if j == j_stop or (i < i_stop and a_columns[i] < b_columns[j]):
                u = a[i]
                i += 1
            elif i == i_stop or b_columns[j] < a_columns[i]:
                u = b[j]
                j += 1
            else:
                u = a[i] - b[j]
                i, j = i + 1, j + 1
            total += u * u
        sums[pair] = total
