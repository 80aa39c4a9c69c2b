"""Newton's method for a smooth loss with a penalty that has corners.

    F(b, w) = L(b, w) + R(w),      R(w) = λ₁‖w‖₁ + ½λ₂‖w‖²                                                    (1)

Newton's method replaces L by its quadratic model around the point where it is; R is left as it is. With g and H the gradient
and the curvature of L,

    minimise over δ   gᵀδ + ½δᵀHδ + R(w + δ_w)                                                                (2)

The intercepts are not penalised, so they are eliminated, δ_b = −H_bb⁺(g_b + H_bw·δ_w), and what is left,

    G = H_ww − H_wb H_bb⁺ H_bw,     c = G w − (g_w − H_wb H_bb⁺ g_b)                                          (3)

is the problem of coordinate_sweeps.py: the compiled solver sees numbers, and knows of no loss. Then a step along δ,

    F(θ + sδ) ≤ F(θ) + 10⁻⁴·s·Δ,     Δ = gᵀδ + R(w + δ_w) − R(w) ≤ 0,     s = 1, ½, ¼, …                      (4)

Near the end s = 1, and the error is squared at each step.

Reference: Lee, Sun & Saunders, "Proximal Newton-type methods for minimizing composite functions", SIAM J. Optim. 24, 2014.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.coordinate_sweeps import minimiser

NULL = 1e-10  # a part of the largest curvature: adding a constant to the intercepts of all classes changes nothing
SUFFICIENT_DESCENT = 1e-4  # (4): the part of the promised descent that is asked for


@dataclass(frozen=True)
class Local:
    """L, its gradient (outputs × (1 + columns), intercepts first) and its curvature at a point θ of the same shape."""

    theta: Array
    loss: float
    gradient: Array
    curvature: Array


@dataclass(frozen=True)
class ProxNewtonStep:
    """δ of (2) and the descent −Δ of (4) that it promises."""

    change: Array
    promised: float
    sweeps: int


def corner_step(at: Local, penalty: ElasticPenalty, intercept: bool, enough: float) -> ProxNewtonStep:
    """(2). `enough`: a descent of the model that no longer matters."""
    shape = at.theta.shape
    free = np.arange(at.theta.size) % shape[1] == 0
    w, g, H = at.theta[:, 1:].ravel(), at.gradient.ravel(), at.curvature
    G, slope = H[np.ix_(~free, ~free)], g[~free]
    back = np.zeros((int(free.sum()), len(w)))
    if intercept:
        inverse = linalg.pinvh(H[np.ix_(free, free)], rtol=NULL)
        back = inverse @ H[np.ix_(free, ~free)]
        G, slope = G - H[np.ix_(~free, free)] @ back, slope - back.T @ g[free]
    new, sweeps = minimiser(G, G @ w - slope, w, penalty, enough)
    change = np.zeros(at.theta.size)
    change[~free] = new - w
    if intercept:
        change[free] = -(inverse @ g[free]) - back @ (new - w)
    return ProxNewtonStep(change.reshape(shape), -(float(g @ change) + penalty.value(new) - penalty.value(w)), sweeps)


def line_search(
    at: Local, step: ProxNewtonStep, penalty: ElasticPenalty, measured: Callable[[Array], Local], halvings: int = 30
) -> Local | None:
    """(4); None where rounding hides any descent."""
    before = at.loss + penalty.value(at.theta[:, 1:].ravel())
    for size in 0.5 ** np.arange(halvings):
        new = measured(at.theta + size * step.change)
        after = new.loss + penalty.value(new.theta[:, 1:].ravel())
        if after <= before - SUFFICIENT_DESCENT * size * step.promised:
            return new
        if size * step.promised <= 1e-13 * abs(before):
            return new if after <= before else None
    return None
