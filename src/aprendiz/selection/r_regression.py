"""Linear correlation of each column with a target of numbers.

    r = S_xy / √(S_xx S_yy)                                                                                   (1)

scores/covariation.py has what the letters mean.

Cost: one pass, O(n·d).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.selection.scores.covariation import covariation
from aprendiz.selection.shared.opened_columns import in_range, opened_columns


def r_regression(X: Any, y: Any = None, *, center: bool = True, force_finite: bool = True, sample_weight: Any = None) -> Array:
    """r of each column (drop-in for scikit-learn's; missing cells are left out column by column).

    Parameters
    ----------
    X : table of numbers, sparse matrix, or opened rows
    y : array of shape (n_samples,)
        Numbers. Opened rows bring their own.
    center : bool, default=True
        Whether deviations are taken from the means, or from zero.
    force_finite : bool, default=True
        Whether r of a constant column, or target, is 0 rather than NaN.
    sample_weight : array of shape (n_samples,), optional
        How many rows each row stands for.

    Returns
    -------
    ndarray of shape (n_features,)

    Examples
    --------
    >>> r_regression([[1, 3], [2, 1], [3, 2]], [2, 4, 6])
    array([ 1. , -0.5])
    """
    rows = opened_columns("r_regression", X, y, sample_weight, "numbers")
    sums = in_range(covariation(rows), rows)
    r = sums.correlation if center else sums.cosine
    return np.where(np.isnan(r), 0.0, r) if force_finite else r
