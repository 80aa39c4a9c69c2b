"""Small tables: 150 rows, where the time is that of checking, calling and handing over, not of the arithmetic."""

from __future__ import annotations

import numpy as np

from benchmarks.cluster import cost
from benchmarks.decomposition import REBUILT
from benchmarks.harness import Case
from benchmarks.linear import COEFFICIENTS, LOSS
from benchmarks.peers import Data, contenders
from benchmarks.quality import Answer, Objective

ROWS = 150


def iris(rows: int) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


def features(rows: int) -> Data:
    return (iris(rows)[0],)


def width_of_petals(rows: int) -> Data:
    """The last column from the others."""
    X, _ = iris(rows)
    return X[:, :3].copy(), X[:, 3].copy()


SCALER = Case(
    name="StandardScaler, iris",
    rows=ROWS,
    make=features,
    contenders=contenders("preprocessing", "StandardScaler"),
    quality=Answer("mean and scale", lambda data, model: np.concatenate([model.mean_, model.scale_]), 1e-9),
    grows=False,
)
COMPONENTS = Case(
    name="PCA, iris",
    rows=ROWS,
    make=features,
    contenders=contenders("decomposition", "PCA"),
    quality=REBUILT,
    grows=False,
)
PLANE = Case(
    name="LinearRegression, iris (petal width)",
    rows=ROWS,
    make=width_of_petals,
    contenders=contenders("linear_model", "LinearRegression"),
    quality=COEFFICIENTS,
    grows=False,
)
SPECIES = Case(
    name="LogisticRegression, iris (three species)",
    rows=ROWS,
    make=iris,
    contenders=contenders("linear_model", "LogisticRegression"),
    quality=LOSS,
    grows=False,
)
CLUSTERS = Case(
    name="KMeans, iris, k = 3, mean of 5 seeds",
    rows=ROWS,
    make=features,
    contenders=contenders("cluster", "KMeans", lambda data, seed: {"n_clusters": 3, "random_state": seed}),
    quality=Objective("mean cost", cost, 1e-3),
    seeds=tuple(range(5)),
    grows=False,
)

CASES = (SCALER, COMPONENTS, PLANE, SPECIES, CLUSTERS)
