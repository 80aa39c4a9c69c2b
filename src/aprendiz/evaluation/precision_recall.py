"""Precision and recall: what a score can do at every threshold, seen from the rows that are called positive.

    precision(t) = P(positive | score ≥ t),     recall(t) = P(score ≥ t | positive)                                (1)
    average precision = Σ_k (recall_k − recall_{k−1}) · precision_k,   thresholds falling, recall_0 = 0             (2)

There is one point for every distinct score. A score that knows nothing has the precision π, the share of positive rows,
at every recall. Where positives are rare this picture is stricter than the ROC curve: a false positive rate of 1 % may
still mean that most alarms are false.

(2) is the area under a staircase. Straight lines between the points would promise precisions that no threshold has.

Cost: O(n log n), one sort.
Reference: Davis & Goadrich, "The relationship between precision-recall and ROC curves", ICML 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import metrics

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels, row_weights, same_rows, score_vector
from aprendiz.evaluation.inputs.one_against_rest import one_against_rest
from aprendiz.evaluation.words.tables import frame, percent


def precision_recall(y_true: Any, score: Any, *, positive: Any = None, sample_weight: Any = None) -> PrecisionRecallCurve:
    """Precision and recall at every threshold of a score.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels.
    score : array-like of shape (n_rows,)
        Higher for the positive class: a probability, a distance from a boundary, any number.
    positive : label, optional
        The positive class; all others are negative. By default, of two, the label that is sorted last.
    sample_weight : array-like of shape (n_rows,), optional
        Weights count rows: 2 is the row twice, 0 is the row left out.

    Examples
    --------
    >>> curve = precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> print(curve)
    average precision 0.833; 50 % of the rows are 1.
    """
    labels, scores = class_labels("y_true", y_true), score_vector(score)
    same_rows("y_true", labels, "score", scores)
    weight = row_weights(sample_weight, len(labels))
    if weight is not None:
        labels, scores, weight = labels[weight > 0], scores[weight > 0], weight[weight > 0]
    truth, label = one_against_rest(labels, positive)
    precision, recall, thresholds = metrics.precision_recall_curve(truth, scores, sample_weight=weight)
    prior = float(np.average(truth, weights=weight))
    return PrecisionRecallCurve(thresholds[::-1], precision[-2::-1], recall[-2::-1], prior, label)


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallCurve(ShortRepr):
    """Precision and recall at every threshold of a score.

    Attributes
    ----------
    thresholds : ndarray of shape (n_points,)
        The distinct scores, falling; a row is predicted positive when score ≥ threshold.
    precision, recall : ndarray of shape (n_points,)
        (1) at each threshold.
    prior : float
        π, the share of the positive class.
    positive : label
        The positive class.
    """

    thresholds: Array
    precision: Array
    recall: Array
    prior: float
    positive: Any

    @property
    def average_precision(self) -> float:
        """(2)."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)

    def frame(self) -> Any:
        """Thresholds, precisions and recalls as a pandas frame."""
        return frame({"threshold": self.thresholds, "precision": self.precision, "recall": self.recall})

    def __str__(self) -> str:
        return f"average precision {self.average_precision:.3f}; {percent(self.prior)} of the rows are {self.positive!r}."

    def plot(self, ax: Any = None, *, name: str | None = None) -> Picture:
        """The curve as a picture, a `PrecisionRecallDisplay`. Needs matplotlib."""
        return display("PrecisionRecallDisplay")(self).plot(ax, name=name)
