"""DeLong's standard error of the area under a ROC curve, from one sort.

The area is the share of pairs of a positive and a negative row in which the positive has the higher score, ties
counting half (Mann and Whitney). With b_i the share of the negatives below positive i and a_j the share of the
positives above negative j,

    A = mean of b = mean of a                                                                                      (1)
    Var A ≈ Σ (b_i − A)² / (m(m − 1)) + Σ (a_j − A)² / (n(n − 1))           m positives, n negatives               (2)

Rows with the same score have the same b and a, so both are sums over the distinct scores. Weights count rows: m and n
are then sums of weights, and a row of weight 2 is the row twice.

    interval: logit A ± z·√Var / (A(1 − A)), turned back                                                           (3)

Cost: O(1) for each distinct score, after the sort of the curve.
References: DeLong, DeLong & Clarke-Pearson, Biometrics 44, 1988; Sun & Xu, IEEE Signal Processing Letters 21, 2014
(without pairs); Pepe, The Statistical Evaluation of Medical Tests, 2003, section 5.2 (interval).
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit, ndtri

from aprendiz.core.rows import Array


def area_and_error(positives: Array, negatives: Array) -> tuple[float, float]:
    """A and its standard error, from the rows of either class at each distinct score, in falling order."""
    m, n = positives.sum(), negatives.sum()
    below = (n - np.cumsum(negatives) + negatives / 2) / n
    above = (np.cumsum(positives) - positives / 2) / m
    area = float(positives @ below / m)
    return area, float(np.sqrt(mean_variance(below, positives, area) + mean_variance(above, negatives, area)))


def mean_variance(values: Array, weight: Array, mean: float) -> float:
    """One half of (2); NaN from a single row, which has no spread."""
    rows = weight.sum()
    if rows <= 1:
        return float("nan")
    return float(weight @ (values - mean) ** 2 / (rows * (rows - 1)))


def interval(area: float, error: float, confidence: float) -> tuple[float, float]:
    """(3). NaN where the variance is 0 or unknown: classes that the score separates fully show no spread to judge by."""
    if not error > 0:
        return float("nan"), float("nan")
    half = ndtri(0.5 + confidence / 2) * error / (area * (1 - area))
    return float(expit(logit(area) - half)), float(expit(logit(area) + half))
