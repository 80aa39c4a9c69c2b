"""Non-negative least squares for many rows at once, entry by entry.

For fixed V, each row u of U has a problem of its own, with G = VᵀV + λ₂I and p = Vᵀx − λ₁:

    minimise ½ uᵀG u − pᵀu   over u ≥ 0                                                                       (1)

which one entry solves exactly while the others wait:

    u_t ← max(0, u_t − (G u − p)_t / G_tt)                                                                    (2)

A sweep does this for t = 1 … k. The value of (1) falls by ½·G_tt·(the move)² at least. Rows are taken in tiles of 64, turned so
that (2) runs along the rows: then each multiplication of G is one of 64 numbers. The first sweep gains most; a tile has swept
enough when a sweep moves `enough` of what the first one did, or after `most` sweeps.

Cost: 2·k² operations a row and sweep, beside 2·k for each cell of the table that p costs.
References: Cichocki & Phan, "Fast local algorithms for large scale nonnegative matrix and tensor factorizations", IEICE
Transactions E92-A, 2009; Gillis & Glineur, "Accelerated multiplicative updates and hierarchical ALS algorithms", Neural
Computation 24, 2012, for several sweeps.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

TILE = 64
PART = 1024  # rows of V that a thread takes at a time
MOST, ENOUGH = 4, 0.01  # sweeps of a pass


@compiled
def sweep_rows(U: Array, G: Array, P: Array, l1: float, most: int, enough: float) -> float:
    """(2) in place, several times. Σ G_tt·(the move)² of the first sweep."""
    n, k = U.shape
    F, Q, slope = np.empty((k, TILE)), np.empty((k, TILE)), np.empty(TILE)
    moved = 0.0
    for start in range(0, n, TILE):
        width = min(TILE, n - start)
        F[:, width:] = 0.0
        Q[:, width:] = 0.0
        for i in range(width):
            for t in range(k):
                F[t, i] = U[start + i, t]
                Q[t, i] = P[start + i, t] - l1
        first = 0.0
        for sweep in range(most):
            now = 0.0
            for t in range(k):
                if G[t, t] > 0.0:
                    now += lower_entries(F, G, Q, t, slope)
                elif l1 > 0.0:  # it has no say but in the penalty
                    F[t] = 0.0
            if sweep == 0:
                first = now
            elif now <= enough * first:
                break
        moved += first
        for i in range(width):
            for t in range(k):
                U[start + i, t] = F[t, i]
    return moved


@compiled(inner=True)
def lower_entries(F: Array, G: Array, Q: Array, t: int, slope: Array) -> float:
    """(2) for entry t of all rows of a tile."""
    k = len(F)
    for i in range(TILE):
        slope[i] = -Q[t, i]
    r = int64(0)
    while r + 4 <= k:
        a, b, c, d = G[t, r], G[t, r + 1], G[t, r + 2], G[t, r + 3]
        for i in range(TILE):
            slope[i] += a * F[r, i] + b * F[r + 1, i] + c * F[r + 2, i] + d * F[r + 3, i]
        r += 4
    while r < k:
        a = G[t, r]
        for i in range(TILE):
            slope[i] += a * F[r, i]
        r += 1
    moved, inverse = 0.0, 1.0 / G[t, t]
    for i in range(TILE):
        old = F[t, i]
        new = max(old - slope[i] * inverse, 0.0)
        F[t, i] = new
        moved += (new - old) * (new - old)
    return moved * G[t, t]


def sweep_in_parts(V: Array, G: Array, P: Array, l1: float) -> tuple[Array, float]:
    """The rows of V after some sweeps, in parts that threads share, and Σ G_tt·(the move)² of the first one."""

    def part(start: int) -> tuple[Array, float]:
        rows = V[start : start + PART].copy()
        return rows, sweep_rows(rows, G, P[start : start + PART], l1, MOST, ENOUGH)

    if len(V) <= PART:
        return part(0)
    found = list(ordered_map(part, range(0, len(V), PART)))
    return np.concatenate([rows for rows, _moved in found]), sum(moved for _rows, moved in found)
