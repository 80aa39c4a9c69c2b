"""What all learners share whose clusters are centres: a row belongs to the nearest one.

a(x) = argmin_j ‖x − c_j‖,     J = Σ w ‖x − c_a(x)‖²                                                       (1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from aprendiz.cluster.centroids.nearest import ClusterSums, all_squares, label, nearest_costs, totals, transposed
from aprendiz.cluster.centroids.starts import plus_plus, random_rows
from aprendiz.cluster.centroids.stored_centres import CENTRES
from aprendiz.core.inputs import Largest, refuse_empty_sums
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Clusterer, Transformer
from aprendiz.core.rows import Array, ArrayRows, Rows, read_only
from aprendiz.core.several_starts import StartState
from aprendiz.core.sums import Spread, find_pivot


@dataclass(frozen=True)
class Clustering(StartState):
    """Centres on their way, with J of each pass."""

    centers: Array
    best_centers: Array


class Centroids(ClassNamePrefixFeaturesOutMixin, Transformer, Clusterer, Iterative):
    """Centres, the nearest of which a row belongs to."""

    stored_check = CENTRES

    n_clusters: int
    init: Any
    cluster_centers_: Array
    labels_: Array

    # ---- the start ---------------------------------------------------------------------------------------------------

    def drawn(self, table: ArrayRows, seed: int, start: int) -> Array:
        """Centres from a function of the user, k rows at random, or k-means++."""
        if callable(self.init):
            generator = np.random.RandomState((seed + start) % 2**32)
            given = read_only(table.X) if table.dense else table.X.copy()
            return np.array(self.init(given, self.n_clusters, random_state=generator), dtype=np.float64)
        return (random_rows if self.init == "random" else plus_plus)(table, self.n_clusters, seed, start)

    def checked(self, centers: Array, rows: Rows) -> Array:
        """Centres that are points of the space of the rows."""
        k, d = self.n_clusters, rows.columns
        if centers.shape != (k, d):
            raise ValueError(f"init gives an array of shape {centers.shape}; {k} clusters of {d} columns need ({k}, {d}).")
        if not np.isfinite(centers).all():
            raise ValueError("init contains NaN or infinity: every centre must be a point.")
        return centers

    # ---- the answer --------------------------------------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit, and the distances of the training rows to the centres."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and the labels of the training rows."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X: Any) -> Array:
        """The nearest centre of each row."""
        return self.new_rows(X).each(label, self.cluster_centers_.astype(np.float64, copy=False))

    def change(self, X: Array) -> Array:
        """The distances to all centres."""
        squares = np.empty((len(X), len(self.cluster_centers_)))
        all_squares(X, transposed(self.cluster_centers_), squares)
        return np.sqrt(squares).astype(X.dtype, copy=False)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """−J of the rows."""
        return -self.new_rows(X, sample_weight).sum(nearest_costs, self.cluster_centers_.astype(np.float64)).cost


def label_rows(centers: Array, rows: Rows) -> tuple[Array, ClusterSums]:
    """The nearest centre of each row, and the sums of the clusters."""
    centers = centers.astype(np.float64)
    labels = rows.each(label, centers)
    return labels, rows.sum(totals, centers, labels)


def is_given(init: Any) -> bool:
    """Are the centres given?"""
    return not isinstance(init, str) and not callable(init)


def spread_of(rows: Rows, clusters: int) -> Spread:
    """Means and variances of the columns, of rows that can be clustered."""
    record = rows.sum(Spread.of, find_pivot(rows))
    refuse_empty_sums(record.weight, record.finite, rows)
    if (count := int(record.known.max())) < clusters:
        raise ValueError(f"n_samples={count} should be >= n_clusters={clusters}: ask for fewer clusters.")
    if not record.scatter.any() and (largest := rows.map(lambda X: X - record.pivot).sum(Largest.of)).size.any():
        column = int(largest.size.argmax())
        small = f"at most {largest.size[column]:.3g}, in column {column}"
        raise ValueError(f"The rows of X differ so little ({small}) that the squares of their differences vanish: scale X.")
    return record
