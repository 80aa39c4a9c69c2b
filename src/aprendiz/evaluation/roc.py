"""ROC curve: what a score can do at every threshold.

    TPR(t) = P(score ≥ t | positive),     FPR(t) = P(score ≥ t | negative),     FNR = 1 − TPR                      (1)

There is one point for every distinct score, and one at t = ∞, where nobody is called positive. The area under the curve
is the probability that a positive row scores higher than a negative one, ties counting half; 2·area − 1 is Gini's
coefficient. Standard error and interval of the area are DeLong's (intervals/delong.py).

Between two neighbouring scores the threshold changes no count. An operating point takes the middle, which on new rows
errs least to either side; the first point has the threshold ∞ (nobody), the last −∞ (everybody). `score >= threshold`
on the same rows has exactly the rates of the point. All points are kept: those inside a straight run of the curve may be
the best for a wanted rate.

    equal error rate: FPR = FNR on the curve, points joined by straight lines                                      (2)

Cost: O(n log n), one sort.
Reference: Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27, 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.metrics import confusion_matrix_at_thresholds

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.targets import plain
from aprendiz.evaluation import OperatingPoint
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels, list_labels, row_weights, same_rows, score_vector
from aprendiz.evaluation.intervals.delong import area_and_error, interval
from aprendiz.evaluation.words.tables import amount, frame, percent
from aprendiz.locale import _, localise


def roc(y_true: Any, score: Any, *, positive: Any = None, sample_weight: Any = None) -> RocCurve:
    """ROC curve: true and false positive rates at every threshold of a score.

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
    >>> curve = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.auc
    0.75
    >>> print(curve.for_fpr(0.0))
    Predict 1 when score ≥ 0.6: 0 % false positives, 50 % false negatives, error 0.25 (FPR ≤ 0 %).
    """
    return RocCurve.of(y_true, score, positive=positive, sample_weight=sample_weight)


def two_classes(labels: Array, positive: Any) -> tuple[Any, Any]:
    """The negative and the positive label."""
    known = np.unique(labels)
    if len(known) == 1:
        raise ValueError(f"y_true holds only one class, {plain(known[0])!r}: a ROC curve needs rows of two.")
    if len(known) > 2:
        example = plain(known[0] if positive is None else positive)
        raise ValueError(
            f"y_true holds {len(known)} classes ({list_labels(known)}): compare one with the rest, as in y_true == {example!r}."
        )
    if positive is None:
        positive = known[1]
    if positive not in known:
        raise ValueError(f"positive = {plain(positive)!r} is not in y_true: choose one of {list_labels(known)}.")
    return known[known != positive][0], positive


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(ShortRepr):
    """Rates at every threshold of a score, and the choice among them.

    Attributes
    ----------
    thresholds : ndarray of shape (n_points,)
        inf and the distinct scores, falling; a row is predicted positive when score ≥ threshold.
    false_positives, true_positives : ndarray of shape (n_points,)
        Negative and positive rows (or their weight) predicted positive at each threshold.
    negative, positive : label
        The two classes.
    """

    thresholds: Array
    false_positives: Array
    true_positives: Array
    negative: Any
    positive: Any

    @classmethod
    def of(cls, y_true: Any, score: Any, *, positive: Any = None, sample_weight: Any = None) -> Self:
        """The curve of labels and scores; the arguments are those of `roc`."""
        labels, scores = class_labels("y_true", y_true), score_vector(score)
        same_rows("y_true", labels, "score", scores)
        weight = row_weights(sample_weight, len(labels))
        negative, positive = two_classes(labels if weight is None else labels[weight > 0], positive)
        counts = confusion_matrix_at_thresholds(labels == positive, scores, sample_weight=weight)
        _, false_alarms, _, found, thresholds = counts
        return cls(np.r_[np.inf, thresholds], np.r_[0.0, false_alarms], np.r_[0.0, found], plain(negative), plain(positive))

    # ---- rates -------------------------------------------------------------------------------------------------------

    @property
    def negatives(self) -> float:
        """Rows of the negative class, or their weight."""
        return float(self.false_positives[-1])

    @property
    def positives(self) -> float:
        """Rows of the positive class, or their weight."""
        return float(self.true_positives[-1])

    @property
    def prior(self) -> float:
        """Share of the positive class."""
        return self.positives / (self.positives + self.negatives)

    @property
    def fpr(self) -> Array:
        """False positive rate (1) at each threshold."""
        return self.false_positives / self.negatives

    @property
    def tpr(self) -> Array:
        """True positive rate (1) at each threshold."""
        return self.true_positives / self.positives

    @property
    def fnr(self) -> Array:
        """False negative rate (1) at each threshold, from its own count: 1 − 0.95 is not 0.05 in doubles."""
        return (self.positives - self.true_positives) / self.positives

    @property
    def tnr(self) -> Array:
        """True negative rate at each threshold."""
        return (self.negatives - self.false_positives) / self.negatives

    # ---- area --------------------------------------------------------------------------------------------------------

    @property
    def auc(self) -> float:
        """Area under the curve."""
        return self.area_and_error()[0]

    @property
    def auc_standard_error(self) -> float:
        """DeLong's; NaN with a single row of a class, 0 where the classes are fully separated."""
        return self.area_and_error()[1]

    def auc_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """An interval around the area, from DeLong's error on the logit scale.

        NaN where the classes are fully separated or a class has a single row: then there is no spread to judge by.
        """
        if not 0 < confidence < 1:
            raise ValueError(f"confidence = {confidence!r} must lie between 0 and 1: 0.95 is usual.")
        return interval(*self.area_and_error(), confidence)

    @property
    def gini(self) -> float:
        """2·area − 1: 0 for a useless score, 1 for a perfect one."""
        return 2.0 * self.auc - 1.0

    def area_and_error(self) -> tuple[float, float]:
        return area_and_error(np.diff(self.true_positives), np.diff(self.false_positives))

    def convex_hull(self) -> Array:
        """Numbers of the points on the upper convex hull: the only ones that can be the cheapest, whatever the costs."""
        hull: list[int] = []
        x, y = self.false_positives, self.true_positives
        for i in range(len(x)):
            while len(hull) > 1 and (
                (x[hull[-1]] - x[hull[-2]]) * (y[i] - y[hull[-2]]) >= (y[hull[-1]] - y[hull[-2]]) * (x[i] - x[hull[-2]])
            ):
                hull.pop()
            hull.append(i)
        return np.array(hull)

    # ---- choice of the threshold -------------------------------------------------------------------------------------

    def at(self, threshold: float) -> OperatingPoint:
        """The rates of a threshold of your own."""
        if np.isnan(threshold):
            raise ValueError("threshold is NaN: give a number, or inf for never and -inf for always.")
        number = int(np.count_nonzero(self.thresholds >= threshold)) - 1
        return self.point(number, _("as given"), threshold=float(threshold))

    def for_fpr(self, wanted: float) -> OperatingPoint:
        """The largest TPR with FPR ≤ wanted."""
        refuse_outside("wanted", wanted)
        number = np.flatnonzero(self.fpr <= wanted)[-1]  # TPR does not fall along the curve
        number = np.flatnonzero(self.tpr == self.tpr[number])[0]
        return self.point(number, f"FPR ≤ {percent(wanted)}")

    def for_fnr(self, wanted: float) -> OperatingPoint:
        """The smallest FPR with FNR ≤ wanted."""
        refuse_outside("wanted", wanted)
        number = np.flatnonzero(self.fnr <= wanted)[0]
        number = np.flatnonzero(self.fpr == self.fpr[number])[-1]
        return self.point(number, f"FNR ≤ {percent(wanted)}")

    def equal_error(self) -> OperatingPoint:
        """The point at which FPR and FNR are closest; of two, the one with fewer errors."""
        gap = np.abs(self.fpr - self.fnr)
        number = np.lexsort((self.fpr + self.fnr, gap))[0]
        rate = localise(f"{self.equal_error_rate:.3g}")
        return self.point(number, _("FPR ≈ FNR, equal error rate {rate}").format(rate=rate))

    @property
    def equal_error_rate(self) -> float:
        """(2)."""
        return float(np.interp(0.0, self.fpr - self.fnr, self.fpr))

    def cheapest(self, *, cost_fp: float, cost_fn: float, prior: float | None = None) -> OperatingPoint:
        """The lowest expected cost; among several, the one that predicts the fewest positives.

        `prior` is the share of positive rows where the threshold will be used, by default that of these rows.
        """
        for name, price in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
            if not 0 <= price < np.inf:
                raise ValueError(f"{name} = {price!r} must be a finite number of at least 0.")
        if prior is not None:
            refuse_outside("prior", prior)
        share = self.prior if prior is None else prior
        cost = share * cost_fn * self.fnr + (1.0 - share) * cost_fp * self.fpr
        costs = {"positive": localise(f"{cost_fp:g}"), "negative": localise(f"{cost_fn:g}")}
        rule = _("lowest cost, {positive} a false positive and {negative} a false negative").format(**costs)
        return self.point(int(np.argmin(cost)), rule, prior=share, cost_fp=cost_fp, cost_fn=cost_fn)

    def point(
        self,
        number: int,
        rule: str,
        *,
        threshold: float | None = None,
        prior: float | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
    ) -> OperatingPoint:
        """A point of the curve by its number, with the threshold in the middle of its scores."""
        fpr, fnr, tpr, tnr = (float(rate[number]) for rate in (self.fpr, self.fnr, self.tpr, self.tnr))
        share = self.prior if prior is None else prior
        chosen = self.middle(number) if threshold is None else threshold
        return OperatingPoint(chosen, fpr, fnr, tpr, tnr, share, cost_fp, cost_fn, self.positive, rule)

    def middle(self, number: int) -> float:
        """The threshold midway between the score of a point and the next lower one."""
        if number == 0:
            return float("inf")
        if number == len(self.thresholds) - 1:
            return float("-inf")
        upper, lower = self.thresholds[number], self.thresholds[number + 1]
        middle = upper / 2 + lower / 2
        return float(middle if lower < middle <= upper else upper)  # neighbouring doubles have nothing between them

    # ---- to look at --------------------------------------------------------------------------------------------------

    def frame(self) -> Any:
        """Thresholds and rates as a pandas frame."""
        return frame({"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr, "fnr": self.fnr, "tnr": self.tnr})

    def __str__(self) -> str:
        low, high = self.auc_interval()
        known = "no interval" if np.isnan(low) else f"95 % interval {low:.3f} to {high:.3f}"
        rows = f"{amount(self.positives)} rows of {self.positive!r}, {amount(self.negatives)} of {self.negative!r}"
        return f"AUC {self.auc:.3f} ({known}), Gini {self.gini:.3f}, equal error rate {self.equal_error_rate:.3f}; {rows}."

    def plot(self, ax: Any = None, *, points: Sequence[OperatingPoint] = (), name: str | None = None) -> Picture:
        """The curve as a picture, a `RocDisplay`, with operating points marked. Needs matplotlib."""
        return display("RocDisplay")(self).plot(ax, points=points, name=name)

    def plot_distributions(self, ax: Any = None, *, point: OperatingPoint | None = None) -> Picture:
        """The scores of both classes, and the errors of an operating point: a `ScoreDistributionDisplay`. Needs matplotlib."""
        return display("ScoreDistributionDisplay")(self).plot(ax, point=point)


def refuse_outside(name: str, rate: float) -> None:
    if not 0 <= rate <= 1:
        raise ValueError(f"{name} = {rate!r} must lie between 0 and 1: 0.05 is 5 %.")
