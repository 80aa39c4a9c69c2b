"""Regression by nearest neighbours: the mean of the targets of the k nearest rows.

    ŷ(x) = Σ_{i ∈ N_k(x)} ω_i·y_i / Σ_{i ∈ N_k(x)} ω_i                                                        (1)

A step function of x (with ω = 1/d, one that passes through the rows of the fit); it never leaves the range of the targets.

Cost: that of the search, and O(k) for each row and target.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", section 2.3.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.learner import Regressor
from aprendiz.core.parameters import Count, Positive
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.distance_objects import DistanceMetric
from aprendiz.neighbors.shared.k_nearest import KNearest, refuse_more_than_rows
from aprendiz.neighbors.shared.kept_rows import AT_THE_FIT, DIFFERENCES, KEPT, SAME
from aprendiz.neighbors.shared.votes import target_means


class KNeighborsRegressor(Regressor, KNearest):
    """Regression by nearest neighbours (drop-in for scikit-learn's; exact, mixed tables by Gower's distance).

    Rows of files and of Dask are gathered into memory. Sparse tables stay so with the metrics "euclidean" and "cosine"; others
    make them dense. Rows at the same distance count in the order of the table. `predict(None)` and `score(None, y)` use the
    training rows, each without itself.

    Parameters
    ----------
    n_neighbors : int, default=5
        k of (1). Can be changed after the fit.
    weights : {"uniform", "distance"}, callable or None, default="uniform"
        ω of (1): 1, or 1/d (rows that coincide with x alone count, if there are any), or a function of the distances.
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

    Examples
    --------
    >>> KNeighborsRegressor(2).fit([[0.0], [1.0], [2.0], [9.0]], [0.0, 1.0, 4.0, 81.0]).predict([[1.4]])
    array([2.5])
    """

    target_powers = (-1000, 960)  # of targets only means are taken

    differences = {**DIFFERENCES, "n_neighbors": AT_THE_FIT}
    exceptions = {"memory": KEPT, "same answer": SAME}
    tuning = {"n_neighbors": (1, 5, 15)}

    def __init__(
        self,
        n_neighbors: Count = 5,
        *,
        weights: Literal["uniform", "distance"] | Callable[..., Any] | None = "uniform",
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: Count = 30,
        p: Positive | None = 2,
        metric: str | Callable[..., Any] | DistanceMetric = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ):
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def refuse_few(self, rows: int) -> None:
        refuse_more_than_rows(self.n_neighbors, rows)

    def target_attributes(self, target: Array | None, labels: Array | None) -> dict[str, Any]:
        return {"_y": np.ascontiguousarray(target)}

    def predict(self, X: Any) -> Array:
        """The mean (1) for each row, and each target if there are several."""
        check_is_fitted(self)
        targets = self._y if self._y.ndim == 2 else self._y[:, None]
        found = self.predict_blocks(X, lambda Q, at, skip: target_means(self.near(Q, skip), self.weights, targets))
        return found if self._y.ndim == 2 else found[:, 0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
