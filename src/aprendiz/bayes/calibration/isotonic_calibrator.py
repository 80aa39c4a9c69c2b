"""Isotonic regression: the probabilities that rise with the score and are nearest to what was observed.

    minimise  ½ Σ w·(p_i − y_i)²     such that  p₁ ≤ p₂ ≤ …, rows in the order of their scores                 (1)

Rows of equal scores are one row with their mean. Pooling adjacent violators: rows are taken in order, each as a block of its
own; as long as a block does not rise above the one before it, both become one block with their common mean. Every row enters
and leaves the stack of blocks once. Between blocks, new scores are interpolated; beyond the first and the last they have their
values.

With λ_k = Σ_{i ≤ k} w·(y_i − p_i), the conditions of a minimum are

    λ_k ≥ 0,     λ_k = 0 wherever p_{k+1} > p_k, and at the end                                                (2)

and the certificate is how far they are missed, as a part of the weight of all rows.

Cost: O(n log n) for the order of the scores, O(n) for the blocks.
References: Ayer, Brunk, Ewing, Reid & Silverman, Annals of Mathematical Statistics 26, 1955; Best & Chakravarti, Mathematical
Programming 47, 1990; Zadrozny & Elkan, KDD 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

PROMISED = 1e-12  # of the weight of all rows


@dataclass(frozen=True)
class IsotonicCalibrator:
    """(1), fitted.

    Attributes
    ----------
    X_thresholds_, y_thresholds_ : ndarray of shape (n_thresholds,)
        The first and the last score of each block, and its value.
    certificate : Certificate
        `residual` is what (2) is missed by.
    """

    X_thresholds_: Array
    y_thresholds_: Array
    certificate: Certificate

    @classmethod
    def fitted(cls, scores: Array, positive: Array, weight: Array) -> Self:
        """(1) for scores, targets and weights above 0."""
        place, total, weight = distinct_scores(scores, positive, weight)
        first = np.zeros(len(place) + 1, dtype=np.int64)
        sums, weights = total.copy(), weight.copy()
        blocks = pool_violators(sums, weights, first)
        first, value = first[: blocks + 1], sums[:blocks] / weights[:blocks]
        last = first[1:] - 1
        both = np.stack([first[:-1], last], axis=1).ravel()
        kept = np.r_[True, np.diff(both) > 0]  # a block of one score has one threshold
        certificate = certify(total, weight, np.repeat(value, np.diff(first)), last)
        return cls(place[both[kept]], np.repeat(value, 2)[kept], certificate)

    def predict(self, scores: Array) -> Array:
        """The probability at each score."""
        return np.interp(scores, self.X_thresholds_, self.y_thresholds_)


def distinct_scores(scores: Array, y: Array, weight: Array) -> tuple[Array, Array, Array]:
    """The distinct scores in order, and Σ w·y and Σ w of the rows that have them."""
    order = np.argsort(scores)
    inside, weight = scores[order], weight[order]
    starts = np.flatnonzero(np.r_[True, inside[1:] > inside[:-1]])
    return inside[starts], np.add.reduceat(weight * y[order], starts), np.add.reduceat(weight, starts)


@compiled(exact=True)
def pool_violators(total: Array, weight: Array, first: Array) -> int:
    """Make blocks of rows, in place: Σ w·y and Σ w of each, and its first row; behind the last block, the number of rows."""
    blocks = int64(0)
    for row in range(len(total)):
        sum_, mass, begin = total[row], weight[row], row
        while blocks > 0 and total[blocks - 1] / weight[blocks - 1] >= sum_ / mass:
            blocks -= 1
            sum_ += total[blocks]
            mass += weight[blocks]
            begin = first[blocks]
        total[blocks], weight[blocks], first[blocks] = sum_, mass, begin
        blocks += 1
    first[blocks] = len(total)
    return blocks


def certify(total: Array, weight: Array, value: Array, last: Array) -> Certificate:
    """(2) for the values of the distinct scores; `last` are the ends of the blocks."""
    multiplier = np.cumsum(total - weight * value)
    missed = max(-float(multiplier.min()), float(np.abs(multiplier[last]).max()), 0.0) / float(weight.sum())
    rising = bool((np.diff(value[last]) > 0).all())
    claim = "the probabilities rise, and are nearest to the observed classes among all that do"
    return Certificate(claim, rising and missed <= PROMISED, {"residual": missed, "blocks": len(last)})
