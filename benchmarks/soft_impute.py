"""Completion with the nuclear norm beside the loop of its definition, which no other library here has.

The loop fills the unknown cells, takes the singular value decomposition of the dense table with LAPACK and shrinks it, until
the objective falls by less than a hundred-thousandth in a pass. Both get the same cells, without the means of rows and columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, SCIPY, Contender, Data, Settings
from benchmarks.quality import Objective

STARS = 100_000  # ratings of 943 persons


def ratings(rows: int) -> Data:
    """Ratings of 1 682 items by some persons, as many for each as if 943 gave 100 000: eight tastes, rounded to stars."""
    random = np.random.default_rng(0)
    count, columns = STARS * rows // 943, 1_682
    cells = np.unique(random.integers(0, rows, 2 * count) * columns + (columns * random.random(2 * count) ** 2).astype(int))
    cells = np.sort(random.permutation(cells)[:count])
    i, j = cells // columns, cells % columns
    U, V = random.normal(size=(rows, 8)) / np.sqrt(8), random.normal(size=(columns, 8))
    stars = np.clip(np.round(3.5 + (U[i] * V[j]).sum(axis=1) + random.normal(scale=0.7, size=len(i))), 1, 5)
    return (without_means(stars, i, j, (rows, columns)),)


def holes(columns: int) -> Any:
    """A table of rank 10 with noise, half of its cells known."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        A = random.normal(size=(rows, 10)) @ random.normal(size=(10, columns)) + random.normal(size=(rows, columns))
        return (np.where(random.random(A.shape) < 0.5, A, np.nan),)

    return make


def without_means(stars: Any, i: Any, j: Any, shape: tuple[int, int]) -> Any:
    """The ratings as a sparse table, without the mean of each item and then that of each person."""
    from scipy import sparse

    stars = stars - (np.bincount(j, stars, shape[1]) / np.maximum(np.bincount(j, minlength=shape[1]), 1))[j]
    stars = stars - (np.bincount(i, stars, shape[0]) / np.maximum(np.bincount(i, minlength=shape[0]), 1))[i]
    return sparse.csr_array((stars, (i, j)), shape=shape)


def dense(X: Any) -> Any:
    """The table with NaN in unknown cells."""
    if isinstance(X, np.ndarray):
        return X
    found, cells = np.full(X.shape, np.nan), X.tocoo()
    found[cells.row, cells.col] = cells.data
    return found


def loop(X: Any, penalty: float = 1.0, passes: int = 500) -> Any:
    """The loop of the definition."""
    A = dense(X)
    known, M, before = ~np.isnan(A), np.zeros(A.shape), np.inf
    for _ in range(passes):
        U, s, Vt = np.linalg.svd(np.where(known, A, M), full_matrices=False)
        s = np.maximum(s - penalty, 0.0)
        kept = s > 0
        M = (U[:, kept] * s[kept]) @ Vt[kept]
        value = 0.5 * ((A - M)[known] ** 2).sum() + penalty * s.sum()
        if before - value <= 1e-5 * value:
            break
        before = value
    return U[:, kept] * s[kept], Vt[kept].T


def ours(X: Any, penalty: float = 1.0) -> Any:
    from aprendiz.decomposition import SoftImpute

    model = SoftImpute(penalty, tol=1e-3, random_state=0).fit(X)
    return model.row_factors_, model.column_factors_


def objective(penalty: float) -> Any:
    """½‖P_Ω(A − M)‖² + λ‖M‖_* of factors."""

    def value(data: Data, factors: Any) -> float:
        U, V = factors
        norm = np.linalg.svd(np.linalg.qr(U)[1] @ np.linalg.qr(V)[1].T, compute_uv=False).sum()
        return float(0.5 * np.nansum((dense(data[0]) - U @ V.T) ** 2) + penalty * norm)

    return value


def both(penalty: float) -> dict[str, Contender]:
    settings: Settings = lambda data, seed: {"penalty": penalty}  # noqa: E731
    module = "benchmarks.soft_impute"
    return {
        OURS: Contender(OURS, module, "ours", settings, None),
        SCIPY: Contender(SCIPY, module, "loop", settings, None),
    }


CASES = tuple(
    Case(name, rows, make, both(penalty), Objective("objective", objective(penalty), 1e-3), once=(SCIPY,), grows=False)
    for name, rows, make, penalty in (
        ("SoftImpute, 943 × 1 682, 100 000 ratings, rank 8", 943, ratings, 20.0),
        ("SoftImpute, 943 × 1 682, 100 000 ratings, rank 23", 943, ratings, 15.0),
        ("SoftImpute, 1 000 × 300, half of the cells, rank 10", 1_000, holes(300), 50.0),
    )
)
