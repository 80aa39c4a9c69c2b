"""Outcomes of one class against the rest: four counts, and the ratios that are made of them.

    recall      = TP / (TP + FN)      of the rows of the class, found (also: sensitivity, true positive rate)      (1)
    specificity = TN / (TN + FP)      of the other rows, left alone                                                (2)
    false positive rate = FP / (TN + FP) = 1 − specificity                                                         (3)
    precision   = TP / (TP + FP)      of the rows called so, rightly                                               (4)
    F_β         = (1 + β²)·TP / ((1 + β²)·TP + β²·FN + FP)                                                         (5)

F_β is the harmonic mean of (1) and (4), in which recall weighs β² times as much; written as (5) it exists for every
class that occurs or is predicted. A ratio without cases, 0/0, is NaN and never a silent 0.

Cost: O(1) for each class.
Reference: van Rijsbergen, Information Retrieval, 2nd ed., 1979, ch. 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.sums import Sums
from aprendiz.evaluation.measures.ratio import ratio


@dataclass(frozen=True)
class Outcomes(Sums):
    """True and false positives and negatives of one class against the rest: numbers, or arrays with an entry for each class.

    Outcomes add, and the ratios of a sum are the micro averages of its parts. A ratio without cases (0/0) is NaN.

    Attributes
    ----------
    true_positives, false_positives, false_negatives, true_negatives : number or ndarray
        Numbers of rows, or their weight.
    """

    true_positives: Any
    false_positives: Any
    false_negatives: Any
    true_negatives: Any

    @property
    def support(self) -> Any:
        """Rows of the class."""
        return self.true_positives + self.false_negatives

    @property
    def recall(self) -> Any:
        """(1); NaN if the class has no rows."""
        return ratio(self.true_positives, self.support)

    @property
    def sensitivity(self) -> Any:
        """Recall by its other name."""
        return self.recall

    @property
    def specificity(self) -> Any:
        """(2); NaN if there are no other rows."""
        return ratio(self.true_negatives, self.true_negatives + self.false_positives)

    @property
    def false_positive_rate(self) -> Any:
        """(3); NaN if there are no other rows."""
        return ratio(self.false_positives, self.true_negatives + self.false_positives)

    @property
    def precision(self) -> Any:
        """(4); NaN if the class is never predicted."""
        return ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def f1(self) -> Any:
        """(5) with β = 1: recall and precision weigh the same."""
        return self.f(1.0)

    def f(self, beta: float) -> Any:
        """(5): β > 1 favours recall, β < 1 precision. NaN if the class neither occurs nor is predicted."""
        if not beta >= 0 or np.isinf(beta):
            raise ValueError(f"beta = {beta!r} must be a finite number of at least 0: 1 weighs recall and precision the same.")
        found = (1.0 + beta**2) * self.true_positives
        return ratio(found, found + beta**2 * self.false_negatives + self.false_positives)
