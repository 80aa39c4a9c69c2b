"""Regression by the neighbours within a radius: the mean of the targets in a ball around the row.

    ŷ(x) = Σ_{i : d(x, x_i) ≤ r} ω_i·y_i / Σ_{i : d(x, x_i) ≤ r} ω_i                                          (1)

A row with an empty ball has no mean: NaN, with a warning that names it.

Cost: that of the search, and O(1) for each neighbour and target; the neighbours of a few hundred rows are in memory at a time.
Reference: Watson, "Smooth regression analysis", Sankhyā A 26, 1964.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.learner import Regressor
from aprendiz.core.parameters import Count, NonNegative, Positive
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.distance_objects import DistanceMetric
from aprendiz.neighbors.shared.kept_rows import BALL, DIFFERENCES, KEPT, SAME
from aprendiz.neighbors.shared.votes import target_means
from aprendiz.neighbors.shared.within_radius import WithinRadius


class RadiusNeighborsRegressor(Regressor, WithinRadius):
    """Regression by the neighbours within a radius (drop-in for scikit-learn's; exact, mixed tables by Gower's distance).

    Rows of files and of Dask are gathered into memory. Sparse tables stay so with the metrics "euclidean" and "cosine"; others
    make them dense. `predict(None)` predicts the training rows, each without itself.

    Parameters
    ----------
    radius : float, default=1.0
        r of (1). Can be changed after the fit.
    weights : {"uniform", "distance"}, callable or None, default="uniform"
        ω of (1): 1, or 1/d (rows that coincide with x alone count, if there are any), or a function of the distances of a row.
    algorithm, leaf_size, p, metric, metric_params, n_jobs
        See NearestNeighbors.

    Attributes
    ----------
    effective_metric_, effective_metric_params_ : str or callable, dict
        The metric, by its shortest name, and its parameters.
    n_samples_fit_ : int
        Number of training rows.
    search_ : Search
        The index; `search_.method` and `search_.reason` say what was chosen and why.
    certificate_ : Certificate
        That an exhaustive search finds the same neighbours; computed on access.
    """

    target_powers = (-1000, 960)  # of targets only means are taken

    differences = DIFFERENCES
    exceptions = {"memory": KEPT, "same answer": SAME, "scaling": BALL}

    def __init__(
        self,
        radius: NonNegative = 1.0,
        *,
        weights: Literal["uniform", "distance"] | Callable[..., Any] | None = "uniform",
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: Count = 30,
        p: Positive | None = 2,
        metric: str | Callable[..., Any] | DistanceMetric = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ):
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def target_attributes(self, target: Array | None, labels: Array | None) -> dict[str, Any]:
        return {"_y": np.ascontiguousarray(target)}

    def predict(self, X: Any) -> Array:
        """The mean (1) for each row, and each target if there are several; NaN for rows without neighbours."""
        check_is_fitted(self)
        targets = self._y if self._y.ndim == 2 else self._y[:, None]

        def means(Q: Any, numbers: Array, skip: Array | None) -> Array:
            return self.by_blocks(Q, skip, lambda near: target_means(near, self.weights, targets))

        found = self.predict_blocks(X, means)
        if (lonely := np.isnan(found[:, 0])).any():
            warnings.warn(
                f"One or more samples have no neighbors within specified radius; predicting NaN: first row "
                f"{int(np.argmax(lonely))}, {int(lonely.sum())} in all. Use a larger radius.",
                UserWarning,
                stacklevel=2,
            )
        return found if self._y.ndim == 2 else found[:, 0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
