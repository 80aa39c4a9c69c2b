"""Coordinate descent on a quadratic with a penalty that makes zeros, and the exact end of it.

    min over w of ½wᵀGw − cᵀw + λ₁‖w‖₁ + ½λ₂‖w‖²                                                              (1)

Sweeps, one coordinate at a time (sweeps.py), find out which are not zero and what signs they have; they are slow to find the
last digits. But once the support A and the signs s are right, (1) is a linear system,

    (G_AA + λ₂I) w_A = c_A − λ₁s                                                                              (2)

Its solution is taken if it has the signs s; if not, w moves towards it until the first coordinate reaches zero and leaves A,
which lowers (1) too. Where G_AA is singular (and λ₂ = 0), w moves along a v with G_AA v = 0 and sᵀv ≤ 0: Gw and cᵀw stay,
‖w‖₁ does not grow, and some coordinate reaches zero and leaves A. So the answer is exact after finitely many steps, however
slow the sweeps are. Where A is large, sweeps are cheaper than (2), and it is left to those that do not come to rest.

Cost: a sweep at most m² for m coordinates; (2) |A|³/3.
References: Friedman, Hastie & Tibshirani, J. Statistical Software 33, 2010; Osborne, Presnell & Turlach, IMA J. Numerical
Analysis 20, 2000 (the active set).
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.sweeps import slopes_at, swept

FEW = 256  # coordinates for which (2) is always cheap
SWEEPS = 8  # over all coordinates, before (2) is tried
TURNS = 3  # times (2) is solved for more coordinates, before sweeps go on
ROUNDS = 100  # of sweeps and exact solutions
ROUNDING = 64 * float(np.finfo(float).eps)


def minimiser(G: Array, c: Array, w: Array, penalty: ElasticPenalty, enough: float) -> tuple[Array, int]:
    """(1), from w on, and the number of sweeps. `enough`: a fall of the objective in a sweep that no longer matters.

    G may have room for more coordinates than there are, and half the digits of the others."""
    w, sweeps = w.copy(), 0
    for _ in range(ROUNDS):
        q = slopes_at(G, c, w)
        done = swept(G, q, w, penalty.l1, penalty.l2, penalty.positive, enough, SWEEPS)
        sweeps += done
        if done < SWEEPS and np.count_nonzero(w) > FEW:
            return w, sweeps
        if not exact_end(G, c, w, penalty):
            if done < SWEEPS:  # the sweeps have ended by themselves
                return w, sweeps
            continue
        slope = slopes_at(G, c, w) - penalty.l2 * w
        outside = w == 0
        if not outside.any() or penalty.pull(slope[outside]).max() <= penalty.l1 + ROUNDING * np.abs(c).max():
            return w, sweeps
    return w, sweeps


def exact_end(G: Array, c: Array, w: Array, penalty: ElasticPenalty) -> bool:
    """(2), in place, giving up coordinates that reach zero; False where rounding hides the answer."""
    for _ in range(2 * len(w) + 1 if np.count_nonzero(w) <= FEW else TURNS):
        A = np.flatnonzero(w)
        if not len(A):
            return True
        H = G[A[:, None], A].astype(np.float64)
        H.ravel()[:: len(A) + 1] += penalty.l2  # its diagonal
        L, failed = linalg.lapack.dpotrf(H.T, lower=1)
        if failed or (L.diagonal() ** 2).min() < ROUNDING * len(A) * H.diagonal().max():
            if len(A) > FEW or not without_dependent(H, w, A):
                return False
            continue
        end = linalg.lapack.dpotrs(L, c[A] - penalty.l1 * np.sign(w[A]), lower=1)[0]
        if not np.isfinite(end).all():
            return False
        crossing = end * w[A] <= 0
        if not crossing.any():
            w[A] = end
            return True
        share = np.where(crossing, w[A] / np.where(crossing, w[A] - end, 1.0), 2.0)
        first = share.argmin()
        w[A] += share[first] * (end - w[A])
        w[A[first]] = 0.0
    return False


def without_dependent(H: Array, w: Array, A: Array) -> bool:
    """Give up one of the columns that depend on others, in place; False where none depends on others enough to tell."""
    values, V = linalg.eigh(H, check_finite=False, subset_by_index=[0, 0])
    if values[0] >= ROUNDING * len(A) * np.diagonal(H).max():
        return False
    v = V[:, 0] if V[:, 0] @ np.sign(w[A]) <= 0 else -V[:, 0]
    share = np.where(v * w[A] < 0, np.abs(w[A]) / np.maximum(np.abs(v), np.finfo(float).tiny), np.inf)
    first = share.argmin()
    if not np.isfinite(share[first]):
        return False
    w[A] += share[first] * v
    w[A[first]] = 0.0
    return True
