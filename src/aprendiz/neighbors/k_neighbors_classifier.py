"""k nearest neighbours: a row has the class that most of the k rows nearest to it have.

    ŷ(x) = argmax_c Σ_{i ∈ N_k(x)} ω_i·[y_i = c]                                                              (1)

Small k follows every row, large k smooths (choose_n_neighbors.py). As n → ∞ with k = 1 the error is at most twice the Bayes
error; it tends to the Bayes error where k → ∞ and k/n → 0. Columns count with their units: scale them first.

The posterior N_c(x)/k is Bayes' rule with the densities N_c(x)/(N_c·V) of knn_density.py: volume and class sizes cancel.

Cost: that of the search, and O(k) for each row.
Reference: Cover & Hart, "Nearest neighbor pattern classification", IEEE Transactions on Information Theory 13, 1967.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import Count, Positive, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.several_targets import blocks, labelled
from aprendiz.neighbors.search.distance_objects import DistanceMetric
from aprendiz.neighbors.shared.k_nearest import KNearest, refuse_more_than_rows
from aprendiz.neighbors.shared.kept_rows import AT_THE_FIT, DIFFERENCES, KEPT, SAME, TIES
from aprendiz.neighbors.shared.votes import codes_kept, shares, votes_of_targets, winners


class KNeighborsClassifier(Classifier, KNearest):
    """k nearest neighbours (drop-in for scikit-learn's; exact, mixed tables by Gower's distance, random ties).

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
    ties : {"lowest", "random"}, default="lowest"
        How to break ties between classes: the first class, or one drawn at random for each row.
    random_state : int, RandomState or None, default=None
        The seed of random ties.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels; of several targets (y of shape (n, targets)), a list with those of each.
    effective_metric_, effective_metric_params_ : str or callable, dict
        The metric, by its shortest name, and its parameters.
    n_samples_fit_ : int
        Number of training rows.
    outputs_2d_ : bool
        Whether there are several targets.
    search_ : Search
        The index; `search_.method` and `search_.reason` say what was chosen and why.
    certificate_ : Certificate
        That an exhaustive search finds the same neighbours; computed on access.

    Examples
    --------
    >>> model = KNeighborsClassifier(3).fit([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> model.predict_proba([[0.5]]).round(4)
    array([[0.6667, 0.3333]])
    """

    least_classes = 1
    several_targets = True
    differences = {**DIFFERENCES, "n_neighbors": AT_THE_FIT}
    exceptions = {"memory": KEPT, "same answer": SAME, "relabelling": TIES}
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
        ties: Literal["lowest", "random"] = "lowest",
        random_state: Seed = None,
    ):
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.ties = ties
        self.random_state = random_state

    def refuse_few(self, rows: int) -> None:
        refuse_more_than_rows(self.n_neighbors, rows)

    def target_attributes(self, target: Array | None, labels: Any) -> dict[str, Any]:
        seed = draw_seed(self.random_state) if self.ties == "random" else 0
        return {"classes_": labels, "outputs_2d_": isinstance(labels, list), "_y": codes_kept(target, labels), "_seed": seed}

    def votes(self, Q: Any, skip: Array | None) -> Array:
        """The votes for each class; of several targets, those of each side by side."""
        near = self.near(Q, skip)
        return votes_of_targets(near, self.weights, self._y, self.classes_)

    def predict(self, X: Any) -> Array:
        """The class of each row, (1); of several targets, a column for each."""
        check_is_fitted(self)
        if self.outputs_2d_:
            return labelled(self.predict_blocks(X, self.classes_of_targets), self.classes_)
        chosen = self.predict_blocks(X, lambda Q, at, skip: winners(self.votes(Q, skip), self.ties, self._seed, at))
        return self.classes_[chosen]

    def classes_of_targets(self, Q: Any, at: Array, skip: Array | None) -> Array:
        """The number of the class of each row and target."""
        parts = blocks(self.votes(Q, skip), self.classes_)
        return np.column_stack([winners(part, self.ties, self._seed, at) for part in parts])

    def predict_proba(self, X: Any) -> Any:
        """The share of the votes, for each row and class; of several targets, a list with those of each."""
        check_is_fitted(self)
        if self.outputs_2d_:
            votes = self.predict_blocks(X, lambda Q, at, skip: self.votes(Q, skip))
            return [shares(part) for part in blocks(votes, self.classes_)]
        return self.predict_blocks(X, lambda Q, at, skip: shares(self.votes(Q, skip)))
