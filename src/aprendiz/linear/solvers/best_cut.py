"""The best cut of a column: every threshold, in one pass over the sorted rows; equations in stoller_cut.py."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows

TOGETHER = 1 << 22  # cells that are gathered at once

EQUAL = 1e-12  # errors that differ by less, of the whole weight, differ by rounding


@dataclass(frozen=True)
class Cut:
    """A rule (1), the range of its column, the weight it errs on, the gap around it in units of the range, and how many cuts
    were judged to find it."""

    column: int
    threshold: float
    orientation: int
    width: float
    error: float = np.inf
    gap: float = 0.0
    judged: int = 0

    def scores(self, x: Array) -> Array:
        """t of some values of the column."""
        if np.isinf(self.threshold):
            return np.full(len(x), -float(self.orientation))
        away = x.astype(np.float64) - self.threshold
        distance = np.maximum(np.abs(away) / self.width, np.finfo(float).tiny)  # a row at the threshold has a side too
        return np.where((away > 0) == (self.orientation > 0), distance, -distance)

    def or_better(self, other: Cut, weight: float) -> Cut:
        """The one that errs less; of equal ones that with the wider gap, then this one."""
        less = other.error - self.error
        wins = less < -EQUAL * weight or (less <= EQUAL * weight and other.gap > self.gap)
        return replace(other if wins else self, judged=self.judged + other.judged)


def best_of_rows(rows: Rows, signed: Array) -> Cut:
    """(2) for rows that may be anywhere: as many columns at once as fit."""
    few = max(1, TOGETHER // max(1, len(signed)))

    def some(first: int, block: Block) -> Array:
        return block.X[:, first : first + few]

    weight, best = float(np.abs(signed).sum()), constant_rule(signed)
    for first in range(0, rows.columns, few):
        best = best.or_better(best_cut(rows.each(some, first), signed, first), weight)
    return best


def best_cut(X: Array, signed: Array, first: int = 0) -> Cut:
    """(2) over the columns of an array, numbered from `first` on; `signed` is ω, negative for the first class."""
    if not signed.all():
        X, signed = X[signed != 0], signed[signed != 0]
    weight, best = float(np.abs(signed).sum()), constant_rule(signed)
    for j in range(X.shape[1]):
        best = best.or_better(best_interior(X[:, j].astype(np.float64), signed, first + j), weight)
    return best


def constant_rule(signed: Array) -> Cut:
    """The more frequent class everywhere: its gap is the widest, so that no cut is preferred without need."""
    first, second = totals(signed)
    return Cut(0, np.inf, 1 if first >= second else -1, 1.0, min(first, second), np.inf)


def totals(signed: Array) -> tuple[float, float]:
    """W₀ and W₁."""
    return float(-signed[signed < 0].sum()), float(signed[signed > 0].sum())


def best_interior(x: Array, signed: Array, column: int) -> Cut:
    """The best cut between two values of a column."""
    order = np.argsort(x)
    low, high = float(x[order[0]]), float(x[order[-1]])
    error, i, side, gap, judged = scan(x, order, signed, *totals(signed), EQUAL)
    if judged == 0:
        return Cut(column, np.inf, 1, 1.0)
    threshold = middle(float(x[order[i]]), float(x[order[i + 1]]))
    return Cut(column, threshold, side, high - low, error, gap / (high - low), judged)


@compiled(exact=True)
def scan(
    x: Array, order: Array, signed: Array, first: float, second: float, equal: float
) -> tuple[float, int, int, float, int]:
    """(3) along a sorted column: the least error, the last row below the cut, where the second class is, the gap of the cut,
    and how many were judged. The first look finds the least error, the second one the widest gap that reaches it."""
    least, gap, where, side, judged = np.inf, -1.0, 0, 1, 0
    for look in range(2):
        above, below = first, second
        for i in range(len(x) - 1):
            above += signed[order[i]]
            below -= signed[order[i]]
            width = x[order[i + 1]] - x[order[i]]
            if not width > 0.0:
                continue
            if look == 0:
                judged += 2
                least = min(least, above, below)
            elif width > gap and min(above, below) <= least + equal * (first + second):
                gap, where, side = width, i, 1 if above <= below else -1
    return least, where, side, gap, judged


def middle(low: float, high: float) -> float:
    """Half-way between two numbers, but below the higher one, however close they are."""
    half = max(0.5 * low + 0.5 * high, low)
    return float(half if half < high else low)
