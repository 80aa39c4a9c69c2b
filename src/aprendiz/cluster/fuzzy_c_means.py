"""Fuzzy c-means: k centres, each row belongs to all of them, more to the near ones.

Cost, with weights w, memberships u ≥ 0 that sum to 1 for each row, and the fuzzifier m > 1:

    J(u, c) = Σ w Σ_j u_jᵐ ‖x − c_j‖²                                                                         (1)

Each pass lowers J twice, so J never rises:

    belong    u_j = d_j^(−2/(m−1)) / Σ_l d_l^(−2/(m−1)),     d_j = ‖x − c_j‖                                   (2)
    update    c_j ← c_j + Σ w u_jᵐ (x − c_j) / Σ w u_jᵐ                                                       (3)

A row that is a centre belongs to it alone (to equal parts, if several centres are there). For m → 1, (2) becomes the nearest
centre and (1) the cost of k-means; for large m all memberships tend to 1/k and all centres to the mean.

How fuzzy the rows are is told by two numbers, with means over the rows,

    partition coefficient  mean Σ u²   (1 if hard, 1/k if even),   entropy  −mean Σ u ln u   (0 if hard, ln k if even)   (4)

Cost: O(n·k·d) a pass; memory O(k·d), and n·k numbers for the memberships of the training rows.
Reference: Bezdek, Ehrlich & Full, "FCM: the fuzzy c-means clustering algorithm", Computers & Geosciences 10, 1984.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from scipy import special

from aprendiz.cluster import KMeans
from aprendiz.cluster.centroids.nearest import Clustering
from aprendiz.cluster.centroids.stored_centres import CENTRES
from aprendiz.cluster.mixtures.starts import columns_of
from aprendiz.compilation.compiled import compiled
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import Largest, refuse_empty_sums
from aprendiz.core.learner import Clusterer
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Seed, Within
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.several_starts import SeveralStarts
from aprendiz.core.sums import Spread, Sums

LEAST = 1e-14  # squared moves below this part of the variance, and falls below this part of J, are near rounding
Fuzzifier = Annotated[float, Within(1, above=True)]


@dataclass(frozen=True)
class FuzzySums(Sums):
    """Of each centre Σ w uᵐ and Σ w uᵐ (x − c); J; Σ w Σ u² and −Σ w Σ u ln u; Σ w."""

    weight: Array
    shift: Array
    cost: float
    squares: float
    entropy: float
    rows: float


class FuzzyCMeans(Clusterer, SeveralStarts):
    """Fuzzy c-means clustering (overlapping clusters, from files too).

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    m : float, default=2.0
        The fuzzifier, above 1.
    init : {"k-means++", "random"} or array of shape (n_clusters, n_features), default="k-means++"
        Initial centres, as in KMeans; "random" takes k rows.
    n_init : int, default=1
        Number of initialisations, of which the one with the lowest cost is kept.
    max_iter : int, default=1000
        Maximum number of iterations of a single start.
    tol : float, default=1e-6
        Convergence: the squared moves of the centres sum to less than `tol` times the mean variance of the columns, and (3)
        lowers J by less than `tol` of it.
    random_state : int, RandomState or None
        The seed of the starts.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    memberships_ : ndarray of shape (n_samples, n_clusters)
        u of each training row.
    labels_ : ndarray of shape (n_samples,)
        The cluster to which each training row belongs most.
    inertia_ : float
        J at the centres.
    partition_coefficient_, partition_entropy_ : float
        (4).
    n_iter_ : int
        Number of iterations of the best start.
    certificate_ : Certificate
        J of every pass and at the end, which never rises, and the largest distance of a centre from its mean (3).

    Examples
    --------
    >>> model = FuzzyCMeans(2, init=[[0.0], [4.0]]).fit([[0.0], [1.0], [2.0], [3.0], [4.0]])
    >>> model.memberships([[2.0], [2.5]]).round(3)
    array([[0.5  , 0.5  ],
           [0.167, 0.833]])
    """

    stored_check = CENTRES

    State = Clustering
    exceptions = {
        "check_sample_weight_equivalence_on_dense_data": "rows are drawn by their number: another order, another start",
    }

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        m: Fuzzifier = 2.0,
        init: Literal["k-means++", "random"] | ArrayLike = "k-means++",
        n_init: Count = 1,
        max_iter: Count = 1000,
        tol: NonNegative = 1e-6,
        random_state: Seed = None,
    ):
        self.n_clusters = n_clusters
        self.m = m
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Clustering | None = None) -> Iterator[Clustering]:
        record = columns_of(rows, self.n_clusters, "clusters")
        rest = max(self.tol, LEAST) * mean_variance(record, rows)

        def passes(state: Clustering) -> Iterator[Clustering]:
            while True:
                sums = rows.sum(fuzzy_sums, state.centers, float(self.m))  # (2)
                refuse_empty_sums(sums.rows, sums.finite, rows)
                state = self.next_state(state, sums, rest)  # (3)
                yield state

        yield from self.each_start(rows, passes, since)

    def next_state(self, state: Clustering, sums: FuzzySums, rest: float) -> Clustering:
        """(3), and whether the start has come to rest."""
        step = steps_of(sums)
        squares = (step**2).sum(axis=1)
        fall = float(sums.weight @ squares)  # of J, by (3)
        still = bool(squares.sum() <= rest and fall <= max(self.tol, LEAST) * sums.cost)
        return state.after(sums.cost, still, passes=self.max_iter, starts=self.n_init, centers=state.centers + step)

    def first(self, rows: Rows, seed: int, start: int) -> dict[str, Any]:
        """The centres of k-means before its first pass."""
        kmeans = KMeans(self.n_clusters, init=self.init, n_init=1, random_state=seed + start)
        return {"centers": next(kmeans.states(rows)).centers}

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: Clustering, rows: Rows) -> dict[str, Any]:
        best = state.best()
        return {"cluster_centers_": best.centers, "n_iter_": len(best.log)}

    def row_attributes(self, state: Clustering, rows: Rows) -> dict[str, Any]:
        centers, log = state.best().centers, state.best().log
        sums = rows.sum(fuzzy_sums, centers, float(self.m))
        memberships = rows.each(belonging, centers, float(self.m))
        return {
            "memberships_": memberships,
            "labels_": memberships.argmax(axis=1).astype(np.int32),
            "inertia_": sums.cost,
            "partition_coefficient_": sums.squares / sums.rows,
            "partition_entropy_": sums.entropy / sums.rows,
            "certificate_": descent(np.append(log, sums.cost), sums),
        }

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the training rows."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def memberships(self, X: Any) -> Array:
        """Degrees of membership u of each row."""
        rows = self.new_rows(X)
        return rows.each(belonging, self.cluster_centers_, float(self.m))

    def predict(self, X: Any) -> Array:
        """The cluster to which each row belongs most."""
        return self.memberships(X).argmax(axis=1).astype(np.int32)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """−J of the rows."""
        rows = self.new_rows(X, sample_weight)
        return -rows.sum(fuzzy_sums, self.cluster_centers_, float(self.m)).cost


def mean_variance(record: Spread, rows: Rows) -> float:
    """The mean of the variances of the columns, where their squares are numbers."""
    variance = float(np.mean(record.scatter / record.weight))
    if variance == 0 and (largest := rows.map(lambda X: X - record.pivot).sum(Largest.of)).size.any():
        column = int(largest.size.argmax())
        small = f"at most {largest.size[column]:.3g}, in column {column}"
        raise ValueError(f"The rows of X differ so little ({small}) that the squares of their differences vanish: scale X.")
    return variance


def steps_of(sums: FuzzySums) -> Array:
    """How far each centre is from the mean (3)."""
    return np.asarray(sums.shift / np.where(sums.weight > 0, sums.weight, 1.0)[:, None])


def descent(log: Array, sums: FuzzySums) -> Certificate:
    """That no pass raised J by more than 10⁻¹² of its first value, as it was summed; and how far the centres are from the
    means (3). Nothing is claimed about other minima."""
    rise = float(np.max(np.diff(log), initial=0.0)) / max(float(log[0]), 1e-300)
    off = float(np.sqrt((steps_of(sums) ** 2).sum(axis=1)).max())
    return Certificate("the cost never rose", rise <= 1e-12, {"cost": sums.cost, "rise": rise, "off_mean": off, "log": log})


# ---- statistics ------------------------------------------------------------------------------------------------------


def fuzzy_sums(centers: Array, m: float, block: Block) -> FuzzySums:
    """(1) to (4) for a block."""
    w, squares = block.weights, squared_distances(centers, block.X)
    u = shares(squares, m)
    entropy, even = -special.xlogy(u, u).sum(axis=1), (u * u).sum(axis=1)
    power = u * u if m == 2 else u**m
    power *= w[:, None]
    weight, shift = np.zeros(len(centers)), np.zeros(centers.shape)
    gather(block.X, power, centers, weight, shift)
    cost = float(np.where(power > 0, power * squares, 0.0).sum())
    return FuzzySums(weight, shift, cost, float(even @ w), float(entropy @ w), float(w.sum()))


def belonging(centers: Array, m: float, block: Block) -> Array:
    """(2) for the rows of a block."""
    return shares(squared_distances(centers, block.X), m)


def shares(squares: Array, m: float) -> Array:
    """(2), from distances squared: powers of ratios to the nearest, which neither overflow nor divide 0 by 0."""
    least = squares.min(axis=1, keepdims=True)
    ratio = np.where(squares <= least, 1.0, least / np.where(squares > 0, squares, 1.0))
    if m != 2:
        ratio **= 1.0 / (m - 1.0)
    return np.asarray(ratio / ratio.sum(axis=1, keepdims=True))


def squared_distances(centers: Array, X: Array) -> Array:
    """‖x − c‖² of all rows and centres."""
    found = np.empty((len(X), len(centers)))
    fill_squares(X, np.ascontiguousarray(centers.T), found)
    return found


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def fill_squares(X: Array, columns: Array, out: Array) -> None:
    """out[i, j] = ‖x_i − c_j‖²; `columns` is centresᵀ."""
    d, k = columns.shape
    for i in range(len(X)):
        for j in range(k):
            out[i, j] = 0.0
        for t in range(d):
            value = X[i, t]
            for j in range(k):
                u = value - columns[t, j]
                out[i, j] += u * u


@compiled
def gather(X: Array, power: Array, centers: Array, weight: Array, shift: Array) -> None:
    """Σ p and Σ p (x − c) of each centre."""
    k, d = centers.shape
    for i in range(len(X)):
        for j in range(k):
            p = power[i, j]
            weight[j] += p
            for t in range(d):
                shift[j, t] += p * (X[i, t] - centers[j, t])
