"""Nearest neighbours on ever more rows: the error that the rule of k neighbours tends to.

Given x, the k nearest rows then have independent labels, each of class 2 with probability η(x) (of class k with p(k | x)):

    k = 1          L_NN = E[1 − Σ_k p(k | X)²],     two classes: E[2η(1 − η)]                                (1)
    two classes    L_kNN = E[η·P(B < k/2) + (1 − η)·P(B > k/2) + ½·P(B = k/2)],   B ~ Binomial(k, η(X))      (2)

ties being broken by chance. An even k does what k − 1 does, and

    L* ≤ … ≤ L_5NN ≤ L_3NN ≤ L_NN ≤ L*·(2 − K/(K − 1)·L*)                                                    (3)

for two classes 2L*(1 − L*): nearest neighbours err at most twice as often as the best rule. Read backwards, (3) bounds the
Bayes error by an error that can be measured.

Reference: Cover & Hart, "Nearest neighbor pattern classification", IEEE Trans. Information Theory 13, 1967.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from scipy.stats import binom

from aprendiz.bayes.decision.joint_densities import JointDensities, posterior_at
from aprendiz.bayes.decision.probabilities import number_within
from aprendiz.bayes.decision.values_of_classes import as_values, is_table
from aprendiz.core.rows import Array


def knn_error(model: Any, k: int = 1, *, priors: Any = None, x: Any = None, support: Any = None) -> float:
    """The error that k nearest neighbours tend to; `model`, `priors`, `x` and `support` on a line are those of `bayes_error`.

    Examples
    --------
    >>> from scipy.stats import uniform
    >>> round(knn_error(lambda x: x / (x + 1), 3, x=uniform(0, 4)), 6)
    0.373026
    """
    if not isinstance(k, Integral) or k < 1:
        raise ValueError(f"k must be a whole number of neighbours, at least 1, got {k!r}.")
    if isinstance(model, Sequence):
        return JointDensities.of(model, priors, support).mean(lambda P: error_at(P, int(k)))
    if not callable(model) or x is None:
        raise TypeError(
            f"model must be a sequence of densities, or a function of posteriors with x, got {model!r} and x={x!r}."
        )
    if is_table(x):
        return float(error_at(posterior_at(model, as_values(x)).T, int(k)).mean())
    return JointDensities.of_posterior(model, x, support).mean(lambda P: error_at(P, int(k)))


def error_at(P: Array, k: int) -> Array:
    """(1) or (2) without the mean, from posteriors K × m."""
    if k == 1:  # 1 − Σ p² = 2 Σ_{k<l} p_k p_l, small numbers as small numbers
        return np.asarray(2.0 * (P[1:] * np.cumsum(P[:-1], axis=0)).sum(axis=0))
    if len(P) > 2:
        raise ValueError(f"There are {len(P)} classes: (2) knows two, use k = 1.")
    eta, half = P.min(axis=0), k // 2  # (2) is the same for η and 1 − η
    tied = binom.pmf(half, k, eta) if k % 2 == 0 else 0.0
    above = binom.sf(half, k, eta)
    return np.asarray(eta * (1.0 - above - tied) + (1.0 - eta) * above + tied / 2)


def neighbour_bounds(bayes: float, classes: int = 2) -> tuple[float, float]:
    """(3): the least and the greatest L_NN for a Bayes error."""
    most = greatest(classes)
    L = number_within("bayes", bayes, 0.0, most)
    return L, L * (2.0 - L / most)


def bayes_bounds(neighbour: float, classes: int = 2) -> tuple[float, float]:
    """(3) read backwards: the least and the greatest Bayes error for an L_NN."""
    most = greatest(classes)
    L = number_within("neighbour", neighbour, 0.0, most)
    return L / (1.0 + float(np.sqrt(1.0 - L / most))), L


def greatest(classes: int) -> float:
    """The error of guessing among K classes."""
    if not isinstance(classes, Integral) or classes < 2:
        raise ValueError(f"classes must be a whole number of at least 2, got {classes!r}.")
    return 1.0 - 1.0 / int(classes)
