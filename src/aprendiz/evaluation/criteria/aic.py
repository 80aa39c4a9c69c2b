"""Akaike's criterion: −2·ln L + 2k, an estimate of how well the model would predict other rows; the smallest is best.

Reference: Akaike, "A new look at the statistical model identification", IEEE Transactions on Automatic Control 19, 1974.
"""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation.criteria.likelihoods.fitted import fit_of
from aprendiz.evaluation.criteria.likelihoods.penalties import aic_of


def aic(model: Any, X: Any, y: Any = None) -> float:
    """−2·ln L + 2k of a fitted model and the rows of its fit.

    Examples
    --------
    >>> from aprendiz import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 4.0]
    >>> round(aic(LinearRegression().fit(X, y), X, y), 4)
    6.9904
    """
    return aic_of(fit_of(model, X, y))
