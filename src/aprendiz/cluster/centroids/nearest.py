"""What all learners share whose clusters are centres: a row belongs to the nearest one.

    a(x) = argmin_j ‖x − c_j‖                                                                                 (1)
    Σ_{a(x)=j} w,   Σ_{a(x)=j} w (x − c_j),   J = Σ w ‖x − c_a(x)‖²                                            (2)

The sums (2) are over the rows of clusters that are known, or of the nearest centres. J is summed from differences, in one way,
whoever found a(x). The search itself is in centre_search.py.

Cost: O(n·d) for labels that are known.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.exceptions import ConvergenceWarning

from aprendiz.cluster.centroids.centre_search import CentreSearch
from aprendiz.cluster.centroids.starts import plus_plus, random_rows
from aprendiz.cluster.centroids.stored_centres import CENTRES
from aprendiz.compilation.compiled import compiled
from aprendiz.core.inputs import Largest, refuse_empty_sums
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Clusterer, Transformer
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.several_starts import StartState
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.sums import Spread, Sums, find_pivot


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

    def draw_centres(self, table: ArrayRows, seed: int, start: int) -> Array:
        """Centres from a function of the user, k rows at random, or k-means++."""
        if callable(self.init):
            generator = np.random.RandomState((seed + start) % 2**32)
            given = read_only(table.X) if table.dense else table.X.copy()
            return np.array(self.init(given, self.n_clusters, random_state=generator), dtype=np.float64)
        return (random_rows if self.init == "random" else plus_plus)(table, self.n_clusters, seed, start)

    def check_centres(self, centers: Array, rows: Rows) -> Array:
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
        """Fit, and return the distances of the training rows to the centres."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the training rows."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X: Any) -> Array:
        """The nearest centre of each row."""
        return self.new_rows(X).each(label, self.cluster_centers_.astype(np.float64, copy=False))

    def change(self, X: Array) -> Array:
        """The distances to all centres."""
        squares = np.empty((len(X), len(self.cluster_centers_)))
        all_squares(X, transpose(self.cluster_centers_), squares)
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


def warn_of_one_start(learner: Any) -> None:
    """Centres that are given make one start, whatever `n_init` says."""
    if learner.n_init not in (1, "auto"):
        warnings.warn(
            f"Explicit initial center position passed: performing only one init in {type(learner).__name__} instead of "
            f"n_init={learner.n_init}.",
            RuntimeWarning,
            stacklevel=3,
        )


def spread_of(rows: Rows, clusters: int) -> Spread:
    """Means and variances of the columns, of rows that can be clustered."""
    record = rows.sum(Spread.of, find_pivot(rows))
    refuse_empty_sums(record.weight, record.finite, rows)
    if (count := int(record.known.max())) < clusters:
        raise ValueError(f"n_samples={count} should be >= n_clusters={clusters}: use fewer clusters.")
    if not record.scatter.any() and (largest := rows.map(lambda X: X - record.pivot).sum(Largest.of)).size.any():
        column = int(largest.size.argmax())
        small = f"at most {largest.size[column]:.3g}, in column {column}"
        raise ValueError(f"The rows of X differ so little ({small}) that the squares of their differences vanish: scale X.")
    return record


def warn_of_empty(taken: int, asked: int) -> None:
    """A warning, in the name of whoever called `fit`, if only some of the clusters have rows."""
    if taken < asked:
        said = f"Only {taken} of {asked} clusters have rows: X may hold fewer distinct rows. Ask for fewer clusters."
        warnings.warn(said, ConvergenceWarning, stacklevel=5)


# ---- sums ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClusterSums(Sums):
    """Of each centre: Σ w and Σ w (x − c) over its rows; J; the row farthest from its centre, and its distance squared."""

    weight: Array
    shift: Array
    cost: float
    distance: float
    farthest: Array

    def __add__(self, other: Self) -> Self:
        far = self if self.distance >= other.distance else other
        return type(self)(
            self.weight + other.weight,
            self.shift + other.shift,
            self.cost + other.cost,
            far.distance,
            far.farthest,
        )


@dataclass(frozen=True)
class Farthest(Sums):
    """The rows farthest from their centres, the farthest first, and their distances squared."""

    squares: Array
    points: Array

    def __add__(self, other: Self) -> Self:
        squares = np.concatenate([self.squares, other.squares])
        count = max(len(self.squares), len(other.squares))
        order = np.argsort(-squares, kind="stable")[:count]
        return type(self)(squares[order], np.concatenate([self.points, other.points])[order])


@dataclass(frozen=True)
class Inertia(Sums):
    """J."""

    cost: float


