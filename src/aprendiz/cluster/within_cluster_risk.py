"""The risks that clusterings lower, of any labels: what k-means, k-medoids and k-centers would each say of them.

With C the clusters, w the weights of the rows and d a distance:

    k-means      G = Σ_C Σ_{x∈C} w ‖x − m_C‖²,            m_C the mean of C                                   (1)
    k-medoids    G = Σ_C min_{m∈C} Σ_{x∈C} w d(x, m)                                                          (2)
    k-centers    G = max_C min_{c∈C} max_{x∈C} d(x, c)                                                        (3)

(1) and (2) are sums over the rows; the cost J of a clustering is their mean, J = G / Σ w, so `KMeans.inertia_` is G. (3) is a
radius and has no mean. Centres of (2) and (3) are rows of their cluster; the one of (1) need not be.

Cost: two passes, O(n·d), for (1); O(Σ |C|²·d) time and O(|C|) memory for (2) and (3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, get_args

import numpy as np

from aprendiz.cluster import KMeans
from aprendiz.cluster.centroids.nearest import totals
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import find_pivot

Kind = Literal["k-means", "k-medoids", "k-centers"]
TOGETHER = 256  # rows whose distances to their cluster are held at a time


def within_cluster_risk(
    X: Any,
    labels: Any,
    kind: Kind = "k-means",
    *,
    metric: str | Callable[..., float] = "euclidean",
    sample_weight: Any = None,
) -> float:
    """G, the risk of a clustering; G / Σ w is its cost J (of "k-means" and "k-medoids").

    Parameters
    ----------
    X : table of numbers
        Rows; for `metric="precomputed"`, the square matrix of their distances.
    labels : array of shape (n_samples,)
        The cluster of each row: numbers or words, all of them clusters.
    kind : {"k-means", "k-medoids", "k-centers"}, default="k-means"
        Squared distances to the mean (1), distances to the best row (2), or the largest radius (3).
    metric : str or function, default="euclidean"
        The distance of (2) and (3), as of NearestNeighbors.
    sample_weight : array of shape (n_samples,), optional
        Weights. Rows of weight 0 count in no sum and no radius, and are no centres.

    Examples
    --------
    >>> X, labels = [[0.0], [1.0], [5.0], [10.0], [12.0]], [0, 0, 0, 1, 1]
    >>> [within_cluster_risk(X, labels, kind) for kind in ("k-means", "k-medoids", "k-centers")]
    [16.0, 7.0, 4.0]
    """
    if kind not in get_args(Kind):
        raise ParameterError(f"kind must be 'k-means', 'k-medoids' or 'k-centers', got {kind!r}.")
    rows = KMeans(1).open(X, None, sample_weight)
    codes = cluster_codes(labels, rows)
    if kind == "k-means":
        return squares_to_means(rows, codes)
    table = rows.each(lambda block: block.X)
    w = rows.each(lambda block: block.weights)
    refuse_empty_sums(w, True, rows)
    costs = [cost_of_best_row(D, weight, kind) for D, weight in apart(table, codes, w, metric)]
    return float(sum(costs) if kind == "k-medoids" else max(costs))


def cluster_codes(labels: Any, rows: Rows) -> Array:
    """The clusters as numbers 0, 1, …"""
    given = np.asarray(labels)
    count = sum(len(block) for block in rows.blocks()) if rows.count is None else rows.count
    if given.shape != (count,):
        raise ValueError(f"labels has shape {given.shape}, X has {count} rows: give one label for each row.")
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise ValueError(
            f"labels holds {given[~np.isfinite(given)][0]} in row {int(np.argmin(np.isfinite(given)))}: name a cluster."
        )
    return np.unique(given, return_inverse=True)[1].astype(np.int32)


def squares_to_means(rows: Rows, codes: Array) -> float:
    """(1): the means around a pivot in one pass, the squares around the means in another."""
    pivots = np.tile(find_pivot(rows), (int(codes.max()) + 1, 1))
    around = rows.sum(totals, pivots, codes)
    refuse_empty_sums(around.weight, around.finite, rows)
    means = pivots + around.shift / np.where(around.weight > 0, around.weight, 1.0)[:, None]
    return float(rows.sum(totals, means, codes).cost)


def apart(X: Array, codes: Array, w: Array, metric: Any) -> Iterator[tuple[Dissimilarities, Array]]:
    """The distances within each cluster that has weight, and its weights."""
    given = isinstance(metric, str) and metric == "precomputed"
    if given:
        Dissimilarities.of(X, metric)  # what is refused is refused by the numbers of its rows
    for code in range(int(codes.max()) + 1):
        members = np.flatnonzero((codes == code) & (w > 0))
        if len(members):
            yield Dissimilarities.of(X[np.ix_(members, members)] if given else X[members], metric), w[members]


def cost_of_best_row(D: Dissimilarities, w: Array, kind: Kind) -> float:
    """What a cluster adds to (2), or its radius in (3)."""
    blocks = (np.arange(start, min(start + TOGETHER, D.count)) for start in range(0, D.count, TOGETHER))
    if kind == "k-medoids":
        return min(float((D.rows(block) @ w).min()) for block in blocks)
    return min(float(D.rows(block).max(axis=1).min()) for block in blocks)
