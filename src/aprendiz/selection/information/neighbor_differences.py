"""How much a column differs between near rows of one class and near rows of different classes.

    W_j = mean over the rows i of  M_ij − H_ij                                                                (1)
    H_ij = mean of δ_j to the k nearest rows of the class of i
    M_ij = Σ_{c ≠ y_i} p_c/(1 − p_{y_i}) · mean of δ_j to the k nearest rows of class c

with δ_j the difference of two rows in column j, between 0 and 1: of numbers as a part of the range, of levels 0 or 1. Near is
near in the mean of δ over the columns that both rows know. Where a cell is missing, the pair is left out of the means of its
column.

Cost: O(n²·d); memory O(n·d).
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.heap import replace_root
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

ROWS_AT_ONCE = 32


def class_differences(cells: Array, codes: Array, y: Array, k: int) -> Array:
    """(1) of the measured columns `cells`, between 0 and 1 with NaN where one is missing, and then of the columns of codes, −1
    where one is missing."""
    columns, sizes = cells.shape[1] + codes.shape[1], np.bincount(y)
    complete = bool(np.isfinite(cells).all() and (codes >= 0).all())

    def part(first: int) -> Array:
        sums = np.zeros((4, columns))
        add_differences(cells, codes, y, sizes, first, min(first + ROWS_AT_ONCE, len(y)), k, complete, sums)
        return sums

    hits, of_hits, misses, of_misses = sum(ordered_map(part, range(0, len(y), ROWS_AT_ONCE)), np.zeros((4, columns)))
    inside = np.divide(hits, of_hits, out=np.zeros(columns), where=of_hits > 0)
    return np.asarray(np.divide(misses, of_misses, out=np.zeros(columns), where=of_misses > 0) - inside)


@compiled
def add_differences(
    cells: Array, codes: Array, y: Array, sizes: Array, first: int, stop: int, k: int, complete: bool, sums: Array
) -> None:
    """Σ w·δ and Σ w over pairs of some rows with their nearest, of the own class and of others; w adds to 1 for each row."""
    n, classes, measured = len(y), len(sizes), cells.shape[1]
    distance, numbers = np.empty((classes, k)), np.empty((classes, k), np.int64)
    for i in range(first, stop):
        distance[:], numbers[:] = np.inf, n
        for other in range(n):
            if other != i:
                apart = mean_difference(cells, codes, i, other, complete)
                replace_root(distance[y[other]], numbers[y[other]], k, apart, other)
        for c in range(classes):
            own = c == y[i]
            there = min(k, sizes[c] - 1 if own else sizes[c])
            weight = (1.0 if own else sizes[c] / (n - sizes[y[i]])) / max(there, 1)
            place = 0 if own else 2
            for t in range(k):
                other = numbers[c, t]
                if other == n:
                    continue
                for j in range(measured):
                    delta = abs(cells[i, j] - cells[other, j])
                    if complete or delta == delta:
                        sums[place, j] += weight * delta
                        sums[place + 1, j] += weight
                for j in range(codes.shape[1]):
                    if codes[i, j] >= 0 and codes[other, j] >= 0:
                        sums[place, measured + j] += weight * (codes[i, j] != codes[other, j])
                        sums[place + 1, measured + j] += weight


@compiled(inner=True)
def mean_difference(cells: Array, codes: Array, i: int, other: int, complete: bool) -> float:
    """The mean of δ over the columns that two rows know, 1 if there are none."""
    total, common = 0.0, cells.shape[1] + codes.shape[1]
    if complete:
        for j in range(cells.shape[1]):
            total += abs(cells[i, j] - cells[other, j])
        for j in range(codes.shape[1]):
            total += codes[i, j] != codes[other, j]
        return total / common
    for j in range(cells.shape[1]):
        delta = abs(cells[i, j] - cells[other, j])
        known = delta == delta
        total += delta if known else 0.0
        common -= not known
    for j in range(codes.shape[1]):
        known = codes[i, j] >= 0 and codes[other, j] >= 0
        total += known and codes[i, j] != codes[other, j]
        common -= not known
    return total / common if common > 0 else 1.0
