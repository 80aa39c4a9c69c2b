"""Calibration: of the rows that are given the probability p, is the share p positive?

Rows are put into bins of equal count by their probability; equal probabilities are never separated, so a bin may hold
more, and another be missing. With n_b rows in bin b, mean probability p_b and share of positives o_b,

    bin of a probability = ⌊bins · (rows below + half of those equal) / n⌋                                        (1)
    expected calibration error = Σ_b n_b/n · |o_b − p_b|                                                          (2)
    Brier score = mean of (p − 1 for positive, p − 0 for negative rows)²                                          (3)

    log loss = mean of −log(probability of what happened)                                                         (4)

The interval of o_b is Wilson's: it does not shrink to a point where all rows of a bin agree. (2) grows with the number of
bins also for perfect probabilities, since every o_b scatters; (3) and (4) have no bins, but reward sharp probabilities as
well. Murphy's decomposition tells both apart. With ō the share of positives, and p_b in the place of every p of bin b,

    Brier score of the bins = reliability − resolution + uncertainty                                              (5)
    reliability = Σ n_b/n·(p_b − o_b)²,     resolution = Σ n_b/n·(o_b − ō)²,     uncertainty = ō·(1 − ō)          (6)

Reliability is 0 for calibrated probabilities, resolution is what they know, and uncertainty belongs to the rows alone.
Spiegelhalter's test needs no bins: if every row is positive with its probability p,

    z = Σ (y − p)·(1 − 2p) / √(Σ (1 − 2p)²·p·(1 − p))  is normal with mean 0 and variance 1                       (7)

How far the shares scatter around calibrated probabilities is that of N_b ~ Binomial(n_b, p_b): with unequal probabilities in
a bin they scatter less (Hoeffding), so that what follows errs towards calling probabilities calibrated.

    consistency bar of bin b = from the 2.5 % to the 97.5 % quantile of N_b / n_b                                 (8)
    error by chance = Σ_b 1/n · E|N_b − n_b p_b| = Σ_b 2/n · v_b·(1 − p_b)·P(N_b = v_b),  v_b = ⌊n_b p_b⌋ + 1     (9)
    p-value of (2) = the share of tables of such counts whose error is as large, of 1999 and the observed one    (10)

Cost: O(n log n), one sort; (10) a number for each bin of each table.
References: Bröcker & Smith, "Increasing the reliability of reliability diagrams", Weather and Forecasting 22, 2007 (8);
de Moivre, 1730 (9); Hoeffding, "On the distribution of the number of successes in independent trials", Annals of Mathematical
Statistics 27, 1956; Murphy, "A new vector partition of the probability score", Journal of Applied Meteorology 12, 1973;
Spiegelhalter, "Probabilistic prediction in patient management and clinical trials", Statistics in Medicine 5, 1986; Wilson,
JASA 22, 1927.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from scipy.stats import binom, norm

from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.inputs.labels_and_numbers import as_numbers, class_labels, nonempty_array, same_rows
from aprendiz.evaluation.inputs.one_against_rest import one_against_rest
from aprendiz.evaluation.intervals.row_intervals import wilson
from aprendiz.evaluation.words.tables import frame

LEVEL = 0.95  # of the intervals
TABLES = 1999  # of (10)
TINY = 1e-12  # within which errors are equal


def calibration(y_true: Any, probability: Any, *, bins: int = 10, positive: Any = None) -> Calibration:
    """Compare the predicted probabilities of a class with how often it occurs.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels.
    probability : array-like of shape (n_rows,)
        Of the positive class, such as `predict_proba(X)[:, 1]`.
    bins : int, default=10
        Into how many bins of equal count the rows are put.
    positive : label, optional
        The positive class; all others are negative. By default, of two, the label that is sorted last.

    Examples
    --------
    >>> print(calibration([0, 0, 1, 1], [0.2, 0.2, 0.6, 0.6], bins=2))
    expected calibration error 0.3, Brier score 0.1, log loss 0.367; 4 rows in 2 bins.
    Brier score of the bins 0.1 = reliability 0.1 − resolution 0.25 + uncertainty 0.25.
    Spiegelhalter's test: z = -1.09, p = 0.28.
    """
    labels, p = class_labels("y_true", y_true), probabilities(probability)
    same_rows("y_true", labels, "probability", p)
    if not (isinstance(bins, Integral) and bins >= 1):
        raise ValueError(f"bins = {bins!r} must be a whole number of at least 1: 10 is usual.")
    truth, label = one_against_rest(labels, positive)
    number = bin_numbers(p, int(bins))
    rows = np.bincount(number)
    predicted, observed = np.bincount(number, p) / rows, np.bincount(number, truth) / rows
    z = float(norm.ppf(0.5 + LEVEL / 2))
    interval = np.array([wilson(share, count, z) for share, count in zip(observed, rows, strict=True)])
    low, high = np.clip(interval, 0.0, 1.0).T
    return Calibration(rows, predicted, observed, low, high, float(np.mean((p - truth) ** 2)), p, label, truth)


def probabilities(probability: Any) -> Array:
    """Numbers from 0 to 1, one for each row."""
    wanted = "give probabilities of the positive class, such as predict_proba(X)[:, 1]"
    p = as_numbers("probability", nonempty_array("probability", probability), wanted)
    if p.ndim != 1:
        raise ValueError(f"probability has shape {p.shape}: pass the column of the positive class, such as probability[:, 1].")
    strange = ~((p >= 0) & (p <= 1))
    if strange.any():
        row = int(np.flatnonzero(strange)[0])
        raise ValueError(f"probability holds {p[row].item()!r} in row {row}: {wanted}, which lie between 0 and 1.")
    return p


def rounded(p: float) -> str:
    """A p-value with its sign, below the smallest double too."""
    return f"= {p:.2g}" if p > 0 else "< 1e-300"


def bin_numbers(p: Array, bins: int) -> Array:
    """(1), with the bins that hold rows numbered 0, 1, …"""
    _, place, count = np.unique(p, return_inverse=True, return_counts=True)
    twice = 2 * np.cumsum(count) - count  # whole numbers: no rounding at the edges of bins
    filled_bins = np.unique(bins * twice // (2 * len(p)), return_inverse=True)[1]
    return np.asarray(filled_bins[place])


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(ShortRepr):
    """Predicted probabilities beside observed shares, bin by bin.

    Attributes
    ----------
    rows : ndarray of shape (n_bins,)
        n_b: rows of each bin, in the order of their probabilities.
    predicted, observed : ndarray of shape (n_bins,)
        p_b and o_b: mean probability and share of positive rows.
    low, high : ndarray of shape (n_bins,)
        Wilson's 95 % interval of `observed`.
    brier : float
        (3).
    probability : ndarray of shape (n_rows,)
        The probabilities that were judged.
    positive : label
        The positive class.
    outcome : ndarray of shape (n_rows,), bool
        Whether each row is positive.
    """

    rows: Array
    predicted: Array
    observed: Array
    low: Array
    high: Array
    brier: float
    probability: Array
    positive: Any
    outcome: Array

    @property
    def expected_error(self) -> float:
        """(2)."""
        return float(np.average(np.abs(self.observed - self.predicted), weights=self.rows))

    @property
    def log_loss(self) -> float:
        """(4); a probability of 0 for what happened counts as 2⁻⁵²."""
        right = np.where(self.outcome, self.probability, 1.0 - self.probability)
        return float(-np.log(np.maximum(right, np.finfo(float).eps)).mean())

    # ---- the Brier score in parts ------------------------------------------------------------------------------------

    @property
    def reliability(self) -> float:
        """(6): how far probabilities and shares are apart; 0 for calibrated ones."""
        return float(np.average((self.predicted - self.observed) ** 2, weights=self.rows))

    @property
    def resolution(self) -> float:
        """(6): how far the shares of the bins are from that of all rows; 0 for probabilities that know nothing."""
        return float(np.average((self.observed - self.outcome.mean()) ** 2, weights=self.rows))

    @property
    def uncertainty(self) -> float:
        """(6): the Brier score of the share of positives as the probability of every row."""
        share = float(self.outcome.mean())
        return share * (1.0 - share)

    @property
    def brier_of_bins(self) -> float:
        """(5): of the mean probability of its bin as the probability of every row."""
        spread = self.observed * (1.0 - self.observed)
        return float(np.average((self.predicted - self.observed) ** 2 + spread, weights=self.rows))

    # ---- what chance does --------------------------------------------------------------------------------------------

    @property
    def consistency(self) -> Array:
        """(8): low and high ends, a row for each bin."""
        levels = (0.5 - LEVEL / 2, 0.5 + LEVEL / 2)
        return np.column_stack([binom.ppf(level, self.rows, self.expected) / self.rows for level in levels])

    @property
    def error_by_chance(self) -> float:
        """(9): what (2) is on average for calibrated probabilities."""
        v = np.floor(self.rows * self.expected) + 1.0
        return float((2.0 * v * (1.0 - self.expected) * binom.pmf(v, self.rows, self.expected)).sum() / self.rows.sum())

    @property
    def p_value_of_error(self) -> float:
        """(10), with the same random numbers each time."""
        drawn = uniforms(0, 0, TABLES * len(self.rows)).reshape(TABLES, -1)
        shares = binom.ppf(drawn, self.rows, self.expected) / self.rows
        errors = np.abs(shares - self.expected) @ (self.rows / self.rows.sum())
        return float((1 + (errors >= self.expected_error - TINY).sum()) / (1 + TABLES))

    @property
    def expected(self) -> Array:
        """p_b, which rounding may have lifted above 1."""
        return np.minimum(self.predicted, 1.0)

    # ---- a test ------------------------------------------------------------------------------------------------------

    @property
    def spiegelhalter_z(self) -> float:
        """(7); NaN where all probabilities are 0, ½ or 1, of which the test knows nothing."""
        p = self.probability
        deviation = float(np.sqrt(((1.0 - 2.0 * p) ** 2 * p * (1.0 - p)).sum()))
        return float(((self.outcome - p) * (1.0 - 2.0 * p)).sum() / deviation) if deviation > 0 else float("nan")

    @property
    def p_value(self) -> float:
        """How often calibrated probabilities have a |z| of (7) that is as large."""
        return float(2.0 * norm.sf(abs(self.spiegelhalter_z)))

    def frame(self) -> Any:
        """The bins as a pandas frame."""
        names = ("rows", "predicted", "observed", "low", "high")
        return frame({name: getattr(self, name) for name in names})

    def __str__(self) -> str:
        measures = f"expected calibration error {self.expected_error:.3g}, Brier score {self.brier:.3g}"
        parts = f"reliability {self.reliability:.3g} − resolution {self.resolution:.3g} + uncertainty {self.uncertainty:.3g}"
        z, p = self.spiegelhalter_z, self.p_value
        test = "not possible, all probabilities are 0, ½ or 1" if np.isnan(z) else f"z = {z:.3g}, p {rounded(p)}"
        return (
            f"{measures}, log loss {self.log_loss:.3g}; {len(self.probability)} rows in {len(self.rows)} bins.\n"
            f"Brier score of the bins {self.brier_of_bins:.3g} = {parts}.\nSpiegelhalter's test: {test}."
        )

    def plot(self, ax: Any = None, *, name: str | None = None) -> Picture:
        """The bins as a picture, a `CalibrationDisplay`. Needs matplotlib."""
        return display("CalibrationDisplay")(self).plot(ax, name=name)
