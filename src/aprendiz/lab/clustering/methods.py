"""The methods that are compared, and what is measured of each: silhouette, stability, and how far it agrees with the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score, silhouette_score

from aprendiz.cluster import AgglomerativeClustering, GaussianMixture, KMeans, KMedoids
from aprendiz.cluster.cluster_stability import cluster_stability
from aprendiz.core.rows import Array
from aprendiz.lab.clustering.table_of_rows import RowsAsPoints
from aprendiz.lab.exploration.samples import chosen_rows
from aprendiz.lab.levels import LevelWords
from aprendiz.locale import _, format_whole

RESAMPLES = 20
MOST_ROWS_OF_PAIRS = 3000  # for methods that need all distances
MOST_ROWS_OF_STABILITY = 1500
ROWS_OF_AN_ENTRY = 5  # of a full covariance, from which on a mixture has one


@dataclass(frozen=True)
class MethodResult:
    """The groups that a method finds, and what is measured of them.

    Attributes
    ----------
    method : str
    labels : ndarray
        0 to k − 1.
    silhouette : float
        The mean over the rows, of the distances between the points.
    agreement : float
        The mean adjusted Rand index between two resamples.
    stability : ndarray
        How well each group comes back in resamples (cluster_stability).
    """

    method: str
    labels: Array
    silhouette: float
    agreement: float
    stability: Array


def k_means(points: RowsAsPoints, k: int, seed: int, start: Array | None) -> tuple[Any, Array]:
    if start is not None:
        return KMeans(k, init=means_of(points.S, start), n_init=1, random_state=seed), points.S
    return KMeans(k, n_init=10, random_state=seed), points.S


def mixture(points: RowsAsPoints, k: int, seed: int, start: Array | None) -> tuple[Any, Array]:
    n, q = points.S.shape
    full = n >= ROWS_OF_AN_ENTRY * k * q * (q + 3) / 2
    begin: dict[str, Any] = {"n_init": 3} if start is None else {"means_init": means_of(points.S, start)}
    return GaussianMixture(k, covariance_type="full" if full else "diag", random_state=seed, **begin), points.S


def hierarchy(points: RowsAsPoints, k: int, _seed: int, _start: Array | None) -> tuple[Any, Array]:
    return AgglomerativeClustering(k, linkage="ward"), points.S


def medoids(points: RowsAsPoints, k: int, seed: int, _start: Array | None) -> tuple[Any, Array]:
    frame = LevelWords(points.columns).fit(points.frame).transform(points.frame)
    measure = KMedoids(k, metric="gower")
    return KMedoids(k, metric="precomputed", random_state=seed), measure.dissimilarities(measure.open(frame)).matrix()


def means_of(S: Array, labels: Array) -> Array:
    return np.array([S[labels == group].mean(axis=0) for group in range(labels.max() + 1)])


METHODS: dict[str, Callable[[RowsAsPoints, int, int, Array | None], tuple[Any, Array]]] = {
    "KMeans": k_means,
    "GaussianMixture": mixture,
    "AgglomerativeClustering": hierarchy,
    "KMedoids": medoids,
}
OF_PAIRS = ("AgglomerativeClustering", "KMedoids")


def chosen_method_names(given: str | None) -> list[str]:
    """The methods by name, all of them by default."""
    if given is None or given == "all":
        return list(METHODS)
    names = [name.strip() for name in given.split(",") if name.strip()]
    for name in names:
        if name not in METHODS:
            raise ValueError(
                _("There is no method {name} for groups; there are {known}.").format(name=repr(name), known=", ".join(METHODS))
            )
    return list(dict.fromkeys(names)) or list(METHODS)


def reason_against(method: str, rows: int) -> str:
    """Why a method is not tried; empty if it is."""
    if method in OF_PAIRS and rows > MOST_ROWS_OF_PAIRS:
        return _("it needs the distances between all rows; it is tried up to {rows} rows").format(
            rows=format_whole(MOST_ROWS_OF_PAIRS)
        )
    return ""


def fit_method(method: str, points: RowsAsPoints, k: int, seed: int, start: Array | None = None) -> MethodResult:
    """Find k groups, and measure them; k-means and mixtures start from given labels, if there are any."""
    model, X = METHODS[method](points, k, seed, start)
    fitted = model.fit(X)
    labels = np.unique(fitted.labels_ if hasattr(fitted, "labels_") else fitted.predict(X), return_inverse=True)[1]
    some = chosen_rows(len(points.S), MOST_ROWS_OF_STABILITY)
    part = X[np.ix_(some, some)] if method == "KMedoids" else X[some]
    found = cluster_stability(model, part, n_resamples=RESAMPLES, random_state=seed)
    return MethodResult(
        method, labels, mean_silhouette(points.S, labels), found.agreement, matched(labels[some], found.labels, found.stability)
    )


def mean_silhouette(S: Array, labels: Array) -> float:
    some = chosen_rows(len(S), MOST_ROWS_OF_PAIRS)
    kinds = len(np.unique(labels[some]))
    return float(silhouette_score(S[some], labels[some])) if 2 <= kinds < len(some) else float("nan")


def matched(labels: Array, others: Array, stability: Array) -> Array:
    """The stability of each group: that of the cluster with which it shares most rows."""
    table = np.zeros((labels.max() + 1, others.max() + 1))
    np.add.at(table, (labels, others), 1)
    return np.asarray(stability[table.argmax(axis=1)])


def choose_method(found: list[MethodResult], start: Array | None) -> MethodResult:
    """The one whose groups come back best in resamples; if the number of groups was found, also closest to those found then."""

    def merit(one: MethodResult) -> float:
        return one.agreement + (0.0 if start is None else float(adjusted_rand_score(start, one.labels)))

    most = max(map(merit, found))
    return max((one for one in found if merit(one) >= most - 0.05), key=lambda one: one.silhouette)


def agreements(found: list[MethodResult]) -> list[list[float]]:
    """The adjusted Rand index of each pair of methods."""
    return [[float(adjusted_rand_score(a.labels, b.labels)) for b in found] for a in found]
