"""Singular vectors of a large table, by products with a few columns.

    Q = the dominant directions of AᵀA                                       (randomized/range_finder.py)      (1)
    T = A Q = U₀ R,     R = W S Pᵀ,     V = Q P                                                                (2)
    ‖A(I − VVᵀ)‖₂ by probes                                                  (randomized/norm_bound.py)        (3)

The values come from (2), where nothing is squared. (3) asks nothing of how V was found: if a probe finds more than the last
component has, a narrow block has missed copies of a repeated singular value, and a wide one is taken.

Cost: a pass for each step of (1) and (3), and one for (2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import linalg, sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import compress
from aprendiz.core.sums import Spread, Sums, find_pivot
from aprendiz.decomposition.randomized.norm_bound import remaining_norm
from aprendiz.decomposition.randomized.products import GramProduct, back_product, thin, times
from aprendiz.decomposition.randomized.range_finder import PRECISE, dominant_directions
from aprendiz.decomposition.svd.singular_space import EPS, SingularSpace, upright
from aprendiz.summaries.moments import Triangle

TIES = 1e-9  # of a singular value: what a probe finds is larger by more than that, or equal
ROUNDING = 1e-12  # of the largest, below which a singular value is 0


def by_krylov(rows: Rows, k: int, *, width: int, steps: int, tolerance: float, seed: int) -> SingularSpace:
    """The first k triplets."""
    rows = thin(rows)
    columns = column_sums(rows)

    def product(Q: Array) -> Array:
        return rows.sum(GramProduct.of, Q).product

    found = dominant_directions(product, rows.columns, k, width=width, steps=steps, seed=seed, tolerance=tolerance)
    space = Projected.space(rows, found.vectors, k)
    below, above = remaining_norm(product, space.V, seed)
    slack = max(ROUNDING, float(np.sqrt(tolerance)) if tolerance > PRECISE else 0.0)  # an eigenvalue's, of the largest value
    if width < k and below > space.values[-1] * (1.0 + TIES) + slack * space.values[0]:
        return by_krylov(rows, k, width=min(2 * k, rows.columns), steps=steps, tolerance=tolerance, seed=seed)
    total = float((columns.scatter + columns.weight * columns.mean**2).sum())
    left = float(np.sqrt(max(total - (space.values**2).sum(), 0.0)))
    return SingularSpace(
        vectors=space.V.T,
        values=space.values,
        variances=space.variances,
        total_variance=float(columns.scatter.sum() / columns.weight.max()),
        rows=int(columns.known.max()),
        norm=float(np.sqrt(total)),
        left=left,
        spectral=(min(below, left), above),
        residual=space.residual,
        method="krylov",
        settled=found.settled,
    )


@dataclass(frozen=True)
class Projection:
    """(2): V as columns, values, variances of the coordinates, and ‖AᵀU − VS‖."""

    V: Array
    values: Array
    variances: Array
    residual: float


@dataclass(frozen=True)
class Projected(Sums):
    """The triangle of the rows of T, and AᵀT."""

    triangle: Triangle
    product: Array

    @classmethod
    def of(cls, Q: Array, pivot: Array, block: Block) -> Self:
        T = times(block.X, Q)
        return cls(Triangle.of(pivot, Block(T, None, block.weight, block.start)), back_product(block, T))

    @classmethod
    def space(cls, rows: Rows, Q: Array, k: int) -> Projection:
        """(2), in one pass."""
        Q = np.ascontiguousarray(Q)
        pivot = rows.first(lambda block: np.median(times(block.head(100).X, Q), axis=0))
        record = rows.sum(cls.of, Q, pivot)
        triangle = record.triangle
        _W, S, P = linalg.svd(triangle.around(np.zeros(Q.shape[1])).R[:, 1:], full_matrices=False, check_finite=False)
        S, P = S[:k], P[:k].T
        signed = upright((Q @ P).T).T
        P = P * np.where((signed * (Q @ P)).sum(axis=0) < 0, -1.0, 1.0)
        residual = record.product @ P - signed * S**2
        sizes = np.divide(np.linalg.norm(residual, axis=0), S, out=np.zeros_like(S), where=4.0 * EPS * S.max(initial=0.0) < S)
        variances = ((triangle.R[1:, 1:] @ P) ** 2).sum(axis=0) / triangle.weight
        return Projection(signed, S, variances, float(np.linalg.norm(sizes)))


# ---- columns ---------------------------------------------------------------------------------------------------------


def column_sums(rows: Rows) -> Spread:
    """Mean and scatter of each column."""
    if rows.first(lambda block: sparse.issparse(block.X)):
        record = rows.sum(thin_spread, rows.first(lambda block: np.asarray(block.X.mean(axis=0), np.float64).ravel()))
    else:
        record = rows.sum(Spread.of, find_pivot(rows))
    refuse_empty_sums(record.weight.max(), record.finite, rows)
    return record


def thin_spread(pivot: Array, block: Block) -> Spread:
    """Of sparse rows: the cells that are not stored are zeros."""
    n, d = block.X.shape
    first, second, stored = np.zeros((3, d))
    w = block.weights
    spread_of_stored(*compress(block.X), w, pivot, first, second, stored)
    weight = float(w.sum())
    rest = weight - stored
    return Spread(np.full(d, weight), first - rest * pivot, second + rest * pivot**2, np.full(d, n), pivot)


@compiled
def spread_of_stored(
    cells: Array, columns: Array, starts: Array, w: Array, pivot: Array, first: Array, second: Array, stored: Array
) -> None:
    """Add Σ w (x − pivot), Σ w (x − pivot)² and Σ w over the stored cells of each column."""
    for i in range(len(starts) - 1):
        for t in range(starts[i], starts[i + 1]):
            j = columns[t]
            away = cells[t] - pivot[j]
            first[j] += w[i] * away
            second[j] += w[i] * away * away
            stored[j] += w[i]
