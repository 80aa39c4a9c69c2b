"""Learners that see their rows through the distances between them, and through nothing else.

    learned:  some of the rows (medoids, centres) or an order of them            asked:  the distances to those

Distances between all the rows are not a sum over rows: rows of files and of Dask are gathered into memory. What a metric
takes from the rows of the fit (variances, covariances, ranges) is kept, so that new rows are measured with the same rod.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.distance_axioms import refuse_bad_cells
from aprendiz.cluster.medoids.stored_medoids import MEDOIDS
from aprendiz.core.learner import Clusterer, Learner, Transformer
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.neighbors.search.gower import parts, ranges
from aprendiz.neighbors.search.metrics import covariance
from aprendiz.neighbors.shared.kept_rows import SMALLEST, SUMMED, AllowedByMetric, as_kept, refuse_extremes

KEPT = "the rows are kept in memory: distances between them are not a sum"


class Pairwise(Learner):
    """Sees rows through distances."""

    allows = AllowedByMetric()
    exceptions = {"memory": KEPT}
    metric: Any
    p: float
    metric_params: dict[str, Any] | None

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows in memory."""
        return gathered_rows(super().open(X, y, sample_weight, reset=reset))

    def is_precomputed(self) -> bool:
        """Does X hold distances?"""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def rod(self, X: Any) -> dict[str, Any]:
        """The parameters of the metric, with those that it takes from the rows."""
        given = dict(self.metric_params or {})
        if not isinstance(self.metric, str):
            return given
        if self.metric == "seuclidean" and given.get("V") is None and len(X) > 1:
            given["V"] = np.var(as_kept(X) - X[0], axis=0, ddof=1)
        elif self.metric == "mahalanobis" and given.get("V") is None and given.get("VI") is None:
            given["V"] = covariance(X)
        elif self.metric == "gower" and "ranges" not in given:
            given["ranges"] = ranges(X, parts(X)[0])
        return given

    def dissimilarities(self, rows: Rows) -> Dissimilarities:
        """The distances between the rows of the fit."""
        assert in_memory(rows)
        X = as_kept(rows.X)
        if isinstance(self.metric, str) and self.metric in SUMMED:
            refuse_extremes(X, rows.names)
        return Dissimilarities.of(X, self.metric, self.p, self.rod(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = "categories" in self.allows
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.is_precomputed()
        return tags


class NearestChosen(ClassNamePrefixFeaturesOutMixin, Transformer, Clusterer, Pairwise):
    """Chooses some of the rows, and gives every row to the nearest of them."""

    stored_check = MEDOIDS

    indices: ClassVar[str]  # the attribute with the numbers of the chosen rows

    def medoid_attributes(self, numbers: Array, rows: Rows) -> dict[str, Any]:
        """What is kept of the chosen rows: as they came, and how to measure the distances to them."""
        assert in_memory(rows)
        some = None if self.is_precomputed() else rows.X[numbers]
        plain = isinstance(some, np.ndarray)
        return {
            self.indices: numbers,
            "cluster_centers_": some if plain else None,
            "_mixed_centers": None if plain else some,
            "_rod": self.rod(rows.X),
        }

    def vanish(self, cost: float, numbers: Array, labels: Array, rows: Rows) -> bool:
        """Is the cost so small that squares of differences have lost their digits, though rows differ from their chosen
        ones?"""
        assert in_memory(rows)
        if cost >= SMALLEST or not isinstance(rows.X, np.ndarray) or self.is_precomputed():
            return False
        return bool((rows.X[numbers[labels]] != rows.X).any())

    def distances_to(self, Q: Any) -> Array:
        """Distances from other rows to the chosen ones, of shape (len(Q), k); precomputed ones are read off."""
        if self.is_precomputed():
            refuse_bad_cells(Q)
            return as_kept(Q)[:, getattr(self, self.indices)]
        centers = self._mixed_centers if self.cluster_centers_ is None else as_kept(self.cluster_centers_)
        return Dissimilarities.of(centers, self.metric, self.p, self._rod).distances_from(Q)

    @property
    def _n_features_out(self) -> int:
        return len(getattr(self, self.indices))

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit, and return the distances of the training rows to the chosen ones."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the training rows."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X: Any) -> Array:
        """The number of the nearest chosen row, for each row."""
        return self.new_rows(X).each(lambda block: self.distances_to(block.X).argmin(axis=1).astype(np.int32))

    def change(self, X: Array) -> Array:
        """The distances to all chosen rows."""
        return self.distances_to(X).astype(np.float32 if X.dtype == np.float32 else np.float64, copy=False)


def gathered_rows(rows: Rows) -> Rows:
    """All the rows and their weights, gathered if they are elsewhere."""
    if in_memory(rows):
        return rows
    weighted = rows.first(lambda block: block.weight is not None)
    weight = rows.each(lambda block: block.weight) if weighted else None
    gathered = ArrayRows(rows.each(lambda block: block.X), None, weight, rows.names)
    gathered.noted = rows.noted
    return gathered


def weights_of(rows: Rows) -> Array:
    """The weights of all rows, some of which must count."""
    weight: Array = rows.each(lambda block: block.weights)
    if not weight.any():
        raise ValueError("sample_weight: all weights are zero; at least one must be positive.")
    return np.asarray(weight, np.float64)


def refuse_too_many(clusters: int, count: int) -> None:
    if count < clusters:
        raise ValueError(f"n_samples={count} should be >= n_clusters={clusters}: use fewer clusters.")
