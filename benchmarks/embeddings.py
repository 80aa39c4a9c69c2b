"""Scaling, Isomap and embeddings of graphs: tables of all pairs of rows, shortest paths, and few eigenvectors.

`MDS` starts from the same points with both, and its objective is the stress. Neighbours are few, as they usually are;
scikit-learn's spectral embedding takes a tenth of the rows by default. scikit-learn-intelex has none of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, Settings
from benchmarks.quality import Answer, Objective


def mixed(rows: int) -> Data:
    """Ten correlated columns."""
    random = np.random.default_rng(0)
    return (random.normal(size=(rows, 10)) @ random.normal(size=(10, 10)),)


def rolled(rows: int) -> Data:
    """A rolled sheet."""
    from sklearn.datasets import make_swiss_roll

    return (make_swiss_roll(rows, random_state=0)[0],)


def matrix_bytes(rows: int) -> float:
    """Bytes of a table of all pairs."""
    return 8.0 * rows * rows


def given(settings: dict[str, Any]) -> Settings:
    """The same settings for any data."""
    return lambda data, seed: settings


def both(name: str, **settings: Any) -> dict[str, Contender]:
    modules = {OURS: "aprendiz.decomposition", SKLEARN: "sklearn.manifold"}
    return {who: Contender(who, module, name, given(settings)) for who, module in modules.items()}


def our_scaling(X: Any, metric: bool) -> Any:
    from aprendiz.decomposition import MDS

    return MDS(metric_mds=metric, normalized_stress=False).fit(X, init=start(len(X)))


def their_scaling(X: Any, metric: bool) -> Any:
    from sklearn.manifold import MDS

    return MDS(metric_mds=metric, normalized_stress=False, init="random").fit(X, init=start(len(X)))


def our_metric(X: Any) -> Any:
    return our_scaling(X, True)


def their_metric(X: Any) -> Any:
    return their_scaling(X, True)


def our_ordinal(X: Any) -> Any:
    return our_scaling(X, False)


def their_ordinal(X: Any) -> Any:
    return their_scaling(X, False)


def start(rows: int) -> Any:
    return np.random.default_rng(1).uniform(size=(rows, 2))


def scaling(kind: str) -> dict[str, Contender]:
    functions = {OURS: f"our_{kind}", SKLEARN: f"their_{kind}"}
    return {who: Contender(who, "benchmarks.embeddings", name, method=None) for who, name in functions.items()}


def upright(points: Any) -> Any:
    return points * np.sign(points[np.abs(points).argmax(axis=0), np.arange(points.shape[1])])


STRESS = Objective("stress", lambda data, model: model.stress_, 1e-9)
ORDINAL = Objective("stress", lambda data, model: model.stress_, 0.02)  # from other disparities to near minima
POINTS = Answer("points", lambda data, model: upright(model.embedding_), 1e-6)
ERROR = Answer("reconstruction error", lambda data, model: model.reconstruction_error_, 1e-3)

CASES = (
    Case("ClassicalMDS, 2 000 × 10", 2_000, mixed, both("ClassicalMDS"), POINTS, bytes=matrix_bytes),
    *(
        Case(name, rows, mixed, scaling("metric"), STRESS, bytes=matrix_bytes, grows=False)
        for name, rows in (("MDS, 500 × 10", 500), ("MDS, 2 000 × 10", 2_000))
    ),
    Case("MDS, ordinal, 500 × 10", 500, mixed, scaling("ordinal"), ORDINAL, bytes=matrix_bytes, once=(SKLEARN,), grows=False),
    Case("Isomap, 3 000 × 3", 3_000, rolled, both("Isomap", n_neighbors=8), POINTS, bytes=matrix_bytes),
    Case("SpectralEmbedding, 10 neighbours, 3 000 × 3", 3_000, rolled, both("SpectralEmbedding", n_neighbors=10), POINTS),
    Case("SpectralEmbedding, rows/10 neighbours, 3 000 × 3", 3_000, rolled, both("SpectralEmbedding"), POINTS),
    *(
        Case(
            f"LocallyLinearEmbedding, {method}, 3 000 × 3",
            3_000,
            rolled,
            both("LocallyLinearEmbedding", n_neighbors=12, method=method),
            ERROR,
        )
        for method in ("standard", "modified", "ltsa")
    ),
)
