"""The residuals at the known cells as a sparse matrix R, its leading singular pairs, and an upper bound of its spectral norm.

    RᵀR x, with full reorthogonalisation (Lanczos), beside the factors:  (I − PPᵀ) R (I − QQᵀ)                (1)

Ritz values bound ‖R‖ from below. From above, for up to 1 024 rows or columns, the largest eigenvalue of the Gram matrix G̃ that
was computed, with what rounding may have taken from it:

    ‖R‖² ≤ λ₁(G̃)·(1 + 10·m·ε) + k·ε·‖R‖²_F        k terms in an entry of G̃                                    (2)

and beyond that what a random start says: of all unit vectors x₁, a share of at least 1 − δ gives after s steps a Ritz value

    ξ_s ≥ (1 − η)·‖R‖²,     √η = ln(1.648·√m/δ)/(2s − 1)                                                       (3)

Cost: two products with R for each step; for (2) at most m² multiplications for each of the longer lines, and some m³.
Reference for (3): Kuczyński & Woźniakowski, "Estimating the largest eigenvalue by the power and Lanczos algorithms with a
random start", SIAM J. Matrix Anal. Appl. 13, 1992, theorem 4.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from scipy import linalg, sparse
from scipy.special import ndtri

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.decomposition.completion.known_cells import Cells, KnownCells, index_starts
from aprendiz.decomposition.completion.ridge_rows import products, residuals

EPS = float(np.finfo(float).eps)
EXACT = 1_024  # rows or columns to which the Gram matrix is formed
STEPS = 200  # of Lanczos for (3)
DOUBT = 1e-9  # δ of (3)


class Pairs(NamedTuple):
    """Singular values from below, descending, with their vectors as columns."""

    values: Array
    left: Array
    right: Array


@dataclass(frozen=True)
class ResidualMatrix:
    """R, by rows and by columns."""

    cells: KnownCells
    by_rows: Array
    by_columns: Array

    @classmethod
    def of(cls, cells: KnownCells, U: Array, V: Array) -> Self:
        return cls(cells, residuals(cells.by_rows, U, V), residuals(cells.by_columns, V, U))

    def times(self, Z: Array) -> Array:
        """R Z."""
        return products(self.cells.by_rows, self.by_rows, Z)

    def transposed_times(self, Z: Array) -> Array:
        """RᵀZ."""
        return products(self.cells.by_columns, self.by_columns, Z)

    def leading_pairs(self, count: int, steps: int, seed: int, beside: tuple[Array, Array] | None = None) -> Pairs:
        """The largest Ritz pairs of (1), at most `count`."""
        P, Q = beside or (np.empty((self.cells.shape[0], 0)), np.empty((self.cells.shape[1], 0)))
        ahead, back = self.times, self.transposed_times
        wide = self.cells.shape[0] < self.cells.shape[1]  # the shorter side holds the vectors
        if wide:
            P, Q, ahead, back = Q, P, back, ahead
        alpha, beta, X = lanczos(lambda x: without(Q, back(without(P, ahead(x)))), without(Q, start(len(Q), seed)), steps)
        _squares, T = linalg.eigh_tridiagonal(alpha, beta)
        right = X @ T[:, ::-1][:, :count]
        left = without(P, ahead(right))
        sizes = np.linalg.norm(left, axis=0)
        left = np.divide(left, sizes, out=np.zeros_like(left), where=sizes > 0)
        return Pairs(sizes, right, left) if wide else Pairs(sizes, left, right)

    def norm_bound(self, seed: int) -> tuple[float, float]:
        """An upper bound of ‖R‖, and the probability with which it fails: (2) or (3)."""
        m = min(self.cells.shape)
        if m <= EXACT:
            G, terms, frobenius = self.gram()
            largest = max(float(linalg.eigvalsh(G, subset_by_index=[m - 1, m - 1])[0]), 0.0)
            return math.sqrt(largest * (1.0 + 10 * m * EPS) + terms * EPS * frobenius), 0.0
        share = (math.log(1.648 * math.sqrt(m) / DOUBT) / (2 * STEPS - 1)) ** 2
        found = self.leading_pairs(1, STEPS, seed).values[0]
        return float(found) * (1.0 + 1e-9) / math.sqrt(1.0 - share), DOUBT

    def gram(self) -> tuple[Array, int, float]:
        """The Gram matrix of the shorter side, how many terms an entry has at most, and ‖R‖²_F."""
        wide = self.cells.shape[0] < self.cells.shape[1]
        long, values = (self.cells.by_columns, self.by_columns) if wide else (self.cells.by_rows, self.by_rows)
        m, lines = min(self.cells.shape), max(self.cells.shape)
        R = as_sparse(long, values, m)
        if 4.0 * float((long.counts.astype(float) ** 2).sum()) < lines * float(m) ** 2 / 8:
            G = (R.T @ R).toarray()
        else:
            G, height = np.zeros((m, m)), max(1, 2**20 // m)
            for first in range(0, lines, height):
                some = R[first : first + height].toarray()
                G += some.T @ some
        return G, lines + 2, float(values @ values)


def as_sparse(cells: Cells, values: Array, columns: int) -> sparse.csr_array:
    """These values in their cells."""
    table = sparse.csr_array((len(cells.starts) - 1, columns))
    table.data, table.indices, table.indptr = values, cells.places.view(np.int32), index_starts(cells.starts)
    return table


def without(basis: Array, X: Array) -> Array:
    """What of the columns of X lies beside an orthonormal basis; twice is enough."""
    if basis.shape[1] == 0:
        return X
    X = X - basis @ (basis.T @ X)
    return X - basis @ (basis.T @ X)


def start(m: int, seed: int) -> Array:
    """A random direction, all directions alike."""
    return ndtri(uniforms(seed, 0, m) + 2.0**-54)[:, None]


def lanczos(product: Callable[[Array], Array], x: Array, steps: int) -> tuple[Array, Array, Array]:
    """The tridiagonal form of a symmetric product: its diagonal, what stands beside it, and the basis as columns."""
    basis = np.zeros((len(x), min(steps, len(x))))
    alpha: list[float] = []
    beta: list[float] = []
    length = float(np.linalg.norm(x))
    for step in range(basis.shape[1]):
        if step and length <= 1e-14 * max(map(abs, alpha)):
            break
        basis[:, step] = x[:, 0] / (length or 1.0)
        if step:
            beta.append(length)
        x = product(basis[:, step : step + 1])
        alpha.append(float(basis[:, step] @ x[:, 0]))
        x = without(basis[:, : step + 1], x)
        length = float(np.linalg.norm(x))
    return np.array(alpha), np.array(beta), basis[:, : len(alpha)]
