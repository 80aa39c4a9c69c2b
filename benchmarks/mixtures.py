"""Gaussian mixtures: from the same start, where all must do the same passes.

Ten Gaussians in 16 dimensions, each kind of covariance; compared is −ℓ/n at the end, computed the same way for everybody.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import Data, contenders
from benchmarks.quality import Objective

COMPONENTS, COLUMNS, PASSES = 10, 16, 20
KINDS = ("full", "tied", "diag", "spherical")


def clouds(rows: int) -> Data:
    """Overlapping clouds, stretched alike."""
    rng = np.random.default_rng(0)
    stretch = np.eye(COLUMNS) + 0.3 * rng.normal(size=(COLUMNS, COLUMNS))
    means = 2.0 * rng.normal(size=(COMPONENTS, COLUMNS))
    return (means[rng.integers(0, COMPONENTS, rows)] + rng.normal(size=(rows, COLUMNS)) @ stretch,)


def precisions(kind: str) -> Any:
    """The inverse of the unit covariance in the shape of its kind."""
    one = np.eye(COLUMNS)
    shapes = {"full": np.stack([one] * COMPONENTS), "tied": one, "diag": np.ones((COMPONENTS, COLUMNS))}
    return np.ones(COMPONENTS) if kind == "spherical" else shapes[kind]


def same_start(kind: str) -> Any:
    """The first rows as means; so many passes, whatever the gain."""

    def settings(data: Data, seed: int) -> dict[str, Any]:
        start = {"weights_init": np.full(COMPONENTS, 1 / COMPONENTS), "means_init": data[0][:COMPONENTS]}
        limits = {"max_iter": PASSES, "tol": 0.0, "init_params": "random_from_data", "random_state": seed}
        return {"n_components": COMPONENTS, "covariance_type": kind, "precisions_init": precisions(kind), **start, **limits}

    return settings


def surprise(data: Data, model: Any) -> float:
    """−ℓ/n by the densities of scikit-learn's, from the fitted parameters alone."""
    from sklearn.mixture import GaussianMixture

    judge = GaussianMixture(len(model.weights_), covariance_type=model.covariance_type)
    for name in ("weights_", "means_", "covariances_", "precisions_cholesky_"):
        setattr(judge, name, getattr(model, name))
    judge.n_features_in_ = COLUMNS
    return -float(judge.score(data[0]))


CASES = tuple(
    Case(
        name=f"GaussianMixture, 50 000 × 16, 10 components, {kind}, same start",
        rows=50_000,
        make=clouds,
        contenders=contenders("mixture", "GaussianMixture", same_start(kind)),
        quality=Objective("surprise", surprise, 1e-9),
        passes=lambda model: model.n_iter_,
    )
    for kind in KINDS
)
