"""Stability of a clustering: do its clusters come back when the rows are drawn again?

Each resample draws n rows with return and clusters them anew. A cluster C of all rows is compared with the most similar
cluster Δ of the resample, on the rows A that the resample says something of (all of them if the learner predicts new rows,
else the rows drawn):

    J(C) = max_Δ |C ∩ Δ ∩ A| / |(C ∪ Δ) ∩ A|                                                                  (1)

The mean of (1) over the resamples is the stability of C. As a rule of thumb a cluster is stable from 0.75 on; at 0.5 or below
it has dissolved: half of it is elsewhere. One number for the whole is the mean adjusted Rand index between two resamples, on
the rows that both know: 1 for equal partitions, about 0 for unrelated ones.

A stable cluster need not be a true one: a method that forces k groups on one cloud may cut it each time at the same place.

Cost: n_resamples fits.
References: Hennig, "Cluster-wise assessment of cluster stability", Computational Statistics & Data Analysis 52, 2007;
Hubert & Arabie, "Comparing partitions", Journal of Classification 2, 1985.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from aprendiz.cluster import KMeans
from aprendiz.cluster.shared.refits import is_precomputed, labels_of, seed_copy
from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import in_memory

STABLE, DISSOLVED = 0.75, 0.5
UNKNOWN = -1


@dataclass(frozen=True)
class ClusterStability:
    """How well the clusters of a table come back in resamples of it.

    Attributes
    ----------
    clusters, sizes : ndarray of shape (k,)
        The labels of the clusters of all rows, and their numbers of rows.
    similarity : ndarray of shape (n_resamples, k)
        (1) for each resample and cluster; NaN where a resample knows no row of the cluster.
    agreement : float
        The mean adjusted Rand index between two resamples; NaN if there is but one.
    labels : ndarray of shape (n_samples,)
        The clustering of all rows that was judged.
    """

    clusters: Array
    sizes: Array
    similarity: Array
    agreement: float
    labels: Array

    @property
    def stability(self) -> Array:
        """The mean of (1) of each cluster."""
        return np.asarray(np.nanmean(self.similarity, axis=0))

    @property
    def dissolved(self) -> Array:
        """In how many resamples (1) was 0.5 or less, for each cluster."""
        return np.asarray((self.similarity <= DISSOLVED).sum(axis=0))

    @property
    def stable(self) -> Array:
        """Which clusters have a stability of at least 0.75."""
        return self.stability >= STABLE

    def __str__(self) -> str:
        count = len(self.similarity)
        lines = [f"{'cluster':>8s} {'rows':>7s} {'stability':>10s} {'dissolved':>12s}"]
        for cluster, size, mean, lost in zip(self.clusters, self.sizes, self.stability, self.dissolved, strict=True):
            lines.append(f"{cluster!s:>8s} {size:7d} {mean:10.3f} {f'{lost} of {count}':>12s}")
        lines.append(f"{int(self.stable.sum())} of {len(self.clusters)} clusters are stable (0.75 or more in the mean)")
        if count > 1:
            lines.append(f"agreement of two resamples: {self.agreement:.3f} (adjusted Rand index)")
        return "\n".join(lines)


def cluster_stability(model: Any, X: Any, *, n_resamples: int = 20, random_state: Any = None) -> ClusterStability:
    """How well the clusters of `model` come back when the rows are drawn again with return.

    Parameters
    ----------
    model : clusterer
        Not fitted by the call. A learner without `predict` speaks only of the rows that were drawn.
    X : table of numbers
        Rows; for a model with `metric="precomputed"`, the square matrix of their distances.
    n_resamples : int, default=20
        How often the rows are drawn and clustered.
    random_state : int, RandomState or None
        The seed of the resamples and, where the model has none of its own, of its fits.

    Examples
    --------
    >>> from aprendiz import KMeans
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (60, 2)), rng.normal(6, 1, (40, 2))])
    >>> print(cluster_stability(KMeans(2), X, random_state=0))
     cluster    rows  stability    dissolved
           0      60      1.000      0 of 20
           1      40      1.000      0 of 20
    2 of 2 clusters are stable (0.75 or more in the mean)
    agreement of two resamples: 1.000 (adjusted Rand index)
    """
    refuse_count("n_resamples", n_resamples)
    if not hasattr(model, "fit"):
        raise ParameterError(f"model must be a clusterer such as KMeans(3), got {model!r}.")
    given, rows = is_precomputed(model), KMeans(1).open(X)
    table = rows.X if in_memory(rows) else rows.each(lambda block: block.X)
    seed = draw_seed(random_state)
    labels = labels_of(seed_copy(model, seed, 0).fit(table), table)
    known = [relabel(model, table, given, seed, number) for number in range(1, n_resamples + 1)]
    clusters, sizes = np.unique(labels, return_counts=True)
    return ClusterStability(
        clusters=clusters,
        sizes=sizes,
        similarity=np.array([similarities(labels, clusters, other) for other in known]),
        agreement=agreement(known),
        labels=labels,
    )


def relabel(model: Any, X: Any, given: bool, seed: int, number: int) -> Array:
    """The labels that a resample gives to the rows; −1 where it says nothing."""
    n = X.shape[0]
    drawn = np.floor(uniforms(seed, number, n) * n).astype(np.int64)
    fitted = seed_copy(model, seed, number).fit(X[np.ix_(drawn, drawn)] if given else X[drawn])
    if hasattr(fitted, "predict"):
        return np.unique(fitted.predict(X[:, drawn] if given else X), return_inverse=True)[1]
    answer = np.full(n, UNKNOWN)
    answer[drawn] = np.unique(fitted.labels_, return_inverse=True)[1]
    return answer


def similarities(labels: Array, clusters: Array, other: Array) -> Array:
    """(1) of each cluster, on the rows that the resample knows."""
    known = other != UNKNOWN
    present, common = np.unique(labels[known]), contingency_matrix(labels[known], other[known])
    sizes, others = common.sum(axis=1, keepdims=True), common.sum(axis=0, keepdims=True)
    best = np.full(len(clusters), np.nan)
    best[np.isin(clusters, present)] = (common / (sizes + others - common)).max(axis=1)
    return best


def agreement(known: list[Array]) -> float:
    """The mean adjusted Rand index over all pairs of resamples."""
    scores = []
    for one, other in combinations(known, 2):
        both = (one != UNKNOWN) & (other != UNKNOWN)
        scores.append(adjusted_rand_score(one[both], other[both]))
    return float(np.mean(scores)) if scores else float("nan")
