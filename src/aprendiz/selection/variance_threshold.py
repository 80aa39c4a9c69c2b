"""The columns that vary: those whose variance is above a threshold.

    s² = Σ w (x − m)² / Σ w  > threshold                                                                      (1)

among the known cells. A threshold has the unit of the square of a column, so it compares columns of one unit only; scaled to a
variance of 1, they say nothing. The usual threshold 0 leaves out the columns that are constant.

Cost: one pass, O(n·d).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import NonNegative
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Extremes, Spread, Sums, find_pivot
from aprendiz.selection.keeping.order import best_first, ranks
from aprendiz.selection.scores.scored import refuse_vanished
from aprendiz.selection.shared.selector import Selector


class VarianceThreshold(Selector, OnePass):
    """Keep the columns whose variance is above a threshold (drop-in for scikit-learn's; files, weights and `partial_fit` too).

    Parameters
    ----------
    threshold : float, default=0.0

    Attributes
    ----------
    variances_ : ndarray of shape (n_features,)
        (1); with a threshold of 0, the range of the column, if that is smaller.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    ranking_ : ndarray of shape (n_features,)
        1 for the largest variance; equal columns share a place.
    order_ : ndarray
        The kept columns, the largest variance first.
    certificate_ : Certificate
        That rounding has not decided: the smallest variance that is kept (`smallest`), and how many digits of the kept ones are
        right at least (`digits`).

    Examples
    --------
    >>> model = VarianceThreshold().fit([[0, 2, 0, 3], [0, 1, 4, 3], [0, 1, 1, 3]])
    >>> model.get_support()
    array([False,  True,  True, False])
    """

    allows = frozenset({"sparse", "missing"})

    def __init__(self, threshold: NonNegative = 0.0):
        self.threshold = threshold

    def summarise(self, rows: Rows) -> Variation:
        return rows.sum(Variation.of, find_pivot(rows))

    def learned(self, rows: Rows) -> dict[str, Any]:
        found = super().learned(rows)
        refuse_vanished(found["sums_"].spread.vanished, rows.names)
        refuse_constant(found["variances_"], float(self.threshold), rows.count == 1)
        return found

    def conclude(self, record: Variation) -> dict[str, Any]:
        spread, known = record.spread, record.spread.weight > 0
        variance = np.divide(spread.scatter, spread.weight, out=np.full(len(known), np.nan), where=known)
        if self.threshold == 0:
            width = np.where(known, record.extremes.high - record.extremes.low, np.nan)
            variance = np.fmin(variance, width)
        with np.errstate(invalid="ignore"):
            support = variance > self.threshold
        order = best_first(variance)
        return {
            "variances_": variance,
            "support_": support,
            "ranking_": ranks(variance),
            "order_": order[support[order]],
            "certificate_": evidence(variance, support, float(self.threshold), spread.digits),
        }

    def transform(self, X: Any) -> Any:
        """The columns that vary. (After calls of `partial_fit` it may be none: that is said here, and by `fit` at once.)"""
        check_is_fitted(self)
        refuse_constant(self.variances_, float(self.threshold), False)
        return super().transform(X)


@dataclass(frozen=True)
class Variation(Sums):
    """Spread and extremes of the columns."""

    spread: Spread
    extremes: Extremes

    @classmethod
    def of(cls, pivot: Array, block: Block) -> Self:
        return cls(Spread.of(pivot, block), Extremes.of(block))

    @property
    def weight(self) -> Array:
        return self.spread.weight

    @property
    def columns(self) -> int:
        return self.spread.columns

    @property
    def finite(self) -> bool:
        return self.spread.finite


def refuse_constant(variance: Array, threshold: float, single: bool) -> None:
    """Stop where no column varies enough."""
    if not (variance > threshold).any():
        few = " (X contains only one sample)" if single else ""
        best = "" if np.isnan(variance).all() else f": the largest variance is {np.nanmax(variance):.6g}"
        raise ValueError(f"No feature in X meets the variance threshold {threshold:.5f}{few}{best}. Lower it.")


def evidence(variance: Array, support: Array, threshold: float, digits: Array) -> Certificate:
    """That no variance is so close to the threshold that rounding could have decided. At 0 ranges decide, which are exact."""
    apart = np.abs(variance - threshold) - 10.0**-digits * variance
    known = ~np.isnan(variance)
    clear = bool(threshold == 0 or not known.any() or apart[known].min() > 0)
    kept = variance[support]
    smallest, right = (float(kept.min()), float(digits[support].min())) if len(kept) else (np.inf, np.inf)
    told = {"kept": len(kept), "smallest": smallest, "digits": right}
    return Certificate("no variance is so close to the threshold that rounding could decide", clear, told)
