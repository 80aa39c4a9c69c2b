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
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.learner import Classifier
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, ParameterError, Positive, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.several_targets import blocks
from aprendiz.core.targets import plain
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.neighbors.search.distance_objects import DistanceMetric
from aprendiz.neighbors.shared.kept_rows import BALL, DIFFERENCES, KEPT, SAME, TIES
from aprendiz.neighbors.shared.votes import codes_kept, shares, votes_of_targets, winners
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
    outlier_label : label, list of a label for each target, "most_frequent" or None, default=None
        Label of rows without neighbours; None raises an error for them.
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
    outlier_label_ : list of a label for each target, or None
        Label of rows without neighbours.
    outputs_2d_ : bool
        Whether there are several targets.
    search_ : Search
        The index; `search_.method` and `search_.reason` say what was chosen and why.
    certificate_ : Certificate
        That an exhaustive search finds the same neighbours; computed on access.
    """

    least_classes = 1
    several_targets = True
    differences = DIFFERENCES
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

    def target_attributes(self, target: Array | None, labels: Any) -> dict[str, Any]:
        assert target is not None
        several, outlier = isinstance(labels, list), self.outlier_label
        kinds = labels if several else [labels]
        if isinstance(outlier, str) and outlier == "most_frequent":
            counts = [part.sum(axis=0) for part in blocks(target, labels)] if several else [np.bincount(target)]
            label: Any = [one[count.argmax()] for one, count in zip(kinds, counts, strict=True)]
        else:
            label = None if outlier is None else labels_of_outliers(outlier, kinds)
        seed, codes = draw_seed(self.random_state) if self.ties == "random" else 0, codes_kept(target, labels)
        return {"classes_": labels, "outputs_2d_": several, "outlier_label_": label, "_y": codes, "_seed": seed}

    def votes(self, X: Any) -> tuple[Array, Array]:
        """The votes for each class (of several targets, side by side), and which rows have no neighbours: these are refused,
        unless there is a label for them."""

        def count_votes(Q: Any, numbers: Array, skip: Array | None) -> Array:
            found = self.by_blocks(Q, skip, lambda near: votes_of_targets(near, self.weights, self._y, self.classes_))
            if self.outlier_label_ is None:
                refuse_lonely(numbers[found.sum(axis=1) == 0], self.radius)
            return found

        check_is_fitted(self)
        found = self.predict_blocks(X, count_votes)
        return found, found.sum(axis=1) == 0

    def predict(self, X: Any) -> Array:
        """The class of each row, (1); of several targets, a column for each."""
        votes, lonely = self.votes(X)
        if not self.outputs_2d_:
            return self.decide(votes, lonely, self.classes_, 0)
        parts = zip(blocks(votes, self.classes_), self.classes_, strict=True)
        return np.column_stack([self.decide(part, lonely, labels, k) for k, (part, labels) in enumerate(parts)])

    def decide(self, votes: Array, lonely: Array, labels: Array, target: int) -> Array:
        """The class of each row, of one target."""
        found = labels[winners(votes, self.ties, self._seed, np.arange(len(votes)))]
        if not lonely.any():
            return found
        self.warn_of_strangers(lonely, labels, target)
        return np.where(lonely, self.outlier_label_[target], found)

    def predict_proba(self, X: Any) -> Any:
        """The share of the votes, for each row and class; of several targets, a list with those of each. Rows without
        neighbours have all of it for their label; zeros, and a warning, where that is none of the classes."""
        votes, lonely = self.votes(X)
        if not self.outputs_2d_:
            return self.shares_of(votes, lonely, self.classes_, 0)
        parts = zip(blocks(votes, self.classes_), self.classes_, strict=True)
        return [self.shares_of(part, lonely, labels, k) for k, (part, labels) in enumerate(parts)]

    def shares_of(self, votes: Array, lonely: Array, labels: Array, target: int) -> Array:
        """The shares of the votes, of one target."""
        found = shares(votes)
        if lonely.any():
            found[lonely] = labels == self.outlier_label_[target]
            self.warn_of_strangers(lonely, labels, target)
        return found

    def warn_of_strangers(self, lonely: Array, labels: Array, target: int) -> None:
        """Say where rows without neighbours get a label that is none of the classes."""
        if self.outlier_label_[target] not in labels:
            warnings.warn(
                f"Outlier label {plain(self.outlier_label_[target])!r} is not in training classes: all class probabilities of "
                f"row {int(np.argmax(lonely))}, and of all others without neighbours, are 0.",
                UserWarning,
                stacklevel=4,
            )


def labels_of_outliers(outlier: Any, kinds: list[Array]) -> list[Any]:
    """The label for outliers of each target, of the kind that its classes have."""
    single = isinstance(outlier, str) or np.ndim(outlier) == 0
    given = [outlier] * len(kinds) if single else list(outlier)
    if len(given) != len(kinds) or any(np.ndim(label) != 0 for label in given):
        raise ParameterError(f"outlier_label must be one label, or a list with one label for each target, got {outlier!r}.")
    for label, labels in zip(given, kinds, strict=True):
        if (np.asarray(label).dtype.kind in "US") != (labels.dtype.kind in "USO"):
            known = ", ".join(repr(plain(one)) for one in labels[:8])
            raise ParameterError(
                f"The dtype of outlier_label {label!r} is not that of the classes: give a label such as {known}."
            )
    return given


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
