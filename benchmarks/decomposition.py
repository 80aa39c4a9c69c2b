"""Principal components: a symmetric product of n·d·(d + 1) operations, then eigenvectors of a d × d matrix.

All components are compared as they are. Some of them are compared on what they were chosen for, the squared error of the
rows projected on them: an approximate method leaves a little more than need be. Where scikit-learn has several solvers that
may be its best, each of them is a case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import soft_impute
from benchmarks.harness import Case
from benchmarks.peers import INTELEX, OURS, SKLEARN, Contender, Data, contenders, fixed
from benchmarks.quality import Answer, Objective


def correlated(columns: int) -> Callable[[int], Data]:
    """Mixtures of independent factors whose scales fall from 1 to 0.01."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        factors = np.geomspace(1, 0.01, columns)[:, None] * random.normal(size=(columns, columns))
        return (random.normal(size=(rows, columns)) @ factors + random.uniform(-5, 5, columns),)

    return make


def factors(columns: int) -> Callable[[int], Data]:
    """Thirty factors whose scales fall from 3 to 0.5, and noise in every cell."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        loadings = np.geomspace(3, 0.5, 30)[:, None] * random.normal(size=(30, columns))
        return (random.normal(size=(rows, 30)) @ loadings + random.normal(size=(rows, columns)),)

    return make


def beside(solver: str, components: int | None) -> dict[str, Contender]:
    """The others with one of their solvers; ours chooses its route. scikit-learn-intelex has none of its own for a few
    components of wide tables, it hands them to scikit-learn; all components by "full" it finds itself."""
    settings = {"n_components": components, "random_state": 0}
    who = (SKLEARN, INTELEX) if solver == "full" else (SKLEARN,)
    ours = {OURS: Contender(OURS, "aprendiz.decomposition", "PCA", fixed(**settings))}
    return ours | contenders("decomposition", "PCA", fixed(**settings, svd_solver=solver), who=who) | ours


def rebuilt_covariance(data: Data, model: Any) -> Any:
    """Σ λ v vᵀ of the kept components: the same for either sign of v."""
    V = model.components_
    return (V.T * model.explained_variance_) @ V


def error_left(data: Data, model: Any) -> float:
    """‖Z − Z V Vᵀ‖² of the centred rows."""
    Z, V = data[0] - data[0].mean(axis=0), model.components_
    return float(((Z - (Z @ V.T) @ V) ** 2).sum())


SQUARED_ERROR = Objective("squared error", error_left, 1e-8)
REBUILT = Answer("covariance rebuilt", rebuilt_covariance, 1e-8)

CASES = (
    Case(
        name="PCA, 50 000 × 30, all components",
        rows=50_000,
        make=correlated(30),
        contenders=contenders("decomposition", "PCA"),
        quality=REBUILT,
        flops=lambda rows: rows * 30 * 31,
    ),
    Case(
        name="PCA, 20 000 × 500, 20 components",
        rows=20_000,
        make=correlated(500),
        contenders=contenders("decomposition", "PCA", lambda data, seed: {"n_components": 20, "random_state": seed}),
        quality=SQUARED_ERROR,
        flops=lambda rows: rows * 500 * 501,
    ),
    *(
        Case(
            f"PCA, {rows // 1000} 000 × {columns // 1000} 000, 20 components, beside {solver}",
            rows,
            factors(columns),
            beside(solver, 20),
            SQUARED_ERROR,
            grows=False,
        )
        for rows, columns in ((2_000, 20_000), (6_000, 5_000))
        for solver in ("randomized", "arpack")
    ),
    Case(
        "PCA, 2 000 × 20 000, all components",
        2_000,
        factors(20_000),
        beside("full", None),
        Answer("variances", lambda data, model: model.explained_variance_[:-1], 1e-9),
        once=(SKLEARN, INTELEX),
        grows=False,
    ),
    Case(
        "IncrementalPCA, 50 000 × 100, 10 components",
        50_000,
        correlated(100),
        contenders("decomposition", "IncrementalPCA", fixed(n_components=10)),
        Objective("squared error", error_left, 0.01),
    ),
    *soft_impute.CASES,
)
