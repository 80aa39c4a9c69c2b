"""Neighbours within a radius: a row has the class that most of the rows in a ball around it have.

    ŷ(x) = argmax_c Σ_{i : d(x, x_i) ≤ r} ω_i·[y_i = c]                                                       (1)

The number of neighbours follows the density of the rows. A row with an empty ball has no neighbours to ask: it gets the label
for outliers, or is refused by its number.

Cost: that of the search, and O(1) for each neighbour; the neighbours of a few hundred rows are in memory at a time.
Reference: Fix & Hodges, "Discriminatory analysis: nonparametric discrimination", USAF School of Aviation Medicine, 1951.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, ParameterError, Positive, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.neighbors.search.distance_objects import DistanceMetric
from aprendiz.neighbors.shared.kept_rows import BALL, DIFFERENCES, KEPT, NEAREST_FIRST, ONE_TARGET, SAME, TIES
from aprendiz.neighbors.shared.votes import class_votes, shares, winners
from aprendiz.neighbors.shared.within_radius import WithinRadius


class RadiusNeighborsClassifier(Classifier, WithinRadius):
    """Neighbours within a radius (drop-in for scikit-learn's; exact, mixed tables by Gower's distance, random ties).

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
    outlier_label : label, list of one label, "most_frequent" or None, default=None
        Label of rows without neighbours; None raises an error for them.
    ties : {"lowest", "random"}, default="lowest"
        How to break ties between classes: the first class, or one drawn at random for each row.
    random_state : int, RandomState or None, default=None
        The seed of random ties.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    effective_metric_, effective_metric_params_ : str or callable, dict
        The metric, by its shortest name, and its parameters.
    n_samples_fit_ : int
        Number of training rows.
    outlier_label_ : list of one label, or None
        Label of rows without neighbours.
    outputs_2d_ : bool
        False.
    search_ : Search
        The index; `search_.method` and `search_.reason` say what was chosen and why.
    certificate_ : Certificate
        That an exhaustive search finds the same neighbours; computed on access.
    """

    differences = {**DIFFERENCES, "radius": NEAREST_FIRST, "outputs_2d_": ONE_TARGET}
    exceptions = {"memory": KEPT, "same answer": SAME, "relabelling": TIES, "scaling": BALL}

    def __init__(
        self,
        radius: NonNegative = 1.0,
        *,
        weights: Literal["uniform", "distance"] | Callable[..., Any] | None = "uniform",
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: Count = 30,
        p: Positive | None = 2,
        metric: str | Callable[..., Any] | DistanceMetric = "minkowski",
        outlier_label: int | float | str | ArrayLike | None = None,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        ties: Literal["lowest", "random"] = "lowest",
        random_state: Seed = None,
    ):
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.outlier_label = outlier_label
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.ties = ties
        self.random_state = random_state

    def target_attributes(self, target: Array | None, labels: Array | None) -> dict[str, Any]:
        assert target is not None
        assert labels is not None
        outlier = self.outlier_label
        if isinstance(outlier, str) and outlier == "most_frequent":
            label: Any = [labels[np.bincount(target).argmax()]]
        else:
            label = None if outlier is None else [one_label(outlier, labels)]
        seed = draw_seed(self.random_state) if self.ties == "random" else 0
        return {"classes_": labels, "outputs_2d_": False, "outlier_label_": label, "_y": target, "_seed": seed}

    def votes(self, X: Any) -> Array:
        """The votes for each class; rows without neighbours are refused, unless there is a label for them."""

        def count_votes(Q: Any, numbers: Array, skip: Array | None) -> Array:
            found = self.by_blocks(Q, skip, lambda near: class_votes(near, self.weights, self._y, len(self.classes_)))
            if self.outlier_label_ is None:
                refuse_lonely(numbers[found.sum(axis=1) == 0], self.radius)
            return found

        return self.predict_blocks(X, count_votes)

    def predict(self, X: Any) -> Array:
        """The class of each row, (1)."""
        votes = self.votes(X)
        found = self.classes_[winners(votes, self.ties, self._seed, np.arange(len(votes)))]
        if (lonely := votes.sum(axis=1) == 0).any():
            self.warn_of_strangers(lonely)
            return np.where(lonely, self.outlier_label_[0], found)
        return found

    def predict_proba(self, X: Any) -> Array:
        """The share of the votes, for each row and class. Rows without neighbours have all of it for their label; zeros, and a
        warning, where that is none of the classes."""
        votes = self.votes(X)
        found, lonely = shares(votes), votes.sum(axis=1) == 0
        if lonely.any():
            found[lonely] = self.classes_ == self.outlier_label_[0]
            self.warn_of_strangers(lonely)
        return found

    def warn_of_strangers(self, lonely: Array) -> None:
        """Say where rows without neighbours get a label that is none of the classes."""
        if self.outlier_label_[0] not in self.classes_:
            warnings.warn(
                f"Outlier label {plain(self.outlier_label_[0])!r} is not in training classes: all class probabilities of "
                f"row {int(np.argmax(lonely))}, and of all others without neighbours, are 0.",
                UserWarning,
                stacklevel=3,
            )


def one_label(outlier: Any, labels: Array) -> Any:
    """The label for outliers, of the kind that the classes have."""
    label = outlier if isinstance(outlier, str) or np.ndim(outlier) == 0 else list(outlier)
    if isinstance(label, list):
        if len(label) != 1 or np.ndim(label[0]) != 0:
            raise ParameterError(
                f"outlier_label must be one label, or a list with one label for the one target, got {outlier!r}."
            )
        label = label[0]
    if (np.asarray(label).dtype.kind in "US") != (labels.dtype.kind in "USO"):
        known = ", ".join(repr(plain(one)) for one in labels[:8])
        raise ParameterError(f"The dtype of outlier_label {label!r} is not that of the classes: give a label such as {known}.")
    return label


def refuse_lonely(rows: Array, radius: float) -> None:
    """Rows without neighbours."""
    if len(rows):
        shown = ", ".join(map(str, rows[:8]))
        if len(rows) > 8:
            shown += f", … ({ngettext('{rows} row', '{rows} rows', len(rows)).format(rows=format_whole(len(rows)))})"
        raise ValueError(
            _(
                "No neighbors found for test samples [{rows}] within radius {radius}: use a larger radius, give an "
                "outlier_label, or leave these rows out."
            ).format(rows=shown, radius=f"{radius:g}")
        )
