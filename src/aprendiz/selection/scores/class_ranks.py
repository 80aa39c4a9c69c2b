"""Kruskal's and Wallis's analysis of variance of ranks: do the classes lie at different places of a column?

    H = (n − 1)·Σ_k n_k (r_k − (n + 1)/2)² / Σ (r − (n + 1)/2)²                                               (1)

with the rank r of each known cell among all of the column, equal cells sharing the mean of their ranks, and r_k the mean rank
of class k. Since only the order counts, no wild cell does more than its rank. (1) is the usual H with its correction for ties.
Where the classes differ in nothing, H has nearly a χ² distribution with K − 1 degrees of freedom.

Cost: O(n·log n) for each column.
Reference: Kruskal & Wallis, "Use of ranks in one-criterion variance analysis", Journal of the American Statistical Association
47, 1952.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.preprocessing.binning.class_values import ClassValues
from aprendiz.selection.scores.scored import EPS, Scored

CELLS_AT_ONCE = 2**16  # of columns that are ranked together


def kruskal_wallis(rows: Rows) -> Scored:
    """(1) of every column, and its p-value."""
    assert rows.labels is not None
    classes = len(rows.labels)
    found = of_table(rows, classes) if in_memory(rows) else of_values(rows.sum(ClassValues.of), classes)
    statistic, present, total = found.T
    statistic = np.where(present > 1, statistic, np.nan)
    share = EPS * (16.0 + total / 2.0)
    rounding = 2.0 * share * (statistic + np.sqrt(statistic * total)) + share**2 * total
    return Scored(statistic, chdtrc(present - 1.0, statistic), rounding)


def of_table(rows: Rows, classes: int) -> Array:
    """H of the columns of a table in memory, how many classes have known cells in each, and what these weigh."""
    assert in_memory(rows)
    table = rows.X.tocsc() if rows.sparse else rows.X
    counted = slice(None) if rows.weight is None else np.flatnonzero(rows.weight > 0)
    y, w = np.asarray(rows.y)[counted], np.ones(rows.X.shape[0]) if rows.weight is None else rows.weight[counted]
    width = max(1, CELLS_AT_ONCE // max(1, len(y)))

    def part(low: int) -> Array:
        some = table[:, low : low + width]
        columns = np.ascontiguousarray((some.toarray() if rows.sparse else some)[counted].T, dtype=np.float64)
        found = np.empty((len(columns), 3))
        rank_columns(columns, y, w, classes, found)
        return found

    return np.concatenate(list(ordered_map(part, range(0, rows.columns, width))))


def of_values(record: ClassValues, classes: int) -> Array:
    """The same of sorted values with the weights of their classes."""
    found = np.empty((record.columns, 3))
    for j, column in enumerate(zip(record.values, record.classes, record.weights, strict=True)):
        found[j] = rank_variation(*column, np.zeros(classes), np.zeros(classes))
    return found


@compiled
def rank_columns(columns: Array, y: Array, w: Array, classes: int, found: Array) -> None:
    """H, the number of classes and the weight of each column."""
    n = columns.shape[1]
    order, values, labels, weights = np.empty(n, np.int64), np.empty(n), np.empty(n, np.int64), np.empty(n)
    weight, ranks = np.zeros(classes), np.zeros(classes)
    for j in range(columns.shape[0]):
        order[:] = np.argsort(columns[j])
        known = int64(0)
        for i in order:
            if columns[j, i] == columns[j, i]:
                values[known], labels[known], weights[known] = columns[j, i], y[i], w[i]
                known += 1
        cells = (values[:known], labels[:known], weights[:known])
        found[j, 0], found[j, 1], found[j, 2] = rank_variation(*cells, weight, ranks)


@compiled
def rank_variation(values: Array, labels: Array, weights: Array, weight: Array, ranks: Array) -> tuple[float, float, float]:
    """H of sorted values, the number of classes among them, and their weight. `weight` and `ranks` are room for each class."""
    weight[:] = ranks[:] = 0.0
    total = np.sum(weights)
    middle, before, spread = 0.5 * (total + 1.0), 0.0, 0.0
    start = int64(0)
    while start < len(values):
        stop, here = start, 0.0
        while stop < len(values) and values[stop] == values[start]:
            here += weights[stop]
            stop += 1
        rank = before + 0.5 * (here + 1.0) - middle
        for i in range(start, stop):
            weight[labels[i]] += weights[i]
            ranks[labels[i]] += weights[i] * rank
        spread += here * rank * rank
        before += here
        start = stop
    between, present = 0.0, 0.0
    for k in range(len(weight)):
        if weight[k] > 0.0:
            between += ranks[k] * (ranks[k] / weight[k])
            present += 1.0
    varies = len(values) > 0 and values[0] != values[-1]  # else the spread may be what rounding has left
    return ((total - 1.0) * (between / spread) if varies else np.nan), present, total
