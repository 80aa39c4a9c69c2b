"""p(y | x): regressions with normal noise, and logistic regression.

    ln L = −n/2·(ln 2π + ln(RSS/n) + 1)          σ² = RSS/n is counted as a parameter, as R does                 (1)
    ln L = Σ ln P(y_i | x_i)                                                                                    (2)

Parameters of least squares are the rank of the columns, the intercept and σ. A penalty takes some of the freedom away. With the
columns that are not left out centred (where there is an intercept) and s_j their singular values,

    df = Σ_j s_j²/(s_j² + λ)                                                                                    (3)

is λ = α for ridge, 0 for lasso (the number of columns in the model), nα(1 − l1_ratio) for the elastic net. λ itself, chosen by
folds or by hand, is not counted. Logistic regression of K classes has K − 1 functions; of a penalised one all coefficients that
are not 0 are counted.

References: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., section 3.4.1, for (3) of ridge;
Zou, Hastie & Tibshirani, "On the degrees of freedom of the lasso", Annals of Statistics 35, 2007."""

from __future__ import annotations

from math import log, pi
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.criteria.likelihoods.labels import label_codes
from aprendiz.evaluation.criteria.likelihoods.likelihood import Likelihood
from aprendiz.evaluation.inputs.labels_and_numbers import measurements, same_rows

LEAST_SQUARES = ("LinearRegression",)
RIDGE = ("Ridge", "RidgeCV")
SPARSE = ("Lasso", "LassoCV", "ElasticNet", "ElasticNetCV")
LOGISTIC = ("LogisticRegression", "LogisticRegressionCV")
NOTHING = 1e-10  # singular values below this part of the largest are none


def of_regression(model: Any, X: Any, y: Any) -> Likelihood:
    """(1)."""
    target, prediction = measurements("y", y), np.asarray(model.predict(X), dtype=np.float64)
    if target.ndim != 1 or prediction.ndim != 1:
        raise ValueError(f"{type(model).__name__} has several targets: fit and judge one model for each of them.")
    same_rows("y", target, "X", prediction)
    n = len(target)
    squares = float(((target - prediction) ** 2).sum())
    spread = log(2.0 * pi * squares / n) + 1.0 if squares > 0 else -np.inf
    name = type(model).__name__
    note = "" if name in LEAST_SQUARES and not getattr(model, "positive", False) else "effective"
    return Likelihood(-0.5 * n * spread, n, regression_parameters(model, X), ("number",), note)


def regression_parameters(model: Any, X: Any) -> float:
    """The freedom of the coefficients, the intercept, and σ."""
    constant = 1 + bool(model.fit_intercept)
    if type(model).__name__ in LEAST_SQUARES and not getattr(model, "positive", False):
        return int(model.rank_) + constant
    if X is None:
        raise ValueError(f"The degrees of freedom of {type(model).__name__} depend on the rows of its fit: give X.")
    return degrees_of_freedom(model, dense(X)) + constant


def degrees_of_freedom(model: Any, X: Array) -> float:
    """(3)."""
    name, alpha = type(model).__name__, float(np.max(getattr(model, "alpha_", getattr(model, "alpha", 0.0))))
    kept = X if name in RIDGE else X[:, np.ravel(model.coef_) != 0]
    penalty = alpha if name in RIDGE else len(X) * alpha * (1.0 - l1_ratio(model)) if name in SPARSE else 0.0
    Z = kept - kept.mean(axis=0) if model.fit_intercept else kept
    squares = np.linalg.svd(Z, compute_uv=False) ** 2
    squares = squares[squares > NOTHING**2 * squares.max(initial=0.0)]
    return float((squares / (squares + penalty)).sum())


def l1_ratio(model: Any) -> float:
    """The part of the penalty that is the sum of absolute values."""
    return 1.0 if type(model).__name__.startswith("Lasso") else float(getattr(model, "l1_ratio_", model.l1_ratio))


def dense(X: Any) -> Array:
    """A table as an array of numbers."""
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)


def of_logistic(model: Any, X: Any, y: Any) -> Likelihood:
    """(2)."""
    logs = np.asarray(model.predict_log_proba(X))
    codes = label_codes(model, y, len(logs))
    value = float(logs[np.arange(len(logs)), codes].sum())
    return Likelihood(value, len(logs), logistic_parameters(model), ("class",), "penalised" if is_penalised(model) else "")


def is_penalised(model: Any) -> bool:
    """Whether large coefficients cost."""
    strength = getattr(model, "C_", None)
    return getattr(model, "penalty", "") is not None and bool(np.isfinite(model.C if strength is None else strength).any())


def logistic_parameters(model: Any) -> int:
    """The coefficients that are not 0 and the intercepts, of one function less than there are classes."""
    coef = np.atleast_2d(model.coef_)
    functions = max(1, len(model.classes_) - 1)
    free = min(int(np.count_nonzero(coef)), functions * coef.shape[1])
    return free + functions * bool(model.fit_intercept)
