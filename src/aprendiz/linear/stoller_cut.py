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

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.linear.diagnostics.deviation_bounds import cut_bound, expected_cut_bound
from aprendiz.linear.shared.binary_classifier import BinaryClassifier, signed_weights
from aprendiz.linear.solvers.best_cut import EQUAL, Cut, best_of_rows


class StollerCut(BinaryClassifier, Passes):
    """The best threshold on a single column (exact, over all columns and cuts).

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
        """The certificate: the error of the cut, counted anew, is the smallest that was found over all thresholds of all
        columns."""
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
            "certificate_": Certificate("no threshold on any column has a smaller training error", holds, values),
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
