"""Neighbours: brute force in many columns, kd-trees in few; building and asking are timed apart.

A contender here is an index over points, `fit(queries, points)`, and its answer to `ask(queries)`. scikit-learn and intelex
search by the method that is their fastest on these rows, faiss in single precision, its only one (the rows are singles, so that
nobody's answer differs).
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

import numpy as np

from benchmarks import THREADS
from benchmarks.harness import Case
from benchmarks.peers import INTELEX, OURS, SKLEARN, Contender, Data, fixed
from benchmarks.quality import Answer

FAISS, SCIPY = "faiss", "SciPy"
MODULES = {OURS: "aprendiz", SKLEARN: "sklearn", INTELEX: "sklearnex", FAISS: "faiss", SCIPY: "scipy"}
K = 5


class Neighbours:
    """The `NearestNeighbors` of a library."""

    def __init__(self, library: str, algorithm: str = "auto"):
        self.learner = import_module(f"{library}.neighbors").NearestNeighbors(n_neighbors=K, algorithm=algorithm)
        if library == "sklearn":
            self.learner.n_jobs = THREADS

    def fit(self, queries: Any, points: Any) -> Self:
        self.learner.fit(points)
        return self

    def ask(self, queries: Any) -> Any:
        return self.learner.kneighbors(queries)[0]


class Faiss(Neighbours):
    """The exact index of faiss."""

    def __init__(self) -> None:
        self.faiss = import_module("faiss")
        self.faiss.omp_set_num_threads(THREADS)

    def fit(self, queries: Any, points: Any) -> Self:
        self.index = self.faiss.IndexFlatL2(points.shape[1])
        self.index.add(points)
        return self

    def ask(self, queries: Any) -> Any:
        return np.sqrt(self.index.search(queries, K)[0])


class Scipy(Neighbours):
    """The kd-tree of SciPy."""

    def __init__(self) -> None:
        self.tree = import_module("scipy.spatial").cKDTree

    def fit(self, queries: Any, points: Any) -> Self:
        self.index = self.tree(points)
        return self

    def ask(self, queries: Any) -> Any:
        return self.index.query(queries, K, workers=THREADS)[0]


def whoever(method: str, names: tuple[str, ...], algorithm: str) -> dict[str, Contender]:
    """The contenders that are installed."""
    here = [name for name in names if find_spec(MODULES[name])]
    own = {FAISS: ("Faiss", fixed()), SCIPY: ("Scipy", fixed())}
    learners = {
        name: own.get(name, ("Neighbours", fixed(library=MODULES[name], algorithm="auto" if name == OURS else algorithm)))
        for name in here
    }
    return {name: Contender(name, "benchmarks.neighbors", *learner, method) for name, learner in learners.items()}


def wide(rows: int) -> Data:
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows // 10, 30)).astype(np.float32), rng.normal(size=(rows, 30)).astype(np.float32)


def cloud(rows: int) -> Data:
    points = np.random.default_rng(0).normal(size=(rows, 3))
    return points, points


def distances(data: Data, answer: Any) -> Any:
    """What was answered; a fitted index is asked here."""
    return answer.ask(data[0]) if isinstance(answer, Neighbours) else answer


WIDE = (OURS, SKLEARN, INTELEX, FAISS)
FEW = (OURS, SKLEARN, SCIPY)

CASES = (
    Case(
        name="5 nearest, 5 000 queries among 50 000 × 30",
        rows=50_000,
        make=wide,
        contenders=whoever("ask", WIDE, "brute"),
        quality=Answer("distances", distances, 1e-5),  # those of singles
        flops=lambda rows: 2.0 * 32 * rows * (rows // 10),
        grows=False,
    ),
    Case(
        name="kd-tree, 200 000 × 3, building",
        rows=200_000,
        make=cloud,
        contenders=whoever("fit", FEW, "kd_tree"),
        quality=Answer("distances", distances, 1e-12),
        grows=False,
    ),
    Case(
        name="kd-tree, 200 000 × 3, 5 nearest of every row",
        rows=200_000,
        make=cloud,
        contenders=whoever("ask", FEW, "kd_tree"),
        quality=Answer("distances", distances, 1e-12),
        grows=False,
    ),
)
