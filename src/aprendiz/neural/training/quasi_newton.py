"""L-BFGS for a loss that is not convex: directions from the last pairs, steps that satisfy the weak conditions of Wolfe.

    F(θ + sp) ≤ F(θ) + c₁ s gᵀp,     ∇F(θ + sp)ᵀp ≥ c₂ gᵀp                                                    (1)

s is doubled while the second fails and halved in the bracket while the first does, until both hold: then the new pair curves
upwards, and the next direction goes down.

References: Nocedal & Wright, "Numerical optimization", 2nd ed., chapter 7; Lewis & Overton, "Nonsmooth optimization via
quasi-Newton methods", Mathematical Programming 141, 2013 (the bracket).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.linear.solvers.quasi_newton import quasi_newton_step, remember

ENOUGH, FLAT = 1e-4, 0.9  # c₁ and c₂ of (1)
TRIALS = 30  # of s

Objective = Callable[[Array], tuple[float, Array]]


@np.errstate(over="ignore", invalid="ignore")
def descent(objective: Objective, theta: Array, F: float, g: Array, pairs: Array) -> tuple[Array, float, Array, Array, int]:
    """One step: θ, F, g and the pairs after it, and how often F was computed. Without a way down, θ stays."""
    p = -quasi_newton_step(g, pairs, lambda q: q)
    slope = float(g @ p)
    if not slope < 0:
        p, slope, pairs = -g, -float(g @ g), pairs[:0]
    s = 1.0 if len(pairs) else 1.0 / max(1.0, float(np.abs(g).sum()))
    low, high = 0.0, np.inf
    best = (theta, F, g)
    for trials in range(1, TRIALS + 1):  # noqa: B007  how many there were
        there = theta + s * p
        F_there, g_there = objective(there)
        if not F_there <= F + ENOUGH * s * slope:
            high = s
        else:
            if F_there <= best[1]:
                best = (there, F_there, g_there)
            if float(g_there @ p) >= FLAT * slope:
                best = (there, F_there, g_there)
                break
            low = s
        s = 0.5 * (low + high) if high < np.inf else 2.0 * s
    new, F_new, g_new = best
    return new, F_new, g_new, remember(pairs, new - theta, g_new - g), trials
