"""Agglomerative clustering: the whole tree of merges, from rows of numbers, with distances where a linkage needs them.

fastcluster is measured in both of its ways: `linkage` from a table of distances, and `linkage_vector`, which saves memory.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import FASTCLUSTER, OURS, SCIPY, SKLEARN, Contender, Data, contenders, fixed
from benchmarks.quality import Answer


class Merges:
    """A function of another library that returns the linkage matrix, as a learner."""

    def __init__(self, module: str, function: str, method: str):
        self.function, self.method = getattr(import_module(module), function), method

    def fit(self, X: Any) -> Merges:
        self.distances_ = self.function(X, self.method)[:, 2]
        return self


def clouds(rows: int) -> Data:
    """Thirty overlapping clouds in 16 dimensions."""
    rng = np.random.default_rng(0)
    centers = 3.0 * rng.standard_normal((30, 16))
    return (centers[rng.integers(0, 30, rows)] + rng.standard_normal((rows, 16)),)


def heights(data: Data, model: Any) -> Any:
    """All heights, lowest first."""
    return np.sort(model.distances_)


def whoever(linkage: str, vectors: bool = False) -> dict[str, Contender]:
    """The contenders that are installed; `vectors`: fastcluster without a table of distances."""
    settings = fixed(linkage=linkage, compute_distances=True)
    usual = contenders("cluster", "AgglomerativeClustering", settings, who=(OURS, SKLEARN))
    own = {
        SCIPY: ("scipy.cluster.hierarchy", "linkage"),
        FASTCLUSTER: ("fastcluster", "linkage_vector" if vectors else "linkage"),
    }
    others = {
        name: Contender(name, "benchmarks.linkage", "Merges", fixed(module=module, function=function, method=linkage))
        for name, (module, function) in own.items()
        if find_spec(module.partition(".")[0])
    }
    return usual | others


def case(linkage: str, vectors: bool = False) -> Case:
    way = ", fastcluster by vectors" if vectors else ""
    return Case(
        name=f"AgglomerativeClustering, {linkage}, 10 000 × 16{way}",
        rows=10_000,
        make=clouds,
        contenders=whoever(linkage, vectors),
        quality=Answer("heights", heights, 1e-9),
    )


CASES = (case("ward"), case("ward", True), case("single", True), case("average"), case("complete"))
