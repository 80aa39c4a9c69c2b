"""Linear models: least squares and ridge on wide and on long tables, a penalty chosen by cross-validation, and logistic
regression of two classes.

The ten folds of scikit-learn's RidgeCV are refits, one for each fold and penalty: it is called a single time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import log_softmax

from benchmarks.harness import Case
from benchmarks.peers import SKLEARN, Data, contenders, fixed
from benchmarks.quality import Answer, Objective


def noisy_plane(columns: int) -> Callable[[int], Data]:
    """Independent columns, and a linear function of them with noise."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        X = random.normal(size=(rows, columns))
        return X, X @ random.normal(size=columns) + 3.0 + random.normal(size=rows)

    return make


def two_classes(rows: int) -> Data:
    """scikit-learn's generator: ten columns that matter among thirty."""
    from sklearn.datasets import make_classification

    return make_classification(rows, 30, n_informative=10, random_state=0)


def coefficients(data: Data, model: Any) -> Any:
    return np.append(model.coef_, model.intercept_)


def logistic_objective(data: Data, model: Any) -> float:
    """scikit-learn's definition: the sum of the losses, and ‖w‖²/(2C)."""
    X, y = data
    t = X @ model.coef_.T + model.intercept_
    T = np.column_stack([np.zeros(len(t)), t]) if t.shape[1] == 1 else t
    losses = -log_softmax(T, axis=1)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return float(losses.sum() + (model.coef_**2).sum() / (2 * model.C))


def penalty_and_score(data: Data, model: Any) -> Any:
    """Both are of the order of 1 here."""
    return np.array([model.alpha_, model.best_score_])


PENALTIES = np.geomspace(1e-3, 1e6, 20)

COEFFICIENTS = Answer("coefficients", coefficients, 1e-8)
LOSS = Objective("objective", logistic_objective, 1e-6)
CHOICE = Answer("penalty and best score", penalty_and_score, 1e-9)

CASES = (
    Case(
        name="LinearRegression, 5 000 × 2 000",
        rows=5_000,
        least=2_500,
        make=noisy_plane(2_000),
        contenders=contenders("linear_model", "LinearRegression"),
        quality=COEFFICIENTS,
        flops=lambda rows: rows * 2_000 * 2_001,
    ),
    Case(
        name="LinearRegression, 50 000 × 30",
        rows=50_000,
        make=noisy_plane(30),
        contenders=contenders("linear_model", "LinearRegression"),
        quality=COEFFICIENTS,
        flops=lambda rows: rows * 30 * 31,
    ),
    Case(
        name="Ridge, 50 000 × 30",
        rows=50_000,
        make=noisy_plane(30),
        contenders=contenders("linear_model", "Ridge"),
        quality=COEFFICIENTS,
        flops=lambda rows: rows * 30 * 31,
    ),
    Case(
        name="Ridge, 500 × 5 000",
        rows=500,
        least=500,
        make=noisy_plane(5_000),
        contenders=contenders("linear_model", "Ridge"),
        quality=COEFFICIENTS,
        flops=lambda rows: rows * (rows + 1) * 5_000,
    ),
    Case(
        name="RidgeCV, leave-one-out, 20 penalties, 200 000 × 50",
        rows=200_000,
        make=noisy_plane(50),
        contenders=contenders("linear_model", "RidgeCV", fixed(alphas=PENALTIES)),
        quality=CHOICE,
    ),
    Case(
        name="RidgeCV, 10 folds, 20 penalties, 200 000 × 50",
        rows=200_000,
        make=noisy_plane(50),
        contenders=contenders("linear_model", "RidgeCV", fixed(alphas=PENALTIES, cv=10)),
        quality=CHOICE,
        flops=lambda rows: rows * 50 * 51,
        once=(SKLEARN,),
    ),
    Case(
        name="LogisticRegression, 50 000 × 30, two classes",
        rows=50_000,
        make=two_classes,
        contenders=contenders("linear_model", "LogisticRegression"),
        quality=LOSS,
    ),
)
