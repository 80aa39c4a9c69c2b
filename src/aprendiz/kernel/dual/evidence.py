"""What proves the answer of a support vector machine: a number that the objective cannot go below.

The dual objective is F(β) = ½βᵀ(K + diag r)β − tᵀβ + ε‖β‖₁ (problem.py). For any β and any ρ, since K is positive
semi-definite, ½β'ᵀKβ' ≥ (Kβ)ᵀβ' − ½βᵀKβ, and so for every feasible β' with Σβ' = s

    F(β') ≥ −½βᵀKβ + ρs + Σ_i min_{low_i ≤ β'_i ≤ high_i} { (Kβ − t − ρ)_i β'_i + ½r_iβ'_i² + ε|β'_i| }             (1)

Minus (1) is the primal objective of f(x) = Σβ_iK(x_i, x) − ρ: ½‖w‖² and the losses of the rows. So

    gap = primal − dual = F(β) − (1) ≥ F(β) − min F ≥ 0                                                             (2)

bounds how far the answer is from the best, whatever the solver did. With two sums there is a ρ for each. Beside it stands the
largest violation of the optimality conditions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.dual.problem import ULPS, DualProblem, multipliers, violation, width

SLACK = 1e-9  # for the rounding of sums of objectives


@dataclass(frozen=True)
class DualEvidence:
    """(2) of a state of the solver."""

    primal: float
    dual: float
    violation: float
    norm2: float  # ‖w‖² = βᵀKβ

    @property
    def gap(self) -> float:
        return self.primal - self.dual

    @property
    def relative_gap(self) -> float:
        return self.gap / max(abs(self.primal), abs(self.dual), np.finfo(float).tiny)


def dual_objective(problem: DualProblem, beta: Array, g: Array) -> float:
    """F(β), from the gradient."""
    return float(0.5 * (beta @ (g - problem.target)) + problem.epsilon * np.abs(beta).sum())


def find_evidence(problem: DualProblem, beta: Array, g: Array) -> DualEvidence:
    """(2), of an exact gradient."""
    outputs = g + problem.target - (0.0 if problem.ridge is None else problem.ridge * beta)  # Kβ
    norm2 = float(beta @ outputs)
    bound = lower_bound(problem, beta, outputs, norm2, multipliers(problem, beta, g))
    return DualEvidence(-bound, -dual_objective(problem, beta, g), violation(problem, beta, g), norm2)


def lower_bound(problem: DualProblem, beta: Array, outputs: Array, norm2: float, rhos: list[float]) -> float:
    """(1), of the outputs of some coefficients, with the sums of β."""
    bound = -0.5 * norm2
    for (a, b), rho in zip(problem.spans, rhos, strict=True):
        ridge = None if problem.ridge is None else problem.ridge[a:b]
        known = (outputs[a:b], problem.target[a:b], ridge, problem.low[a:b], problem.high[a:b])
        bound += rho * float(beta[a:b].sum()) + sum_of_smallest(*known, float(rho), float(problem.epsilon))
    return bound


def is_possible(problem: DualProblem, beta: Array, found: DualEvidence) -> bool:
    """Whether the dual objective is at most the primal one of a constant, (1) with outputs of 0. It is not where K is so large
    that its rounding is more than the targets: then the coefficients solve another problem, and prove nothing of this one."""
    if not problem.kernel.psd:
        return True
    constant = multipliers(problem, np.zeros_like(beta), -problem.target)
    highest = -lower_bound(problem, beta, np.zeros_like(beta), 0.0, constant)
    return bool(found.dual <= highest + SLACK * abs(highest))


def certain_violation(problem: DualProblem, beta: Array, g: Array) -> float:
    """The largest violation of a pair that is left if rounding has driven its gradients as far apart as it can. What it may do
    to a row far away is no excuse for the other pairs."""
    split = len(problem) if problem.split is None else problem.split
    known = (problem.target, problem.diagonal, problem.low, problem.high)
    return find_certain_violation(beta, g, *known, float(problem.epsilon), split)


@compiled
def find_certain_violation(
    beta: Array, g: Array, target: Array, diagonal: Array, low: Array, high: Array, eps: float, split: int
) -> float:
    """`certain_violation`; infinite if it is no number."""
    total, worst, n = 0.0, 0.0, len(beta)
    for i in range(n):
        total += np.sqrt(abs(diagonal[i])) * abs(beta[i])
    for start, stop in ((0, split), (split, n)):
        least, most = np.inf, -np.inf
        for i in range(start, stop):
            lost = ULPS * (abs(target[i]) + eps + np.sqrt(abs(diagonal[i])) * total)
            if np.isnan(g[i]) or np.isnan(lost):
                return np.inf
            if beta[i] < high[i]:
                least = min(least, g[i] + (eps if beta[i] >= 0.0 else -eps) + lost)
            if beta[i] > low[i]:
                most = max(most, g[i] + (eps if beta[i] > 0.0 else -eps) - lost)
        worst = width(worst, least, most)
    return worst


@compiled
def sum_of_smallest(
    outputs: Array, target: Array, ridge: Array | None, low: Array, high: Array, rho: float, eps: float
) -> float:
    """Σ min over low ≤ β ≤ high of slope·β + ½ridge·β² + ε|β|, slope = output − target − ρ."""
    total = 0.0
    for i in range(len(outputs)):
        slope, r = outputs[i] - target[i] - rho, 0.0
        if ridge is not None:
            r = ridge[i]
        inward = abs(slope) - eps
        if inward <= 0.0:
            best = min(max(0.0, low[i]), high[i])
        else:
            best = high[i] if slope < 0.0 else low[i]
            if r > 0.0:
                best = min(max(-np.sign(slope) * inward / r, low[i]), high[i])
        if best != 0.0:
            total += slope * best + eps * abs(best) + 0.5 * r * best * best
    return total
