"""k-medoids of a matrix of distances: from random rows, and from the greedy start, against FasterPAM of the kmedoids package.

Both are random (kmedoids shuffles its candidates in any case): times and costs are means over seeds. FasterPAM is at its best
from random rows with all processors; its greedy start alone takes longer than all of its swaps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.harness import Case
from benchmarks.peers import KMEDOIDS, OURS, Contender, Data, Settings, also
from benchmarks.quality import Objective

CLUSTERS = 50
SEEDS = 2 if QUICK else 5


def distances(rows: int) -> Data:
    """Between rows of fifty overlapping clouds in 16 dimensions."""
    from scipy.spatial.distance import cdist
    from sklearn.datasets import make_blobs

    X = make_blobs(rows, 16, centers=CLUSTERS, cluster_std=3.0, random_state=0)[0]
    return (cdist(X, X),)


def distances_without_groups(rows: int) -> Data:
    """Between rows of one cloud in 8 dimensions, where many swaps are made."""
    from scipy.spatial.distance import cdist

    X = np.random.default_rng(0).normal(size=(rows, 8))
    return (cdist(X, X),)


def cost(data: Data, model: Any) -> float:
    """Σ of the distances to the nearest medoid, from the row numbers alone."""
    return float(data[0][:, model.medoid_indices_].min(axis=1).sum())


def settings(init: str) -> Settings:
    return lambda data, seed: {"n_clusters": CLUSTERS, "metric": "precomputed", "init": init, "random_state": seed}


def both(ours: str, theirs: str) -> dict[str, Contender]:
    """Ours and FasterPAM, each from a start."""
    us = Contender(OURS, "aprendiz.cluster", "KMedoids", settings(ours))
    return {OURS: us, **also(KMEDOIDS, "KMedoids", settings(theirs))}


CASES = (
    Case(
        name=f"KMedoids, 5 000 distances each, k = 50, from random rows, mean of {SEEDS} seeds",
        rows=5_000,
        make=distances,
        contenders=both("random", "random"),
        quality=Objective("mean cost", cost, 1e-3),
        seeds=tuple(range(SEEDS)),
    ),
    Case(
        name=f"KMedoids, 5 000 distances each, k = 50, one cloud, from random rows, mean of {SEEDS} seeds",
        rows=5_000,
        make=distances_without_groups,
        contenders=both("random", "random"),
        quality=Objective("mean cost", cost, 3e-3),
        seeds=tuple(range(SEEDS)),
        grows=False,
    ),
    Case(
        name="KMedoids, 5 000 distances each, k = 50, ours from BUILD, kmedoids from random rows",
        rows=5_000,
        make=distances,
        contenders=both("build", "random"),
        quality=Objective("cost", cost, 1e-3),
        grows=False,
    ),
    Case(
        name="KMedoids, 5 000 distances each, k = 50, both from BUILD",
        rows=5_000,
        make=distances,
        contenders=both("build", "build"),
        quality=Objective("cost", cost, 1e-3),
        grows=False,
        once=(KMEDOIDS,),
    ),
)
