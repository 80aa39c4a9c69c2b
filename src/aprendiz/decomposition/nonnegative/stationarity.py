"""What is known of two factors: how much any component alone could still lower the objective, and how far the factors are from
the conditions of a minimum.

With the derivatives of J = ½‖X − UVᵀ‖² + penalties,

    A = U(VᵀV + λ₂I) − XV + λ₁,     B likewise for V                                                          (1)

a minimum has  u ≥ 0,  A ≥ 0  and  u·A = 0  for each entry, and so for V. J is a parabola in each entry, with the curvature
h = (VᵀV)_tt + λ₂, and in the entries of one component of U (one column) the parabolas do not mix: the best change of the whole
column lowers J by exactly

    f_t = Σ_i −(A_it δ + ½h δ²),     δ = max(−u_it, −A_it/h)                                                  (2)

A small f for each column of U and of V says that no component alone can do better, and covers both: entries that should grow,
and entries that should shrink. Beside it stands max |u·A| over max u·(XV), the larger of both factors.
Reference: Lin, "On the convergence of multiplicative update algorithms", IEEE Trans. Neural Networks 18, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.decomposition.nonnegative.active_set import solve_rows
from aprendiz.decomposition.nonnegative.coordinate_descent import sweep_rows
from aprendiz.decomposition.nonnegative.least_squares import cell_errors
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.products import times, turned
from aprendiz.decomposition.nonnegative.table_facts import TableFacts

WORTH = 1e-6  # of ½‖X‖²: what a component may still be worth
SWEEPS, SETTLED = 64, 1e-8  # before the rows are solved exactly
RISE = 1e-12  # of the first objective: what rounding may add


def best_rows(X: Any, V: Array, penalty: Penalty) -> Array:
    """The U of the smallest J for given V."""
    G, P = penalty.curved(V.T @ V), np.ascontiguousarray(times(X, V))
    U = np.zeros(P.shape)
    sweep_rows(U, G, P, penalty.l1, SWEEPS, SETTLED)
    solve_rows(G, P, penalty.l1, U)
    return U


def best_rows_with_gaps(X: Array, V: Array, penalty: Penalty) -> Array:
    """The same where cells are missing: rows with the same ones have a problem in common, that of the other columns. A row of
    which nothing is known gets zeros."""
    U, gaps = np.zeros((len(X), V.shape[1])), np.isnan(X)
    patterns, owner = np.unique(gaps, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        if not pattern.all():
            rows = np.flatnonzero(owner.ravel() == number)
            U[rows] = best_rows(X[np.ix_(rows, ~pattern)], np.ascontiguousarray(V[~pattern]), penalty)
    return U


@dataclass(frozen=True)
class Slopes:
    """(2) of each component, and the largest u·A and u·(XV)."""

    falls: Array
    product: float
    term: float

    @classmethod
    def of(cls, factor: Array, slope: Array, h: Array, above: Array) -> Self:
        """From (1), the curvatures, and XV (or XᵀU)."""
        move = np.maximum(-factor, -np.divide(slope, h, out=np.where(slope > 0, np.inf, 0.0), where=h > 0))
        falls = -(slope + 0.5 * h * move) * move
        return cls(falls.sum(axis=0), largest(factor * slope), largest(factor * above))

    def __add__(self, other: Self) -> Self:
        return type(self)(self.falls + other.falls, max(self.product, other.product), max(self.term, other.term))

    @property
    def relative(self) -> float:
        return self.product / self.term if self.term > 0 else 0.0


def largest(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))


@dataclass(frozen=True)
class LastPass(Sums):
    """The best U, and with it (2) of U, what (1) and (2) of V need, ‖X − UVᵀ‖² and the penalty."""

    slopes: Slopes
    slope: Array  # (UVᵀ − X)ᵀU, missing cells left out
    h: Array  # the curvatures of V: Σu², over the rows where the cell of the column is known
    above: Array  # XᵀU
    error: float
    penalty: float

    @classmethod
    def of(cls, V: Array, penalty: Penalty, gaps: bool, block: Block) -> Self:
        if gaps:
            return cls.with_gaps(V, penalty, block)
        U = best_rows(block.X, V, penalty)
        G, above = penalty.curved(V.T @ V), times(block.X, V)
        slopes = Slopes.of(U, U @ G - above + penalty.l1, np.diagonal(G), above)
        gram, products = U.T @ U, turned(block.X, U)
        error = cell_errors(U, V, Block(block.X, None, None, 0))
        return cls(slopes, V @ gram - products, np.diagonal(gram).copy(), products, error, penalty.on(U))

    @classmethod
    def with_gaps(cls, V: Array, penalty: Penalty, block: Block) -> Self:
        """The same, cell by cell."""
        U, known = best_rows_with_gaps(block.X, V, penalty), ~np.isnan(block.X)
        X = np.where(known, block.X, 0.0)
        left, above = known * (U @ V.T) - X, X @ V
        slope, h = left @ V + penalty.l2 * U + penalty.l1, known @ V**2 + penalty.l2
        slopes = Slopes.of(U, slope, h, above)
        return cls(slopes, left.T @ U, known.T @ U**2, X.T @ U, float(np.vdot(left, left)), penalty.on(U))


def end_of_least_squares(
    rows: Rows, V: Array, log: Array, facts: TableFacts, penalties: tuple[Penalty, Penalty]
) -> tuple[float, Certificate]:
    """‖X − UVᵀ‖ at the best U, which `transform` finds in the same way, and what is known of U and V."""
    on_rows, on_columns = penalties
    last = rows.sum(LastPass.of, V, on_rows, facts.has_gaps)
    slope = last.slope + on_columns.l2 * V + on_columns.l1
    of_V = Slopes.of(V, slope, last.h + on_columns.l2, last.above)
    objective = 0.5 * last.error + last.penalty + on_columns.on(V)
    scale = 0.5 * facts.squares
    fall = float(max(last.slopes.falls.max(), of_V.falls.max(), 0.0))
    part = fall / scale if scale > 0 else 0.0
    rise = risen(np.append(log, objective), scale)
    known = {
        "objective": objective,
        "fall": part,
        "stationarity": max(last.slopes.relative, of_V.relative),
        "rise": rise,
        "cost": float(log[-1]) if len(log) else objective,
        "log": log,
    }
    claim = "the objective never rose, and no component alone could lower it by a millionth of half the squares of X"
    return float(np.sqrt(max(last.error, 0.0))), Certificate(claim, bool(part <= WORTH and rise <= RISE), known)


def risen(log: Array, scale: float) -> float:
    """The largest rise of the objective in a pass, as a part of half the squares of X."""
    return float(np.max(np.diff(log), initial=0.0)) / scale if scale > 0 else 0.0
