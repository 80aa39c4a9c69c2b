"""Budgets: least loss with coefficients of a size that is given, instead of a price for their size.

    min over w, b of E(w, b)   subject to   R(w) ≤ c                                                          (1)
    min over w, b of E(w, b) + γ·R(w)                                                                         (2)

A minimiser ŵ(γ) of (2) is one of (1) with c = R(ŵ(γ)): a w with a smaller E and R(w) ≤ c would have a smaller (2) too. R(ŵ(γ))
is continuous and falls as γ grows, so there is a γ for each c below R(ŵ(0)); above it, the constraint does not bind and γ = 0.
For any w and γ,

    E(w) − min of (1) ≤ [E(w) + γR(w) − min of (2)] + γ(c − R(w))                                             (3)

bounds what is lost when c is not met exactly. γ is found by secants, kept between a γ that is too small and one that is too
large. They are drawn through R^p, which is straight in γ for the right p:

    lasso    R = ‖w‖₁     p = 1      ŵ(γ) is linear in γ as long as the same coefficients are not zero: the last step is exact
    ridge    R = ‖w‖²     p = −½     exactly straight for one column: ‖w‖ = |zᵀc|/(zᵀz + γ)

For ridge regression, with s² and v the eigenvalues and eigenvectors of ZᵀZ and g = VᵀZᵀc, all γ follow from one decomposition,

    R(ŵ(γ)) = Σ_j g_j²/(s_j² + γ)²                                                                            (4)

Cost: 4 to 20 evaluations of R(ŵ(γ)); (4) d³ once, then d for each.
References: Tibshirani, JRSS B 58, 1996 (1); Osborne, Presnell & Turlach, IMA J. Numerical Analysis 20, 2000 (straight pieces);
Moré, "The Levenberg-Marquardt algorithm", 1978 (p = −½).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.linear.solvers.least_squares import EPS, below
from aprendiz.summaries.moments import Moments, Triangle

CLOSE = 1e-12  # relative distance from the budget that is none

STRIDE = 8.0  # factor by which the penalty goes on while nothing bounds it


@dataclass(frozen=True)
class Multiplier:
    """γ of (2) that belongs to a budget, R(ŵ(γ)), how often R was evaluated, and whether the constraint binds."""

    alpha: float
    size: float
    evaluations: int
    binds: bool


def penalty_for(
    size: Callable[[float], float],
    budget: float,
    start: float,
    *,
    power: float = 1.0,
    least: float = 0.0,
    close: float = CLOSE,
    most: int = 200,
) -> Multiplier:
    """The penalty for which the coefficients have the size of the budget.

    Parameters
    ----------
    size : function
        R(ŵ(γ)) of a penalty γ above 0; it must not rise. It is called last with the γ that is returned.
    budget : float
        c of (1).
    start : float
        The first penalty to look at, above 0.
    power : float, default=1.0
        p: R^p is taken for straight in γ.
    least : float, default=0.0
        A penalty at or below this one that leaves R ≤ c is returned with `binds=False`.
    close : float, default=1e-12
        |R − c| ≤ close·c is good enough.
    most : int, default=200
        Evaluations.
    """
    low, high, alpha, known = 0.0, np.inf, start, list[PenaltyAt]()
    budget = min(budget, sys.float_info.max)
    for evaluations in range(1, most + 1):
        found, before = float(size(alpha)), (low, high)
        low, high = (alpha, high) if found > budget else (low, alpha)
        met = abs(found - budget) <= close * budget
        if met or high <= least or high - low <= 4 * EPS * low or evaluations == most:
            break
        known.append(PenaltyAt(alpha, raise_to(found, power) - raise_to(budget, power), distance(found, budget)))
        near = len(known) == 1 or known[-1].distance < known[-2].distance / 4
        alpha = proposal(known, low, high, near or has_halved((low, high), before))
    if found > budget * (1 + close) and high < np.inf:  # R jumps here: the end that keeps to the budget
        alpha, found = high, float(size(high))
    return Multiplier(alpha, found, evaluations, high > least or found >= budget * (1 - close))


@dataclass(frozen=True)
class PenaltyAt:
    """A penalty, R^p − c^p, and |ln(R/c)|."""

    alpha: float
    above: float
    distance: float


def raise_to(size: float, power: float) -> float:
    """R^p."""
    return size**power if size > 0 or power > 0 else np.inf


def distance(size: float, budget: float) -> float:
    """|ln(R/c)|."""
    return abs(float(np.log(size) - np.log(budget))) if size > 0 else np.inf


def has_halved(now: tuple[float, float], before: tuple[float, float]) -> bool:
    """Has a step closed the interval, or halved its logarithm?"""
    if now[0] == 0 or now[1] == np.inf:
        return False
    return before[0] == 0 or before[1] == np.inf or bool(np.log(now[1] / now[0]) <= 0.5 * np.log(before[1] / before[0]))


def proposal(known: list[PenaltyAt], low: float, high: float, calm: bool) -> float:
    """Where the secant through the two points nearest to the budget meets it, if that is inside; else the middle of ln γ."""
    inner, outer = max(low, high / STRIDE if low == 0 else 0.0), min(high, low * STRIDE if high == np.inf else np.inf)
    middle = outer if high == np.inf else inner if low == 0 else float(np.sqrt(low) * np.sqrt(high))
    first, second, *_ = [*sorted(known, key=lambda look: look.distance), known[0]]
    if not calm or first.above == second.above:
        return middle
    guess = first.alpha - first.above * (second.alpha - first.alpha) / (second.above - first.above)
    return guess if inner < guess < outer else middle


def refuse_both(learner: Any, name: str = "alpha", default: float = 1.0) -> None:
    """A penalty and a budget cannot both be given."""
    penalty = getattr(learner, name)
    if learner.budget is not None and not np.array_equal(penalty, default):
        raise ParameterError(
            f"{name} = {penalty!r} and budget = {learner.budget!r} of {type(learner).__name__} are both given, and each "
            f"decides the other: leave {name} out, or budget."
        )


@dataclass(frozen=True)
class RidgeSpectrum:
    """(4) for all targets: s² of shape (k,), and g of shape (k, targets)."""

    squares: Array
    g: Array

    @classmethod
    def of(cls, record: Moments | Triangle, intercept: bool) -> RidgeSpectrum:
        """From the sums, by eigenvalues; from a triangle, by singular values, which squares nothing."""
        d = record.columns
        if isinstance(record, Moments):
            G = record.scatter if intercept else record.around(np.zeros_like(record.pivot)).gram[1:, 1:]
            values, V = linalg.eigh(G[:d, :d], check_finite=False)
            return cls(np.maximum(values, 0.0), V.T @ G[:d, d:])
        whole = below(record if intercept else record.around(np.zeros_like(record.pivot)), intercept)
        U, s, _ = linalg.svd(whole[:, :d], full_matrices=False, check_finite=False)
        return cls(s**2, s[:, None] * (U.T @ whole[:, d:]))

    def size(self, target: int, alpha: float) -> float:
        """‖w‖² for a penalty."""
        return float(((self.g[:, target] / (self.squares + alpha)) ** 2).sum())

    def start(self, target: int, budget: float) -> float:
        """‖g‖/√c: here ‖w‖² is not above c, for γ‖w‖² ≤ gᵀw at the minimum."""
        return float(np.linalg.norm(self.g[:, target])) / float(np.sqrt(budget))


def sizes(coefs: Array, l1_ratio: float, axis: int = 0) -> Array:
    """R(w) = ρ‖w‖₁ + ½(1 − ρ)‖w‖² along an axis."""
    return np.asarray(l1_ratio * np.abs(coefs).sum(axis=axis) + 0.5 * (1.0 - l1_ratio) * (coefs**2).sum(axis=axis))
