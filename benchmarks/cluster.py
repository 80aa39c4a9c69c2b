"""k-means: from the same fifty rows, where all must do the same passes, and from a start of each one's own.

The second is random: times and costs are means over seeds, and the costs may differ by what the seeds explain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.harness import Case
from benchmarks.peers import Data, contenders
from benchmarks.quality import Objective

CLUSTERS = 50
SEEDS = 3 if QUICK else 10


def blobs(rows: int) -> Data:
    """Fifty overlapping clouds in 16 dimensions."""
    from sklearn.datasets import make_blobs

    return (make_blobs(rows, 16, centers=CLUSTERS, cluster_std=3.0, random_state=0)[0],)


def cost(data: Data, model: Any) -> float:
    """Σ ‖x − nearest centre‖², from the centres alone, the same way for everybody."""
    X, centers = data[0], model.cluster_centers_
    parts = np.array_split(X, max(1, len(X) // 10_000))
    return sum(float(((part[:, None, :] - centers) ** 2).sum(axis=2).min(axis=1).sum()) for part in parts)


def same_start(data: Data, seed: int) -> dict[str, Any]:
    """The first rows (they come in random order)."""
    return {"n_clusters": CLUSTERS, "init": data[0][:CLUSTERS], "n_init": 1}


def own_start(data: Data, seed: int) -> dict[str, Any]:
    return {"n_clusters": CLUSTERS, "n_init": 1, "random_state": seed}


CASES = (
    Case(
        name="KMeans, 100 000 × 16, k = 50, same start",
        rows=100_000,
        make=blobs,
        contenders=contenders("cluster", "KMeans", same_start),
        quality=Objective("cost", cost, 1e-6),
        passes=lambda model: model.n_iter_,
    ),
    Case(
        name=f"KMeans, 100 000 × 16, k = 50, k-means++, mean of {SEEDS} seeds",
        rows=100_000,
        make=blobs,
        contenders=contenders("cluster", "KMeans", own_start),
        quality=Objective("mean cost", cost, 1e-3),
        seeds=tuple(range(SEEDS)),
        grows=False,
    ),
)
