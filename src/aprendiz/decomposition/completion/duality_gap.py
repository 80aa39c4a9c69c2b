"""How far the objective is from its minimum, by duality.

    F(M) = ½‖P_Ω(Z − M)‖² + λ‖M‖_*  ≤  ½‖R‖² + ½λ(‖U‖² + ‖V‖²),   M = UVᵀ,  R = P_Ω(Z − M)                    (1)
    min F = max over Y on Ω with ‖Y‖ ≤ λ of ⟨Z, Y⟩ − ½‖Y‖²_F,       here Y = θR with θ = min(1, λ/σ̄)            (2)

σ̄ is at least the spectral norm of R (residual_matrix.py), so Y is allowed whatever rounding made of R, and

    (F(M) − min F)/F(M) ≤ ((1) − (2))/(1)                                                                     (3)

To (3) is added what sums and residuals may have lost to rounding. With a bound on the rank that is reached, (3) may stay large:
the problem is another one then, not convex, and only its stationarity is shown,

    ‖(RV − λU, RᵀU − λV)‖ ≤ γ·λ·‖(U, V)‖                                                                      (4)

Cost: some products with R, and what σ̄ costs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.decomposition.completion.factor_search import Problem
from aprendiz.decomposition.completion.residual_matrix import EPS, ResidualMatrix
from aprendiz.decomposition.completion.ridge_rows import residuals

NEAR = "the objective is at most 1 % above its minimum"
LIKELY = "the objective is at most 1 % above its minimum, but for the probability `doubt`"
STATIONARY = "among tables of rank at most max_rank, the gradient is at most 1 % of its terms"
SMALL = 0.01


def evidence(problem: Problem, U: Array, V: Array, objective: float) -> Certificate:
    """The claim (3), or (4) where all factors that may be are used. The objective is told in the units of the table."""
    cells, penalty, r = problem.cells, problem.penalty, V.shape[1]
    R = ResidualMatrix.of(cells, U, V)
    z, e = cells.by_rows.values, R.by_rows
    absolute = cells.by_rows._replace(values=-np.abs(z))
    lost = (r + 4) * EPS * float(np.linalg.norm(residuals(absolute, np.abs(U), np.abs(V))))  # of ‖R‖
    squares, factors = float(e @ e), float((U**2).sum() + (V**2).sum())
    bound, doubt = R.norm_bound(problem.seed)
    share = min(1.0, penalty / bound) if bound > 0 else 1.0
    primal = 0.5 * squares + 0.5 * penalty * factors
    dual = share * float(z @ e) - 0.5 * share**2 * squares
    digits = 2 * (math.log2(len(z) + U.size + V.size + 2) + 8) * EPS
    rounding = digits * (primal + share * float(np.abs(z) @ np.abs(e)) + squares) + lost * math.sqrt(squares) + lost**2
    gap = max(primal - dual, 0.0) + 2 * rounding
    relative = gap / primal if primal > 0 else 0.0
    values: dict[str, Any] = {"objective": objective, "gap": relative, "rank": r, "spectral_norm": bound / penalty}
    values |= {"doubt": doubt, "stationarity": stationarity(R, U, V, penalty, lost)}
    if relative <= SMALL or r < problem.most:
        return Certificate(NEAR if doubt == 0.0 else LIKELY, relative <= SMALL, values)
    return Certificate(STATIONARY, values["stationarity"] <= SMALL, values)


def stationarity(R: ResidualMatrix, U: Array, V: Array, penalty: float, lost: float) -> float:
    """γ of (4)."""
    size = math.hypot(float(np.linalg.norm(U)), float(np.linalg.norm(V)))
    off = math.hypot(
        float(np.linalg.norm(R.times(V) - penalty * U)), float(np.linalg.norm(R.transposed_times(U) - penalty * V))
    )
    return (off + lost * size) / (penalty * size) * (1.0 + 1e-9) if size > 0 else 0.0
