"""The rank of the conformal quantile, and what it guarantees.

Let t₁, …, t_n be the scores of n calibration rows, and t that of a new row, all exchangeable. Each rank of t among the n + 1 is
equally probable, so that for

    k = ⌈(n + 1)·c⌉                                                                                          (1)

t is at most the k-th smallest t_i with a probability

    P = k/(n + 1),   c ≤ P < c + 1/(n + 1)                                                                   (2)

if no two scores are equal, and with at least that probability if some are. Where k = n + 1 no calibration row will do: the
interval is the whole line, which needs n < c/(1 − c) rows.

A coverage is meant as it is written: 0.07 is 7/100, while the nearest double, times 100, is above 7.

With the models of K folds (CV+) the scores of a new row are K, one for each model, and less is guaranteed, whatever the models
are: each fold gives a p-value, and the weighted mean of p-values, doubled, is one. With folds of one size, n/K rows, also (4):

    P ≥ 1 − 2α − 2(1 − α)(K − 1)/(n + K),   α = 1 − c                                                        (3)
    P ≥ 1 − 2α − (1 − K/n)/(K + 1)                                                                           (4)

References: Vovk, Gammerman & Shafer, "Algorithmic learning in a random world", 2005; Lei et al., "Distribution-free predictive
inference for regression", JASA 113, 2018; Barber et al., "Predictive inference with the jackknife+", Annals of Statistics 49,
2021 (4); Vovk & Wang, "Combining p-values via averaging", Biometrika 107, 2020 (3).
"""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole, number


def exact(coverage: Any) -> Fraction:
    """A coverage as it is written in decimal digits; refused unless it lies between 0 and 1."""
    if isinstance(coverage, bool) or not isinstance(coverage, Real) or not 0 < float(coverage) < 1:
        raise ValueError(_("coverage = {value} must be a number between 0 and 1, such as 0.9.").format(value=repr(coverage)))
    return Fraction(repr(float(coverage)))


def rank(coverage: Any, rows: int) -> int:
    """k of (1)."""
    return math.ceil((rows + 1) * exact(coverage))


def fewest_rows(coverage: Any) -> int:
    """The number of calibration rows from which k ≤ n."""
    wanted = exact(coverage)
    return math.ceil(wanted / (1 - wanted))


def warn_of_few(coverage: Any, rows: int, what: str) -> None:
    """A warning if the calibration rows are too few for a coverage."""
    if rank(coverage, rows) > rows:
        warnings.warn(
            _(
                "{rows} calibration rows are too few for a coverage of {coverage}: {what}. "
                "Calibrate with at least {fewest} rows, or ask for less."
            ).format(
                rows=format_whole(rows), coverage=number(float(coverage)), what=what, fewest=format_whole(fewest_rows(coverage))
            ),
            stacklevel=4,
        )


def smallest(scores: Array, k: int) -> Any:
    """The k-th smallest score; infinite beyond the last."""
    return np.partition(scores, k - 1)[k - 1] if k <= len(scores) else np.inf


def guarantee(method: str, coverage: Any, sizes: list[int]) -> float:
    """The probability that is proved for exchangeable rows: (2), the better of (3) and (4), or 0. `sizes`: the calibration rows
    of each model."""
    n, folds = sum(sizes), len(sizes)
    if method == "split":
        return rank(coverage, n) / (n + 1)
    if method == "base":
        return 0.0
    alpha = float(1 - exact(coverage))
    loss = 2 * (1 - alpha) * (folds - 1) / (n + folds)
    if len(set(sizes)) == 1:
        loss = min(loss, (1 - folds / n) / (folds + 1))
    return max(0.0, 1 - 2 * alpha - loss)
