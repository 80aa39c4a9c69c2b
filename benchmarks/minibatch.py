"""k-means by mini-batches, from a start of each one's own: random, so times and costs are means over seeds."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks import QUICK
from benchmarks.cluster import clouds, cost
from benchmarks.harness import Case
from benchmarks.peers import Data, contenders
from benchmarks.quality import Objective

SEEDS = 3 if QUICK else 10


def own_start(data: Data, seed: int) -> dict[str, Any]:
    return {"n_clusters": 50, "random_state": seed}


CASES = (
    Case(
        name=f"MiniBatchKMeans, 200 000 × 16, k = 50, mean of {SEEDS} seeds",
        rows=200_000,
        make=partial(clouds, 16, 50, 3.0),
        contenders=contenders("cluster", "MiniBatchKMeans", own_start),
        quality=Objective("mean cost", cost, 1e-2),
        seeds=tuple(range(SEEDS)),
        grows=False,
    ),
)
