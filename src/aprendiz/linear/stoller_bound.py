"""The most that the best cut of a line, or of the best projection, can err: from means and covariances alone.

The formulas are in diagnostics/moment_bounds.py; `theoretical_cut` has the error itself where the classes are normal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.targets import refuse_bad_number
from aprendiz.linear.diagnostics.moment_bounds import one_column, several_columns


def stoller_bound(m0: Any, s0: Any, m1: Any, s1: Any) -> float:
    """The bound of the error of the best cut, whatever the distributions.

    Parameters
    ----------
    m0, m1 : float or array of shape (n_features,)
        The means of the classes.
    s0, s1 : float, array of shape (n_features,) or (n_features, n_features)
        Standard deviations of the columns, which are then uncorrelated, or covariance matrices.

    Returns
    -------
    float
        1/(1 + (m₀ − m₁)²/(s₀ + s₁)²), with several columns for the projection that makes it smallest.

    Examples
    --------
    >>> stoller_bound(0, 1, 2, 1)
    0.5
    >>> round(stoller_bound([0, 0], [[2, 0], [0, 1]], [0, 1], [[1, 0], [0, 1]]), 6)
    0.8
    """
    means = [np.asarray(mean, dtype=np.float64) for mean in (m0, m1)]
    for name, mean in zip(("m0", "m1"), means, strict=True):
        refuse_bad_number(name, mean)
    if means[0].shape != means[1].shape or means[0].ndim > 1:
        raise ValueError(
            f"m0 has shape {means[0].shape}, m1 {means[1].shape}: give a number, or a list of the same length, for each."
        )
    if means[0].ndim == 0 and np.ndim(s0) == np.ndim(s1) == 0:
        return float(one_column(float(means[0]), float(s0), float(means[1]), float(s1)))
    return several_columns(*(np.atleast_1d(one) if k % 2 == 0 else one for k, one in enumerate((means[0], s0, means[1], s1))))
