"""Cumulative gain and lift: how many of the positive rows are found among those with the highest scores.

Rows are taken in the order of their scores, the highest first. At each threshold

    depth = share of the rows taken = π·TPR + (1 − π)·FPR                                                          (1)
    gain  = share of the positive rows among them = TPR                                                            (2)
    lift  = gain / depth = precision / π                                                                           (3)

with π the share of positive rows. Equal scores are taken together; a depth inside of them takes them in any order, and (2) is
what is expected: a straight line. A score that knows nothing has gain = depth and lift 1. The best finds only positives as
long as there are some: gain = min(1, depth/π). The area under the gain follows from that under the ROC curve:

    area = π/2 + (1 − π)·AUC                                                                                       (4)

Unlike the ROC curve, gain and lift depend on π: they answer how many letters to send, on rows like these.

Cost: O(n log n), one sort.
Reference: Provost & Fawcett, "Data science for business", 2013, ch. 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import RocCurve
from aprendiz.evaluation.words.tables import align, frame, measure, percent

SHOWN = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)  # depths of the table


def lift(y_true: Any, score: Any, *, positive: Any = None, sample_weight: Any = None) -> LiftCurve:
    """Cumulative gain and lift at every threshold of a score.

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
    >>> curve = lift([0, 0, 0, 1, 1], [0.1, 0.2, 0.7, 0.6, 0.9])
    >>> curve.gain_at(0.2), curve.lift_at(0.2)
    (0.5, 2.5)
    """
    return LiftCurve(RocCurve.of(y_true, score, positive=positive, sample_weight=sample_weight))


@dataclass(frozen=True, eq=False, repr=False)
class LiftCurve(ShortRepr):
    """Gain and lift at every depth.

    Attributes
    ----------
    roc : RocCurve
        The same thresholds with their rates; the counts are kept there.
    """

    roc: RocCurve

    @property
    def depth(self) -> Array:
        """(1) at each threshold of `roc`, from 0 to 1."""
        taken = self.roc.true_positives + self.roc.false_positives
        return np.asarray(taken / taken[-1])

    @property
    def gain(self) -> Array:
        """(2) at each threshold."""
        return self.roc.tpr

    @property
    def lift(self) -> Array:
        """(3) at each threshold; at depth 0 that of the rows with the highest score."""
        ratio = self.gain[1:] / self.depth[1:]
        return np.r_[ratio[0], ratio]

    @property
    def best_gain(self) -> Array:
        """The gain of a score without errors, at each threshold."""
        return np.minimum(self.depth / self.roc.prior, 1.0)

    def gain_at(self, depth: float) -> float:
        """The share of positive rows that is found in some share of the rows."""
        refuse_no_share(depth)
        return float(np.interp(depth, self.depth, self.gain))

    def lift_at(self, depth: float) -> float:
        """(3) of some share of the rows."""
        return self.gain_at(depth) / depth if depth > 0 else float(self.lift[0])

    @property
    def area(self) -> float:
        """Area under the gain (4): ½ for a score that knows nothing, 1 − π/2 for one without errors."""
        return float(np.trapezoid(self.gain, self.depth))

    def frame(self) -> Any:
        """Thresholds, depths, gains and lifts as a pandas frame."""
        return frame({"threshold": self.roc.thresholds, "depth": self.depth, "gain": self.gain, "lift": self.lift})

    def __str__(self) -> str:
        head = ["rows taken", f"of {self.roc.positive!r} found", "lift"]
        rows = [[percent(depth), percent(self.gain_at(depth)), measure(self.lift_at(depth))] for depth in SHOWN]
        words = f"area under the gain {self.area:.3f}; {percent(self.roc.prior)} of the rows are {self.roc.positive!r}."
        return f"{align([head, *rows])}\n{words}"

    def plot(self, ax: Any = None, *, name: str | None = None) -> Picture:
        """Both curves as a picture, a `LiftDisplay`. Needs matplotlib."""
        return display("LiftDisplay")(self).plot(ax, name=name)


def refuse_no_share(depth: float) -> None:
    if not 0 <= depth <= 1:
        raise ValueError(f"depth = {depth!r} must lie between 0 and 1: 0.1 is a tenth of the rows.")
