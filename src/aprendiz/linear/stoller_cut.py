"""The Stoller cut: one column and one threshold, the ones that err least on the rows.

    g(x) = one class where x_j ≤ c, the other where x_j > c                                                      (1)
    minimise  Σ ω [g(x) ≠ y]   over the columns j, the thresholds c and both orientations                        (2)

Along a sorted column, with C_i = Σ_{first i rows} ±ω (+ for the second class, − for the first) and W₀, W₁ the weights of the
classes, a cut after row i errs by

    W₀ + C_i    with the second class above,        W₁ − C_i    with the second class below                      (3)

so all cuts of a column are judged by one sort and one running sum. A cut never falls between equal values; c is the middle
of its two neighbours. Where no cut errs less than the more frequent class alone, that class is the answer, with c = ∞. Among
cuts that err equally the one with the widest gap is taken, in units of the range of its column, whatever the order of the rows.

Cost: O(d·n log n), a few columns at a time: rows that are not in memory are read once for each few columns.
References: Stoller, JASA 49, 1954; Devroye, Györfi & Lugosi, "A probabilistic theory of pattern recognition", chapter 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.compiled import compiled
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.linear.binary_classifier import BinaryClassifier, signed_weights
from aprendiz.linear.deviation_bounds import cut_bound, expected_cut_bound

TOGETHER = 1 << 22  # cells that are gathered at once
EQUAL = 1e-12  # errors that differ by less, of the whole weight, differ by rounding


class StollerCut(BinaryClassifier, Passes):
    """One threshold on the column that errs least (of all cuts, exactly).

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    feature_ : int
        The column j that is cut.
    threshold_ : float
        c of (1); ∞ where the more frequent class alone errs no more than any cut.
    orientation_ : int
        1 if the second class is above the threshold, −1 if it is at or below it.
    error_ : float
        (2) as a share of the weight: the training error.
    width_ : float
        The range of the column: the unit of the scores.
    n_samples_ : int
        Rows that count.
    certificate_ : Certificate
        The training error, counted again row by row, and the number of cuts that were judged.

    Examples
    --------
    >>> StollerCut().fit([[1.0], [2.0], [4.0], [5.0]], ["low", "low", "high", "high"]).threshold_
    3.0
    """

    classes_: Array
    feature_: int
    threshold_: float
    orientation_: int
    width_: float
    n_samples_: int
    n_features_in_: int

    def learned(self, rows: Rows) -> dict[str, Any]:
        signed = signed_weights(rows)
        refuse_empty_sums(np.abs(signed).sum(), True, rows)
        cut = best_of_rows(rows, signed)
        weight = float(np.abs(signed).sum())
        second = rows.each(lambda block: cut.scores(block.X[:, cut.column]) > 0)
        again = float(np.abs(signed[second != (signed > 0)]).sum())
        values = {"error": cut.error / weight, "again": again / weight, "cuts": cut.judged}
        holds = abs(cut.error - again) <= EQUAL * weight
        return {
            "classes_": rows.labels,
            "feature_": cut.column,
            "threshold_": cut.threshold,
            "orientation_": cut.orientation,
            "width_": cut.width,
            "error_": cut.error / weight,
            "n_samples_": int(np.count_nonzero(signed)),
            "certificate_": Certificate("no cut of any column errs less on the rows", holds, values),
        }

    def scores(self, block: Block) -> Array:
        """Distance from the threshold in units of the range, positive for the second class; ±1 if all rows are of one class."""
        cut = Cut(self.feature_, self.threshold_, self.orientation_, self.width_)
        return cut.scores(block.X[:, self.feature_])

    def bound(self, eps: float) -> float:
        """The most that P(error of this cut − least error of any cut ≥ ε) can be, for rows drawn independently."""
        check_is_fitted(self)
        return cut_bound(self.n_samples_, eps, self.n_features_in_)

    def expected_bound(self) -> float:
        """The most that the mean of that difference can be."""
        check_is_fitted(self)
        return expected_cut_bound(self.n_samples_, self.n_features_in_)


# ---- the search ------------------------------------------------------------------------------------------------------


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
def scan(x, order, signed, first, second, equal):  # type: ignore[no-untyped-def]
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
