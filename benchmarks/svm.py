"""Support vector machines with a Gaussian kernel: all pairs of rows may matter, and each library decides which are computed.

Judged by the dual objective, at the usual tolerance of 10⁻³ of all three libraries; several classes by the values of the pairs
of classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import SKLEARN, Data, contenders, fixed
from benchmarks.quality import Answer, Objective


def clouds(columns: int) -> Callable[[int], Data]:
    """Two classes of four clouds each, in ten of the columns; a twentieth of the labels are wrong."""

    def make(rows: int) -> Data:
        from sklearn.datasets import make_classification

        shape = {"n_informative": 10, "n_redundant": 5, "n_clusters_per_class": 4, "flip_y": 0.05}
        return make_classification(rows, columns, random_state=0, **shape)

    return make


def digits(rows: int) -> Data:
    """Ten classes in 64 columns: a cloud for each, that overlaps with the others."""
    random = np.random.default_rng(0)
    y = random.integers(0, 10, rows)
    return random.normal(size=(rows, 64)) + 0.6 * random.normal(size=(10, 64))[y], y


def handwritten(rows: int) -> Data:
    """Small images of digits, as many as there are: 45 problems of a few hundred rows."""
    from sklearn.datasets import load_digits

    return load_digits(return_X_y=True)


def waves(rows: int) -> Data:
    """Twenty columns, and a target that bends in two of them."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 20))
    return X, np.sin(X[:, 0]) + X[:, 1] ** 2 + 0.3 * random.normal(size=rows)


def dual_objective(epsilon: float) -> Callable[[Data, Any], float]:
    """½βᵀKβ − yᵀβ + ε‖β‖₁ above a constant, from the coefficients of the support vectors."""

    def function(data: Data, model: Any) -> float:
        from sklearn.metrics.pairwise import rbf_kernel

        X, y = data
        beta, support = np.ravel(model.dual_coef_), np.asarray(model.support_)
        target = y[support] if epsilon else np.sign(beta)
        gamma = 1.0 / (X.shape[1] * X.var())
        norm2 = sum(
            float(part @ (rbf_kernel(X[rows], X[support], gamma) @ beta))
            for part, rows in zip(np.array_split(beta, 20), np.array_split(support, 20), strict=True)
        )
        return 0.5 * norm2 - float(target @ beta) + epsilon * float(np.abs(beta).sum())

    return function


def pair_values(data: Data, model: Any) -> Any:
    model.decision_function_shape = "ovo"
    return model.decision_function(data[0][:500])


CLASSES = Objective("dual objective", dual_objective(0.0), 1e-4)
NUMBERS = Objective("dual objective", dual_objective(0.1), 1e-4)
VALUES = Answer("values", lambda data, values: values, 1e-2)


def machine(name: str, rows: int, columns: int, **settings: Any) -> Case:
    quality = NUMBERS if name == "SVR" else CLASSES
    told = ", ".join(f"{key} = {value:g}" for key, value in settings.items())
    return Case(
        name=f"{name}, {told or 'C = 1'}, {rows // 1000} 000 × {columns}",
        rows=rows,
        make=waves if name == "SVR" else clouds(columns),
        contenders=contenders("svm", name, fixed(**settings)),
        quality=quality,
        grows=rows <= 10_000 and not settings,
        once=(SKLEARN,) if rows > 20_000 else (),
    )


CASES = (
    machine("SVC", 2_000, 30),
    machine("SVC", 10_000, 30),
    machine("SVC", 10_000, 30, C=100.0),
    machine("SVC", 50_000, 30),
    Case(
        name="SVC, 10 classes, 1 797 × 64 (digits)",
        rows=1_797,
        make=handwritten,
        contenders=contenders("svm", "SVC"),
        quality=Answer("values of the pairs", pair_values, 1e-2),
        grows=False,
    ),
    Case(
        name="SVC, 10 classes, 20 000 × 64",
        rows=20_000,
        make=digits,
        contenders=contenders("svm", "SVC"),
        quality=Answer("values of the pairs", pair_values, 1e-2),
        grows=False,
        once=(SKLEARN,),
    ),
    machine("SVR", 10_000, 20),
    Case(
        name="SVC, decision_function, 10 000 × 30",
        rows=10_000,
        make=clouds(30),
        contenders=contenders("svm", "SVC", method="decision_function"),
        quality=VALUES,
        grows=False,
    ),
)
