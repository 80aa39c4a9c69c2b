"""Principal components: a symmetric product of n·d·(d + 1) operations, then eigenvectors of a d × d matrix.

All components are compared as they are. Some of them are compared on what they were chosen for, the squared error of the
rows projected on them: an approximate method leaves a little more than need be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import Data, contenders
from benchmarks.quality import Answer, Objective


def correlated(columns: int) -> Callable[[int], Data]:
    """Mixtures of independent factors whose scales fall from 1 to 0.01."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        factors = np.geomspace(1, 0.01, columns)[:, None] * random.normal(size=(columns, columns))
        return (random.normal(size=(rows, columns)) @ factors + random.uniform(-5, 5, columns),)

    return make


def rebuilt_covariance(data: Data, model: Any) -> Any:
    """Σ λ v vᵀ of the kept components: the same for either sign of v."""
    V = model.components_
    return (V.T * model.explained_variance_) @ V


def error_left(data: Data, model: Any) -> float:
    """‖Z − Z V Vᵀ‖² of the centred rows."""
    Z, V = data[0] - data[0].mean(axis=0), model.components_
    return float(((Z - (Z @ V.T) @ V) ** 2).sum())


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
        quality=Objective("squared error", error_left, 1e-8),
        flops=lambda rows: rows * 500 * 501,
    ),
)
