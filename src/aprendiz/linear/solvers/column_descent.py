"""Coordinate descent on a weighted sum of squares, over the stored cells of sparse columns.

    min over β, δ   g₀β + Σ_j g_j δ_j + ½ Σ_i D_i (β + z_iᵀδ)² + R(w + δ)                                     (1)

is the quadratic model of prox_newton.py without its matrix. With u_i = D_i·z_iᵀδ and s_j = Σ_i D_i z_ij, the best β is known
at any time,

    β = −(g₀ + Σ_i u_i)/Σ_i D_i,     slope_j = g_j + Σ_i z_ij u_i + β·s_j                                     (2)

and a change ε of δ_j costs the cells of its column: u_i ← u_i + ε·D_i z_ij, β ← β − ε·s_j/ΣD. Its curvature is
h_j = Σ_i z_ij² D_i − s_j²/ΣD.

Right where columns have few cells and many columns are at work. Cost of a sweep: twice the cells of the columns at work.
Reference: Yuan, Ho & Lin, "An improved GLMNET for L1-regularized logistic regression", JMLR 13, 2012.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty

SWEEPS = 50  # at most, for one model


def column_model(
    Z: Any, D: Array, g: Array, w: Array, shift_slope: float | None, penalty: ElasticPenalty, enough: float
) -> tuple[Array, float, Array]:
    """The minimiser of (1): the new coefficients, β, and β + Zδ of each row. `shift_slope` is g₀; None for no intercept.
    `enough`: a descent in a sweep that no longer matters."""
    total = 0.0 if shift_slope is None else float(D.sum())
    new = w.copy()
    slope = 0.0 if shift_slope is None else shift_slope
    settings = (penalty.l1, penalty.l2, penalty.positive, enough, SWEEPS)
    beta = column_sweeps((Z.data, Z.indices, Z.indptr), D, total, slope, g, new, *settings)
    return new, beta, Z @ (new - w) + beta


@compiled
def column_sweeps(
    Z: tuple[Array, Array, Array], D: Array, total: float, slope: float, g: Array, new: Array, l1: float, l2: float,
    positive: bool, enough: float, most: int,
) -> float:  # fmt: skip
    """(2) in turn, up to `most` sweeps; `new` is changed in place, β is returned. Z are the cells, their rows, and where each
    column starts.

    Coefficients that rest at zero, far from moving, are passed over until the others have come to rest.
    """
    data, indices, indptr = Z
    m = len(g)
    u, s, h = np.zeros(len(D)), np.zeros(m), np.zeros(m)
    for j in range(m):
        for k in range(indptr[j], indptr[j + 1]):
            s[j] += data[k] * D[indices[k]]
            h[j] += data[k] * data[k] * D[indices[k]]
        if total > 0.0:
            h[j] -= s[j] * s[j] / total
    beta = -slope / total if total > 0.0 else 0.0
    active, count = np.arange(m), m
    for _ in range(most):
        fall, kept = 0.0, 0
        for a in range(count):
            j = active[a]
            curve = h[j] + l2
            if curve <= 0.0:
                continue
            pull = g[j] + beta * s[j]
            for k in range(indptr[j], indptr[j + 1]):
                pull += data[k] * u[indices[k]]
            z = h[j] * new[j] - pull
            best = 0.0
            if z > l1:
                best = (z - l1) / curve
            elif z < -l1 and not positive:
                best = (z + l1) / curve
            elif new[j] == 0.0 and abs(z) < 0.95 * l1:
                continue
            active[kept] = j
            kept += 1
            step = best - new[j]
            if step != 0.0:
                new[j] = best
                fall += step * step * curve
                for k in range(indptr[j], indptr[j + 1]):
                    u[indices[k]] += step * data[k] * D[indices[k]]
                if total > 0.0:
                    beta -= step * s[j] / total
        if fall <= enough:
            if count == m:
                break
            active, count = np.arange(m), m
        else:
            count = kept
    return beta
