"""The price C at which the slacks use up a budget.

    minimise ½‖w‖²  with  Σξ_i ≤ c        is the soft margin with the C at which  S(C) = Σξ_i = c                    (1)

S falls as C grows: from 2·min(n₊, n₋) for C → 0 (everything in the margin) to the smallest total slack there is, which is 0
if the classes are separable. C is found by halving an interval of its logarithm, each problem starting from the answer of the
one before.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.dual.problem import DualProblem, multipliers
from aprendiz.kernel.dual.solver import dual_states, first_state, last_state

LARGEST_PRICE, SMALLEST_PRICE = 1e6, 1e-8
HALVINGS = 60


def price_of_budget(of_price: Callable[[float], DualProblem], budget: float, tol: float, cache_size: float) -> float:
    """C of (1). Raises ValueError where the budget cannot be kept, or is never used up."""
    beta: Array | None = None

    def slack(C: float) -> float:
        nonlocal beta
        problem = of_price(C)
        start = np.zeros(len(problem)) if beta is None else beta
        scale = 1.0 if beta is None else min(1.0, C / max(np.abs(start).max(initial=0.0), 1e-300))
        state = first_state(problem, start * scale, tol)
        state = last_state(dual_states(problem, state, tol=tol, cache_size=cache_size), state)
        beta = state.beta
        return total_slack(problem, state.beta, state.g)

    low, high = SMALLEST_PRICE, 1.0
    found = slack(high)
    while found > budget and high < LARGEST_PRICE:
        low, high = high, high * 10.0
        found = slack(high)
    if found > budget:
        raise ValueError(
            f"slack_budget={budget:g} cannot be kept: with C = {high:g} the slacks still sum to {found:.6g}. "
            "Allow at least that much, or choose a kernel that separates the classes better."
        )
    beta = None
    if low == SMALLEST_PRICE and slack(low) <= budget:
        raise ValueError(
            f"slack_budget={budget:g} is so large that it is never used up: with C = {low:g} the slacks sum to "
            f"{slack(low):.6g}. Give a smaller budget."
        )
    for _ in range(HALVINGS):
        middle = float(np.sqrt(low * high))
        found = slack(middle)
        if abs(found - budget) <= tol * max(1.0, budget) or high <= low * (1.0 + 1e-9):
            return middle
        low, high = (middle, high) if found > budget else (low, middle)
    return high


def total_slack(problem: DualProblem, beta: Array, g: Array) -> float:
    """Σξ_i = Σ max(0, 1 − y_i f(x_i)), with t = y."""
    rho = multipliers(problem, beta, g)[0]
    outputs = problem.target * (g + problem.target - rho)
    return float(np.maximum(0.0, 1.0 - outputs).sum())
