"""DET curve: the two errors of a score against each other, on axes on which normal scores are straight lines.

    x = Φ⁻¹(FPR),     y = Φ⁻¹(FNR)                                                                                 (1)

with Φ the distribution function of the normal. If the scores of both classes are normal with the same variance and means d′
standard deviations apart, y = −x − d′ (detection error trade-off). Good scores, whose ROC curves are pressed into one corner,
remain apart here. Rates of 0 and 1 lie at ∓∞.

    equal error rate (EER): FPR = FNR, on the ROC curve with its points joined by straight lines (roc.py)          (2)
    d′ = −2·Φ⁻¹(EER), for normal scores of the same variance                                                       (3)

Cost: O(n log n), one sort.
Reference: Martin, Doddington, Kamm, Ordowski & Przybocki, "The DET curve in assessment of detection task performance",
Eurospeech 1997.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import OperatingPoint, RocCurve
from aprendiz.evaluation.words.tables import align, frame, measure, percent

SHOWN = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)  # false positive rates of the table


def det_curve(y_true: Any, score: Any, *, positive: Any = None, sample_weight: Any = None) -> DetCurve:
    """DET curve: false negative against false positive rate at every threshold of a score, as normal deviates.

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
    >>> curve = det_curve([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.6, 0.5, 0.8, 0.9])
    >>> round(curve.equal_error_rate, 3), curve.equal_error().threshold
    (0.333, 0.55)
    """
    return DetCurve(RocCurve.of(y_true, score, positive=positive, sample_weight=sample_weight))


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(ShortRepr):
    """The two errors of a score at every threshold.

    Attributes
    ----------
    roc : RocCurve
        The same thresholds; the counts are kept there.
    """

    roc: RocCurve

    @property
    def thresholds(self) -> Array:
        """inf and the distinct scores, falling; a row is predicted positive when score ≥ threshold."""
        return self.roc.thresholds

    @property
    def fpr(self) -> Array:
        """False positive rate at each threshold."""
        return self.roc.fpr

    @property
    def fnr(self) -> Array:
        """False negative rate at each threshold."""
        return self.roc.fnr

    @property
    def deviates(self) -> tuple[Array, Array]:
        """(1) at each threshold: x and y, infinite where a rate is 0 or 1."""
        return np.asarray(ndtri(self.fpr)), np.asarray(ndtri(self.fnr))

    @property
    def equal_error_rate(self) -> float:
        """(2)."""
        return self.roc.equal_error_rate

    @property
    def d_prime(self) -> float:
        """(3); infinite for a score without errors."""
        return float(-2.0 * ndtri(self.equal_error_rate))

    def equal_error(self) -> OperatingPoint:
        """The threshold at which FPR and FNR are closest."""
        return self.roc.equal_error()

    def frame(self) -> Any:
        """Thresholds, rates and their deviates as a pandas frame."""
        x, y = self.deviates
        return frame({"threshold": self.thresholds, "fpr": self.fpr, "fnr": self.fnr, "x": x, "y": y})

    def __str__(self) -> str:
        points = [self.roc.for_fpr(rate) for rate in SHOWN]
        rows = [
            [f"≤ {percent(rate)}", percent(point.fpr), percent(point.fnr), measure(point.threshold)]
            for rate, point in zip(SHOWN, points, strict=True)
        ]
        words = f"equal error rate {self.equal_error_rate:.3f}, d′ {measure(self.d_prime)}."
        return f"{align([['FPR', 'reached', 'FNR', 'score ≥'], *rows])}\n{words}"

    def plot(self, ax: Any = None, *, name: str | None = None) -> Picture:
        """The curve as a picture, a `DetCurveDisplay`, with the equal error rate marked. Needs matplotlib."""
        return display("DetCurveDisplay")(self).plot(ax, name=name)
