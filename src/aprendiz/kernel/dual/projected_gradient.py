"""Projected gradient ascent on the dual problem: the method as it is taught, to be watched step by step.

    β ← P(β − η·g),     g = (K + diag r)β − t,     η = 1/λ_max(K + diag r)                                       (1)

P is the exact projection on the feasible set {low ≤ β ≤ high, Σβ = s}: β_i = clip(z_i − μ, low_i, high_i) with the μ at which
the sum is s, found by halving, since the sum falls as μ grows. To clip alone would leave the set, and the iteration runs away.

With Nesterov's momentum the objective falls like 1/t² rather than 1/t; it is dropped for a step that would raise the objective.
Cost: O(n²) a step, and one n × n matrix: for small tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.sparse.linalg import eigsh

from aprendiz.core.rows import Array
from aprendiz.kernel.dual.evidence import dual_objective
from aprendiz.kernel.dual.problem import DualProblem, violation
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.gram.gram_matrix import gram_matrix

HALVINGS = 100
MOST_STEPS = 100_000


def projected_gradient_states(
    problem: DualProblem, start: DualState, *, tol: float, most: int | None = None
) -> Iterator[DualState]:
    """(1), a state for each step, without the first."""
    K = gram_matrix(problem.kernel, problem.points)
    if problem.ridge is not None:
        K[np.diag_indices(len(K))] += problem.ridge
    rate = 1.0 / max(largest_eigenvalue(K), np.finfo(float).tiny)
    state, total = start, float(start.beta.sum())
    ahead, weight = start.beta, 1.0
    while not state.settled and state.steps < (MOST_STEPS if most is None else most):
        beta = project(ahead - rate * (K @ ahead - problem.target), problem, total)
        g = K @ beta - problem.target
        if dual_objective(problem, beta, g) > dual_objective(problem, state.beta, state.g):  # without momentum
            weight = 1.0
            beta = project(state.beta - rate * state.g, problem, total)
            g = K @ beta - problem.target
        later = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * weight**2))
        ahead, weight = beta + (weight - 1.0) / later * (beta - state.beta), later
        found = violation(problem, beta, g)
        state = replace(state, beta=beta, g=g, violation=found, steps=state.steps + 1, exact=True, settled=found <= tol)
        yield state


def project(z: Array, problem: DualProblem, total: float) -> Array:
    """P(z)."""
    finite = np.isfinite(problem.low) & np.isfinite(problem.high)
    reach = np.abs(z).max() + np.abs(np.concatenate([problem.low[finite], problem.high[finite], [total]])).max(initial=0.0)
    low, high = -2.0 * reach - 1.0, 2.0 * reach + 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if np.clip(z - middle, problem.low, problem.high).sum() > total:
            low = middle
        else:
            high = middle
    return np.clip(z - 0.5 * (low + high), problem.low, problem.high)


def largest_eigenvalue(K: Array) -> float:
    """λ_max, by the power method of Lanczos; of a small matrix, all of them."""
    if len(K) < 50:
        return float(np.linalg.eigvalsh(K)[-1])
    return float(eigsh(K, k=1, which="LA", v0=np.ones(len(K)), return_eigenvectors=False)[0]) * (1.0 + 1e-8)
