"""k-means: from the same rows, where all must do the same passes, and from a start of each one's own.

scikit-learn runs by both of its algorithms; "elkan" stands in a column of its own. faiss knows single precision only and no
test of convergence: it gets as many passes as ours needs, all rows (`max_points_per_centroid`), and its centres are judged by
the same cost. A start of one's own is random: times and costs are means over seeds, and the costs may differ by what the seeds
explain.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

import numpy as np

from benchmarks import QUICK, THREADS
from benchmarks.harness import Case
from benchmarks.peers import ELKAN, FAISS, PACKAGES, SKLEARN, Contender, Data, contenders
from benchmarks.quality import Objective

SEEDS = 3 if QUICK else 10


class Faiss:
    """k-means of faiss from given centres."""

    def __init__(self, init: Any, passes: int):
        self.init, self.passes = init, passes
        self.faiss = import_module("faiss")
        self.faiss.omp_set_num_threads(THREADS)

    def fit(self, X: Any) -> Self:
        k, d = self.init.shape
        model = self.faiss.Kmeans(
            d, k, niter=self.passes, max_points_per_centroid=len(X), min_points_per_centroid=1, gpu=False, verbose=False
        )
        model.train(np.ascontiguousarray(X, np.float32), init_centroids=np.ascontiguousarray(self.init, np.float32))
        self.cluster_centers_, self.n_iter_ = model.centroids.astype(float), self.passes
        return self


def clouds(columns: int, clusters: int, spread: float, rows: int) -> Data:
    """Overlapping clouds."""
    from sklearn.datasets import make_blobs

    return (make_blobs(rows, columns, centers=clusters, cluster_std=spread, random_state=0)[0],)


def one_cloud(columns: int, rows: int) -> Data:
    """No clusters at all: passes without end."""
    return (np.random.default_rng(0).standard_normal((rows, columns)),)


def cost(data: Data, model: Any) -> float:
    """Σ ‖x − nearest centre‖², from the centres alone, the same way for everybody."""
    X, centers = data[0], model.cluster_centers_
    some = max(1, 2**22 // centers.size)
    parts = np.array_split(X, max(1, len(X) // some))
    return sum(float(((part[:, None, :] - centers) ** 2).sum(axis=2).min(axis=1).sum()) for part in parts)


def same_start(clusters: int, data: Data, seed: int) -> dict[str, Any]:
    """The first rows (they come in random order)."""
    return {"n_clusters": clusters, "init": data[0][:clusters], "n_init": 1}


def as_many_passes(clusters: int, data: Data, seed: int) -> dict[str, Any]:
    """Of faiss: the same start, and the passes that ours takes."""
    from aprendiz import KMeans

    start = data[0][:clusters]
    return {"init": start, "passes": KMeans(clusters, init=start, n_init=1).fit(data[0]).n_iter_}


def own_start(clusters: int, data: Data, seed: int) -> dict[str, Any]:
    return {"n_clusters": clusters, "n_init": 1, "random_state": seed}


def everybody(clusters: int) -> dict[str, Contender]:
    """ "elkan" and faiss beside the usual ones, from the same start."""
    start = partial(same_start, clusters)
    found = contenders("cluster", "KMeans", start)
    theirs = found[SKLEARN]
    found[ELKAN] = Contender(ELKAN, theirs.module, "KMeans", lambda data, seed: {**start(data, seed), "algorithm": "elkan"})
    if find_spec(PACKAGES[FAISS]):
        found[FAISS] = Contender(FAISS, __name__, "Faiss", partial(as_many_passes, clusters))
    return found


def from_the_same_rows(name: str, rows: int, clusters: int, make: Callable[[int], Data]) -> Case:
    """Everybody from the first rows of the table."""
    return Case(
        name=f"KMeans, {name}, k = {clusters}, same start",
        rows=rows,
        make=make,
        contenders=everybody(clusters),
        quality=Objective("cost", cost, 1e-3),
        passes=lambda model: model.n_iter_,
        grows=False,
    )


CASES = (
    from_the_same_rows("100 000 × 16", 100_000, 50, partial(clouds, 16, 50, 3.0)),
    from_the_same_rows("1 000 000 × 8", 1_000_000, 20, partial(clouds, 8, 20, 3.0)),
    from_the_same_rows("20 000 × 256", 20_000, 256, partial(one_cloud, 256)),
    from_the_same_rows("100 000 × 8, no clusters", 100_000, 30, partial(one_cloud, 8)),
    Case(
        name=f"KMeans, 100 000 × 16, k = 50, k-means++, mean of {SEEDS} seeds",
        rows=100_000,
        make=partial(clouds, 16, 50, 3.0),
        contenders=contenders("cluster", "KMeans", partial(own_start, 50)),
        quality=Objective("mean cost", cost, 1e-3),
        seeds=tuple(range(SEEDS)),
        grows=False,
    ),
)
