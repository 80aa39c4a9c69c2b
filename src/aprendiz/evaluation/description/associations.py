"""How strongly two columns go together, whatever they hold.

    numbers and numbers          Pearson's r, between −1 and 1                                                 (pair_sums.py)
    numbers and categories       η² = Σ_k n_k(x̄_k − x̄)²/Σ (x − x̄)², share of variance between them  (1)
    categories and categories    Cramér's V, corrected for bias, between 0 and 1                               (2)

With χ² of a table of r rows and c columns that occur, n rows in all and φ² = χ²/n, (2) is

    V = √(max(0, φ² − (r−1)(c−1)/(n−1))/(min(r̃, c̃) − 1)),     r̃ = r − (r−1)²/(n−1),  c̃ likewise               (3)

Without the correction V of independent columns is far above 0 when the table has many cells for few rows. Rows in which either
cell is missing are left out. All of it follows from sums over the rows.

References: Bergsma, Journal of the Korean Statistical Society 42, 2013; Fisher, "Statistical methods for research
workers", 1925.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.evaluation.description.opened_table import known
from aprendiz.evaluation.description.pair_sums import ColumnMoments, ratio

MOST_CELLS = 2**22  # of the table of two categories; larger ones are not made


@dataclass(frozen=True)
class CategorySums(Sums):
    """For each category: weights, Σ z and Σ z² of every column of numbers by level, and its tables with later categories."""

    totals: tuple[Array, ...]  # each (3, levels, columns)
    counts: tuple[Array, ...]  # each (levels,)
    cells: Array  # known ones of each category, in rows that count
    tables: tuple[Array | None, ...]

    @classmethod
    def of(cls, sizes: tuple[int, ...], centre: Array, unit: Array, block: Block) -> CategorySums:
        Z, w = (block.X - centre) / unit, block.weights
        there = ~np.isnan(Z)
        Z = np.where(there, Z, 0.0)
        totals, counts = [], []
        for c, size in enumerate(sizes):
            codes, some = block.y[:, c], known(block.y[:, c])
            stack = np.zeros((3, size, Z.shape[1]))
            for part, values in enumerate((there * w[:, None], w[:, None] * Z, w[:, None] * Z * Z)):
                np.add.at(stack[part], codes[some], values[some])
            totals.append(stack)
            counts.append(np.bincount(codes[some], w[some], minlength=size))
        tables = tuple(cross_table(block, a, b, sizes) for a, b in combinations(range(len(sizes)), 2))
        cells = known(block.y[w > 0]).sum(axis=0) if sizes else np.zeros(0, np.int64)
        return cls(tuple(totals), tuple(counts), cells, tables)

    def __add__(self, other: CategorySums) -> CategorySums:
        tables = (None if a is None else a + b for a, b in zip(self.tables, other.tables, strict=True))
        totals, counts = (
            tuple(a + b for a, b in zip(mine, theirs, strict=True))
            for mine, theirs in ((self.totals, other.totals), (self.counts, other.counts))
        )
        return CategorySums(totals, counts, self.cells + other.cells, tuple(tables))


def cross_table(block: Block, a: int, b: int, sizes: tuple[int, ...]) -> Array | None:
    """Weights of the pairs of levels of two categories; None where the table would be too large."""
    if sizes[a] * sizes[b] > MOST_CELLS:
        return None
    some = known(block.y[:, a]) & known(block.y[:, b])
    cell = block.y[some, a] * sizes[b] + block.y[some, b]
    return np.bincount(cell, block.weights[some], minlength=sizes[a] * sizes[b]).reshape(sizes[a], sizes[b])


def category_sums(rows: Rows, levels: Sequence[tuple[Any, ...]], moments: ColumnMoments) -> CategorySums:
    """In one pass."""
    return rows.sum(CategorySums.of, tuple(map(len, levels)), moments.centre, moments.unit)


def correlation_ratios(sums: CategorySums) -> Array:
    """η² of (1): a row for each category, a column for each column of numbers."""
    found = []
    for weight, first, second in sums.totals:
        n, total = weight.sum(axis=0), first.sum(axis=0)
        shared = ratio(total**2, n)
        between = np.nan_to_num(ratio(first**2, weight)).sum(axis=0) - shared
        within = second.sum(axis=0) - shared
        varies = within > np.finfo(float).eps * n * second.sum(axis=0)
        found.append(np.clip(ratio(between, np.where(varies, within, 0.0)), 0.0, 1.0))
    return np.array(found)


def cramers(sums: CategorySums) -> Array:
    """V of (3) for all pairs of categories; 1 on the diagonal where a category has two levels."""
    several = [1.0 if np.count_nonzero(count) > 1 else np.nan for count in sums.counts]
    V = np.diag(several) if several else np.empty((0, 0))
    for (a, b), table in zip(combinations(range(len(several)), 2), sums.tables, strict=True):
        V[a, b] = V[b, a] = np.nan if table is None else cramer(table)
    return V


def cramer(table: Array) -> float:
    """(3) of one table; NaN where one of the two does not vary."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    n, (r, c) = table.sum(), table.shape
    if min(r, c) < 2 or n <= 1:
        return float("nan")
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    phi2 = float(((table - expected) ** 2 / expected).sum() / n)
    smaller = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1.0
    corrected = max(0.0, phi2 - (r - 1) * (c - 1) / (n - 1))
    return min(1.0, float(np.sqrt(corrected / smaller))) if smaller > 0 else float("nan")


def joined(correlation: Array, eta2: Array, V: Array) -> Array:
    """One square table: numbers first, then categories."""
    eta2 = eta2.reshape(len(V), len(correlation))
    return np.block([[correlation, eta2.T], [eta2, V]])
