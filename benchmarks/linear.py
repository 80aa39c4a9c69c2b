"""Linear models: least squares and ridge on wide and on long tables, a penalty chosen by cross-validation, and planes that are
moved row by row. The cases of the family that are in files of their own: sparse_linear.py, logistic.py.

The ten folds of scikit-learn's RidgeCV are refits, one for each fold and penalty: it is called a single time.

Perceptron and stochastic gradients make five epochs in an order of each one's own: what they have reached then is compared
on the mean over seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks import logistic, sparse_linear
from benchmarks.harness import Case
from benchmarks.logistic import LOSS as LOSS
from benchmarks.logistic import sparse_classes, two_classes
from benchmarks.peers import SKLEARN, Data, Settings, contenders, fixed
from benchmarks.quality import Answer, Objective

Maker = Callable[[int], Data]
SEEDS = 10


def noisy_plane(columns: int) -> Callable[[int], Data]:
    """Independent columns, and a linear function of them with noise."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        X = random.normal(size=(rows, columns))
        return X, X @ random.normal(size=columns) + 3.0 + random.normal(size=rows)

    return make


def sparse_plane(rows: int) -> Data:
    """The sparse table of two classes, and a linear function of its columns with noise."""
    X, _ = sparse_classes(rows)
    random = np.random.default_rng(1)
    return X, X @ random.normal(size=X.shape[1]) + random.normal(size=rows)


def coefficients(data: Data, model: Any) -> Any:
    return np.append(model.coef_, model.intercept_)


def penalty_and_score(data: Data, model: Any) -> Any:
    """Both are of the order of 1 here."""
    return np.array([model.alpha_, model.best_score_])


def penalised(loss: Callable[[Any, Any], Any]) -> Objective:
    """The mean loss of y and the score t, and α‖w‖²/2 with the usual α."""

    def function(data: Data, model: Any) -> float:
        X, y = data
        t = X @ np.ravel(model.coef_) + model.intercept_
        return float(loss(y, t).mean() + 1e-4 * (model.coef_**2).sum() / 2)

    return Objective("mean objective", function, 1e-2)


def errors(data: Data, model: Any) -> float:
    """One, and the share of rows on the wrong side: the share may be zero, and its excess relative to that says nothing."""
    X, y = data
    return 1.0 + float(np.mean((X @ model.coef_[0] + model.intercept_ >= 0) != y))


PENALTIES = np.geomspace(1e-3, 1e6, 20)

COEFFICIENTS = Answer("coefficients", coefficients, 1e-8)
CHOICE = Answer("penalty and best score", penalty_and_score, 1e-9)
HINGE = penalised(lambda y, t: np.maximum(0.0, 1.0 - (2 * y - 1) * t))
LOG_LOSS = penalised(lambda y, t: np.logaddexp(0.0, -(2 * y - 1) * t))
SQUARES = penalised(lambda y, t: (y - t) ** 2 / 2)
MISTAKES = Objective("mean share of errors", errors, 5e-3)

PLANES = (
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
)


def epochs(name: str, learner: str, quality: Objective, long: Maker, thin: Maker, **settings: Any) -> tuple[Case, ...]:
    """Five epochs over a long table and over a sparse one."""
    tables = {"50 000 × 30": (50_000, long), "20 000 × 50 000, 0.2 % filled": (20_000, thin)}
    return tuple(
        Case(
            name=f"{name}, 5 epochs, {table}, mean of {SEEDS} seeds",
            rows=rows,
            make=make,
            contenders=contenders("linear_model", learner, visiting(settings)),
            quality=quality,
            seeds=tuple(range(SEEDS)),
            grows=False,
        )
        for table, (rows, make) in tables.items()
    )


def visiting(settings: Mapping[str, Any]) -> Settings:
    """As many epochs, whatever they reach, in the order of the seed."""
    return lambda data, seed: {"max_iter": 5, "tol": None, "random_state": seed, **settings}


EPOCHS = (
    *epochs("Perceptron", "Perceptron", MISTAKES, two_classes, sparse_classes),
    *epochs("SGDClassifier, hinge", "SGDClassifier", HINGE, two_classes, sparse_classes, loss="hinge"),
    *epochs("SGDClassifier, log_loss", "SGDClassifier", LOG_LOSS, two_classes, sparse_classes, loss="log_loss"),
    *epochs("SGDRegressor", "SGDRegressor", SQUARES, noisy_plane(30), sparse_plane),
)

CASES = (*PLANES, *sparse_linear.CASES, *logistic.CASES, *EPOCHS)