# ---- statistics ------------------------------------------------------------------------------------------------------


def nearest(centers: Array, block: Block) -> tuple[Array, Array]:
    """The nearest centre of each row, and the distance squared."""
    return CentreSearch.of(centers).nearest(block.X)


def label(centers: Array, block: Block) -> Array:
    """The nearest centre of each row."""
    return nearest(centers, block)[0]


def known_squares(centers: Array, all_labels: Array | None, block: Block) -> Array:
    """The distance of each row to its centre, squared; without labels, to the nearest one."""
    if all_labels is None:
        return nearest(centers, block)[1]
    squares = np.empty(len(block))
    own_squares(block.X, centers, all_labels[block.start : block.start + len(block)], squares)
    return squares


def costs(centers: Array, all_labels: Array, block: Block) -> Inertia:
    """J of labels that are known."""
    return Inertia(float(known_squares(centers, all_labels, block) @ block.weights))


def nearest_costs(centers: Array, block: Block) -> Inertia:
    """J of the nearest centres."""
    return Inertia(float(known_squares(centers, None, block) @ block.weights))


def farthest(centers: Array, all_labels: Array | None, count: int, block: Block) -> Farthest:
    """The rows with a weight that are farthest from their centres."""
    squares = known_squares(centers, all_labels, block)
    if block.weight is not None:
        squares = np.where(block.weight > 0, squares, -1.0)
    order = np.argsort(-squares, kind="stable")[:count]
    return Farthest(squares[order], block.X[order].astype(np.float64))


def totals(centers: Array, all_labels: Array, block: Block) -> ClusterSums:
    """The same sums for labels that are known."""
    labels, squares = all_labels[block.start : block.start + len(block)], np.empty(len(block))
    own_squares(block.X, centers, labels, squares)
    return cluster_sums(centers, labels, squares, block)


def cluster_sums(centers: Array, labels: Array, squares: Array, block: Block) -> ClusterSums:
    weight, shift, w = np.zeros(len(centers)), np.zeros_like(centers), block.weights
    gather(block.X, w, centers, labels, weight, shift)
    cost = float(squares @ w)
    if block.weight is not None:
        squares = np.where(w > 0, squares, 0.0)
    far = int(np.argmax(squares))
    return ClusterSums(weight, shift, cost, float(squares[far]), block.X[far].astype(np.float64))


def transpose(centers: Array) -> Array:
    """The centres as columns, by runs of rows: a transpose in one sweep would leave the cache at every cell."""
    if centers.size < 2**16:
        return np.ascontiguousarray(centers.T, dtype=np.float64)
    columns = np.empty(centers.shape[::-1])
    for start in range(0, len(centers), 256):
        columns[:, start : start + 256] = centers[start : start + 256].T
    return columns


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def own_squares(X: Array, centers: Array, labels: Array, squares: Array) -> None:
    """squares[i] = ‖x_i − c_labels[i]‖²."""
    for i in range(len(X)):
        a, total = labels[i], 0.0
        for t in range(X.shape[1]):
            u = X[i, t] - centers[a, t]
            total += u * u
        squares[i] = total


@compiled(inner=True)
def squares_to_all(x: Array, columns: Array, out: Array) -> None:
    """out[j] = ‖x − c_j‖². `columns` is centresᵀ, four of its rows at a time: `out` is read and written less often."""
    d, k = columns.shape
    for j in range(k):
        out[j] = 0.0
    for t in range(0, d - 3, 4):
        x0, x1, x2, x3 = x[t], x[t + 1], x[t + 2], x[t + 3]
        for j in range(k):
            u0, u1, u2, u3 = x0 - columns[t, j], x1 - columns[t + 1, j], x2 - columns[t + 2, j], x3 - columns[t + 3, j]
            out[j] += (u0 * u0 + u1 * u1) + (u2 * u2 + u3 * u3)
    for t in range(d - d % 4, d):
        x0 = x[t]
        for j in range(k):
            u0 = x0 - columns[t, j]
            out[j] += u0 * u0


@compiled
def gather(X: Array, w: Array, centers: Array, labels: Array, weight: Array, shift: Array) -> None:
    """Σ w and Σ w (x − c) of each centre."""
    for i in range(len(X)):
        a = labels[i]
        weight[a] += w[i]
        for t in range(X.shape[1]):
            shift[a, t] += w[i] * (X[i, t] - centers[a, t])


@compiled
def all_squares(X: Array, columns: Array, out: Array) -> None:
    """‖x_i − c_j‖² for all rows and centres."""
    for i in range(len(X)):
        squares_to_all(X[i], columns, out[i])
