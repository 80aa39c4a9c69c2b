"""The logarithm of the likelihood of rows under a fitted model; likelihoods/ says which one for each kind of model."""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation.criteria.likelihoods.fitted import likelihood_of


def log_likelihood(model: Any, X: Any, y: Any = None) -> float:
    """ln L of some rows: Σ ln p(y | x) of a regression or a logistic regression, Σ ln p(x, y) of a generative classifier, Σ ln
    p(x) of a mixture or a distribution.

    The noise of a regression is normal, with the variance that these rows have around the prediction.

    Parameters
    ----------
    model : fitted model or distribution
    X, y : rows, and their targets unless it is a mixture or a distribution

    Examples
    --------
    >>> from aprendiz import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 4.0]
    >>> round(log_likelihood(LinearRegression().fit(X, y), X, y), 4)
    -0.4952
    """
    return likelihood_of(model, X, y).log_likelihood
