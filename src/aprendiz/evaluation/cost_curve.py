"""Cost curve: what the best threshold of a score costs, for every prior and all costs at once.

A false negative costs c₋ and a false positive c₊; π is the share of positive rows where the score will be used. What matters of
these three numbers is one,

    PC = π·c₋ / (π·c₋ + (1 − π)·c₊),     from 0 to 1                                                               (1)

the part of the largest possible cost that is due to the positive rows. A threshold is a straight line, its expected cost as a
part of that largest cost:

    cost(PC) = FNR·PC + FPR·(1 − PC)                                                                               (2)

The lower envelope of all lines is what the best threshold costs at each PC. Its lines are the points of the ROC curve on its
convex hull; two neighbours change places where

    PC = 1 / (1 + s),     s = ΔTPR/ΔFPR, the slope of the hull between them                                        (3)

Never and always predicting the positive class are the lines PC and 1 − PC: a score is of use only where it is below both.

Cost: O(n log n), one sort.
Reference: Drummond & Holte, "Cost curves: an improved method for visualizing classifier performance", Machine Learning 65,
2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import OperatingPoint, RocCurve
from aprendiz.evaluation.words.tables import align, format_ratio, frame, measure, percent
from aprendiz.locale import _, number

SHOWN = np.arange(1, 10) / 10  # PC of the table


def cost_curve(y_true: Any, score: Any, *, positive: Any = None, sample_weight: Any = None) -> ExpectedCostCurve:
    """Normalised expected cost of the best threshold of a score, at every probability cost.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels of two classes.
    score : array-like of shape (n_rows,)
        Higher for the positive class: a probability, a distance from a boundary, any number.
    positive : label, optional
        The positive class; by default the label that is sorted last.
    sample_weight : array-like of shape (n_rows,), optional
        Weights count rows: 2 is the row twice, 0 is the row left out.

    Examples
    --------
    >>> curve = cost_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.cost_at(0.5)
    0.25
    >>> curve.useful
    (0.0, 1.0)
    """
    curve = RocCurve.of(y_true, score, positive=positive, sample_weight=sample_weight)
    hull = curve.convex_hull()
    false_alarms, found = np.diff(curve.fpr[hull]), np.diff(curve.tpr[hull])
    return ExpectedCostCurve(curve, hull, np.r_[0.0, false_alarms / (false_alarms + found), 1.0])


@dataclass(frozen=True, eq=False, repr=False)
class ExpectedCostCurve(ShortRepr):
    """The lower envelope of the lines (2).

    Attributes
    ----------
    roc : RocCurve
        The thresholds with their rates.
    numbers : ndarray of shape (n_lines,)
        The points of `roc` whose lines make the envelope, in the order of PC.
    breaks : ndarray of shape (n_lines + 1,)
        The line k is the lowest for PC from breaks[k] to breaks[k + 1].
    """

    roc: RocCurve
    numbers: Array
    breaks: Array

    @property
    def costs(self) -> Array:
        """The envelope at `breaks`; between them it is straight."""
        fpr, fnr = self.roc.fpr[self.numbers], self.roc.fnr[self.numbers]
        low, high = self.breaks[:-1], self.breaks[1:]
        return np.r_[fnr * low + fpr * (1.0 - low), fnr[-1] * high[-1]]

    def cost_at(self, probability_cost: Any) -> Any:
        """The envelope at one PC, or at several."""
        wanted = np.asarray(probability_cost, dtype=np.float64)
        if not ((wanted >= 0) & (wanted <= 1)).all():
            raise ValueError(
                f"probability_cost = {probability_cost!r} must lie between 0 and 1: probability_cost(…) computes it."
            )
        found = np.interp(wanted, self.breaks, self.costs)
        return float(found) if found.ndim == 0 else found

    @property
    def area(self) -> float:
        """Mean of the envelope over PC: ¼ for a score that knows nothing, 0 for one without errors."""
        return float(np.trapezoid(self.costs, self.breaks))

    @property
    def useful(self) -> tuple[float, float]:
        """From where to where the score costs less than never and always predicting the positive class; NaN if nowhere."""
        if len(self.numbers) == 2:
            return float("nan"), float("nan")
        return float(self.breaks[1]), float(self.breaks[-2])

    @staticmethod
    def probability_cost(*, cost_fp: float, cost_fn: float, prior: float) -> float:
        """PC (1) of two costs and a share of positive rows."""
        if not 0 <= prior <= 1:
            raise ValueError(f"prior = {prior!r} must lie between 0 and 1: it is the share of positive rows.")
        if not (0 <= cost_fp < np.inf and 0 <= cost_fn < np.inf and prior * cost_fn + (1.0 - prior) * cost_fp > 0):
            raise ValueError(f"cost_fp = {cost_fp!r}, cost_fn = {cost_fn!r}: give finite costs of at least 0 that can occur.")
        return prior * cost_fn / (prior * cost_fn + (1.0 - prior) * cost_fp)

    def point(self, probability_cost: float) -> OperatingPoint:
        """The threshold that costs least at a PC; of two, the one that predicts fewer positives."""
        self.cost_at(probability_cost)
        line = int(np.clip(np.searchsorted(self.breaks, probability_cost) - 1, 0, len(self.numbers) - 1))
        return self.roc.point(
            int(self.numbers[line]), _("lowest cost at PC = {value}").format(value=number(probability_cost, 3))
        )

    def frame(self) -> Any:
        """The lines of the envelope as a pandas frame."""
        chosen = {name: getattr(self.roc, name)[self.numbers] for name in ("fpr", "fnr")}
        threshold = np.array([self.roc.middle(point) for point in self.numbers])
        return frame({"from": self.breaks[:-1], "to": self.breaks[1:], "threshold": threshold, **chosen})

    def __str__(self) -> str:
        head = ["PC", "cost", "trivial", "score ≥", "FPR", "FNR"]
        points = [self.point(float(share)) for share in SHOWN]
        rows = [
            [
                *(f"{share:.1f}", format_ratio(self.cost_at(share)), format_ratio(min(share, 1.0 - share))),
                *(measure(point.threshold), percent(point.fpr), percent(point.fnr)),
            ]
            for share, point in zip(SHOWN, points, strict=True)
        ]
        low, high = self.useful
        use = "nowhere better than a constant" if np.isnan(low) else f"of use from PC {low:.3g} to {high:.3g}"
        return f"{align([head, *rows])}\nmean cost {self.area:.3f} (0.25 without a score); {use}."

    def plot(self, ax: Any = None, *, name: str | None = None) -> Picture:
        """The envelope as a picture, a `CostCurveDisplay`. Needs matplotlib."""
        return display("CostCurveDisplay")(self).plot(ax, name=name)
