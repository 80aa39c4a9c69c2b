"""Truncated singular values, and random projections.

Power iterations and a Krylov space leave a little more than need be: everybody is compared on the squared error of the rows
projected on the components. A second case asks for the components to the end, scikit-learn by ARPACK. Random projections draw
other numbers; what they are compared on is how much the squared distances between some rows change, in the mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, Settings
from benchmarks.quality import Objective

TOPICS, WORDS = 100, 20_000
CELLS = 60  # words drawn for a row


def words(rows: int) -> Data:
    """Sparse rows of weighted words: each of a topic, which has words of its own beside those that all have in common."""
    random = np.random.default_rng(0)
    common, topic = 1.0 / np.arange(1.0, WORDS + 1), random.integers(0, TOPICS, rows)
    places = np.empty((rows, CELLS), np.int64)
    for t in range(TOPICS):
        shares = np.cumsum(0.3 * common + 0.7 * random.permutation(common))
        here = topic == t
        drawn = np.searchsorted(shares / shares[-1], random.random((int(here.sum()), CELLS)))
        places[here] = np.minimum(drawn, WORDS - 1)
    counts = sparse.csr_matrix(
        (np.ones(rows * CELLS), (np.repeat(np.arange(rows), CELLS), places.ravel())), shape=(rows, WORDS)
    )
    counts.sum_duplicates()
    seen = np.bincount(counts.indices, minlength=WORDS)
    counts.data = (1.0 + np.log(counts.data)) * (1.0 + np.log(rows / (1.0 + seen)))[counts.indices]
    lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1))).ravel()
    return (sparse.csr_matrix(sparse.diags(1.0 / lengths) @ counts),)


def correlated(rows: int) -> Data:
    """Dense rows of 500 columns, mixtures of factors whose scales fall from 1 to 0.01."""
    random = np.random.default_rng(0)
    factors = np.geomspace(1, 0.01, 500)[:, None] * random.normal(size=(500, 500))
    return (random.normal(size=(rows, 500)) @ factors,)


def wide(rows: int) -> Data:
    """Dense rows of 10 000 columns."""
    return (np.random.default_rng(0).normal(size=(rows, 10_000)),)


def given(**settings: Any) -> Settings:
    """The same settings for any data, with the seed of the run."""
    return lambda data, seed: {**settings, "random_state": seed}


def both(learner: str, module: str, method: str = "fit", **settings: Any) -> dict[str, Contender]:
    """aprendiz and scikit-learn."""
    modules = {OURS: "aprendiz.decomposition", SKLEARN: f"sklearn.{module}"}
    return {name: Contender(name, where, learner, given(**settings), method) for name, where in modules.items()}


def squared_error(data: Data, model: Any) -> float:
    """‖A − A V Vᵀ‖², of directions that are made orthonormal."""
    A, V = data[0], np.linalg.qr(np.asarray(model.components_, np.float64).T)[0]
    total = float((A.data**2).sum() if sparse.issparse(A) else (A**2).sum())
    return total - float(((A @ V) ** 2).sum())


def distortion(data: Data, found: Any) -> float:
    """The mean of |r − 1|, r the ratio of the squared distances of some rows after and before; of a model, or of images."""
    U = data[0][:200]
    V = found.transform(U) if hasattr(found, "transform") else found[:200]
    V = V.toarray() if sparse.issparse(V) else V
    before = ((U[1:] - U[:-1]) ** 2).sum(axis=1)
    return float(np.abs(((V[1:] - V[:-1]) ** 2).sum(axis=1) / before - 1.0).mean())


ERROR, DISTORTION = Objective("squared error", squared_error, 1e-3), Objective("mean distortion", distortion, 0.15)

CASES = (
    *(
        Case(
            f"TruncatedSVD, sparse 100 000 × 20 000, 50 components, {algorithm}",
            100_000,
            words,
            both("TruncatedSVD", "decomposition", n_components=50, algorithm=algorithm),
            ERROR,
            once=(SKLEARN,) if algorithm == "arpack" else (),
            grows=False,
        )
        for algorithm in ("randomized", "arpack")
    ),
    Case(
        "TruncatedSVD, 20 000 × 500, 20 components",
        20_000,
        correlated,
        both("TruncatedSVD", "decomposition", n_components=20),
        ERROR,
        grows=False,
    ),
    *(
        Case(
            f"{learner}, {method}, 2 000 × 10 000, 500 coordinates",
            2_000,
            wide,
            both(learner, "random_projection", method, n_components=500),
            DISTORTION,
            grows=False,
        )
        for learner in ("GaussianRandomProjection", "SparseRandomProjection")
        for method in ("fit", "transform")
    ),
)
