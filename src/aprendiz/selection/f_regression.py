"""Analysis of the regression of a target on each column alone.

    F = r² / (1 − r²)·(n − 2)                                                                                 (1)

with the correlation r; n − 1 in place of n − 2 around zero. scores/covariation.py has the rest.

Cost: one pass, O(n·d).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.selection.scores.covariation import analysis_of_regression, covariation
from aprendiz.selection.shared.opened_columns import in_range, opened_columns


def f_regression(
    X: Any, y: Any = None, *, center: bool = True, force_finite: bool = True, sample_weight: Any = None
) -> tuple[Array, Array]:
    """F of each column, and its p-value (drop-in for scikit-learn's; missing cells are left out column by column).

    Parameters
    ----------
    X : table of numbers, sparse matrix, or opened rows
    y : array of shape (n_samples,)
        Numbers. Opened rows bring their own.
    center : bool, default=True
        Whether deviations are taken from the means, or from zero.
    force_finite : bool, default=True
        Whether F of a constant column is 0 with p = 1 rather than NaN, and F of an exact line the largest double rather than ∞.
    sample_weight : array of shape (n_samples,), optional
        How many rows each row stands for.

    Returns
    -------
    F, p : ndarrays of shape (n_features,)

    Examples
    --------
    >>> F, p = f_regression([[1, 3], [2, 1], [3, 2], [4, 2]], [2.1, 3.9, 6, 8.2])
    >>> F.round(2), p.round(3)
    (array([9.9086e+02, 1.7000e-01]), array([0.001, 0.721]))
    """
    rows = opened_columns("f_regression", X, y, sample_weight, "numbers")
    sums = in_range(covariation(rows), rows)
    free = sums.weight - (2.0 if center else 1.0)
    F, p, _ = analysis_of_regression(sums.correlation if center else sums.cosine, free, sums.rounding)
    assert p is not None
    if force_finite:
        nothing = np.isnan(F)
        F = np.where(nothing, 0.0, np.minimum(F, np.finfo(np.float64).max))
        p = np.where(nothing, 1.0, p)
    return F, p
