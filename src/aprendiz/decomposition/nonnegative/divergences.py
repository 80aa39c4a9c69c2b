"""Factors by multiplication: the rule of Lee and Seung, for any β-divergence.

    D(x | y) = ½(x − y)²                                     β = 2, half the squared error                    (1)
             = x ln(x/y) − x + y                             β = 1, Kullback–Leibler
             = x/y − ln(x/y) − 1                             β = 0, Itakura–Saito
             = (x^β + (β−1)y^β − βxy^(β−1)) / β(β−1)         otherwise

With Y = UVᵀ, all powers taken cell by cell,

    U ← U·( (Y^(β−2)·X) V / (Y^(β−1) V + λ₁ + λ₂U) )^γ          V likewise, with Y of the new U               (2)

γ = 1 for 1 ≤ β ≤ 2, 1/(2 − β) below and 1/(β − 1) above: then neither half of a pass raises ΣD. For β = 2 this is

    u ← u·(XV)/(UVᵀV),     v ← v·(XᵀU)/(VUᵀU)                                                                 (3)

Entries that are 0 stay 0, and those on their way to 0 take their time. What is divided by 0 is 0 itself, and stays as it is.
In logarithms and negative powers, y is at least 10⁻⁵⁰·x and 10⁻²⁰⁰.

Cost: 8·k operations a cell and pass, and powers of all cells; for β = 2, 4·k and no powers.
References: Lee & Seung, "Algorithms for non-negative matrix factorization", NIPS 2000; Févotte & Idier, "Algorithms for
nonnegative matrix factorization with the β-divergence", Neural Computation 23, 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np

from aprendiz.bayes.naive.column_totals import cells_of
from aprendiz.core.parameters import Within
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.decomposition.nonnegative.factors import Factors
from aprendiz.decomposition.nonnegative.penalties import Penalty

PART_OF_X, LEAST = 1e-50, 1e-200  # of y
Beta = Annotated[float, Within(-100.0, 100.0)]
BY_NAME = {"frobenius": 2.0, "kullback-leibler": 1.0, "itakura-saito": 0.0}


@dataclass(frozen=True)
class Divergence:
    """D of (1), and what (2) takes from it."""

    beta: float

    @property
    def exponent(self) -> float:
        """γ."""
        return 1.0 / (2.0 - self.beta) if self.beta < 1 else 1.0 / (self.beta - 1.0) if self.beta > 2 else 1.0

    def product(self, X: Array, U: Array, V: Array) -> Array:
        """Y, above its floor."""
        return np.maximum(U @ V.T, np.maximum(PART_OF_X * X, LEAST)) if self.beta < 2 else U @ V.T

    def total(self, X: Array, Y: Array) -> float:
        """ΣD."""
        beta = self.beta
        if beta == 2:
            return 0.5 * float(np.vdot(X - Y, X - Y))
        if beta == 1:
            ratio = np.divide(X, Y, out=np.ones_like(Y), where=X > 0)
            return float((X * np.log(ratio) - X + Y).sum())
        if beta == 0:
            return float((X / Y - np.log(X / Y) - 1.0).sum())
        return float((X**beta + (beta - 1.0) * Y**beta - beta * X * Y ** (beta - 1.0)).sum() / (beta * (beta - 1.0)))

    def size(self, X: Any) -> float:
        """The size of ΣD's terms in x alone, beside which it is rounded."""
        cells = np.asarray(cells_of(X), np.float64)
        cells = cells[cells > 0]
        if self.beta in (0, 1):
            return float(cells.sum() if self.beta else cells.size)
        return float((cells**self.beta).sum()) / abs(self.beta * (self.beta - 1.0))

    def weighed(self, X: Array, Y: Array) -> tuple[Array, Array]:
        """Y^(β−2)·X and Y^(β−1)."""
        if self.beta == 2:
            return X, Y
        if self.beta == 1:
            return X / Y, np.ones_like(Y)
        if self.beta > 2:
            power = Y ** (self.beta - 2.0)
            return power * X, power * Y
        power = Y ** (self.beta - 1.0)  # that of the floor is a number, one with β − 2 would not be
        return X / Y * power, power

    def moved(self, factor: Array, above: Array, below: Array, penalty: Penalty) -> Array:
        """(2)."""
        below = below + penalty.l1 + penalty.l2 * factor
        ratio = np.divide(above, below, out=np.ones_like(factor), where=below > 0)
        return np.asarray(factor * (ratio if self.exponent == 1.0 else ratio**self.exponent))


@dataclass(frozen=True)
class Multiplicative:
    """The problem, and a pass of (2)."""

    rows: Rows
    divergence: Divergence
    on_rows: Penalty
    on_columns: Penalty
    tol: float

    def next_state(self, state: Factors) -> Factors:
        """A pass, and whether it is the last one: the root of ΣD falls by less than tol of its first value in ten passes."""
        half = self.rows.sum(MultipliedRows.of, state.U, state.V, self.divergence, self.on_rows)
        U = np.concatenate(half.U)
        V = self.divergence.moved(state.V, half.above, half.below, self.on_columns)
        J = self.rows.sum(total_divergence, U, V, self.divergence) + self.on_rows.on(U) + self.on_columns.on(V)
        if not np.isfinite(J):
            raise ValueError(
                f"Powers of the cells of X are no doubles any more (beta_loss is {self.divergence.beta:g}): scale the table, "
                "or choose a beta_loss nearer to 2."
            )
        log = np.append(state.log, J)
        settled = self.tol > 0 and len(log) % 10 == 1 and len(log) > 1 and fallen(log[-11:], log[0]) < self.tol
        return state.after(J, bool(settled), U=U, V=V)


def fallen(log: Array, first: float) -> float:
    """The fall of the root of the objective over some passes, as a part of its first value."""
    roots = np.sqrt(np.maximum([log[0], log[-1], first], 0.0))
    return float((roots[0] - roots[1]) / max(roots[2], 1e-300))


@dataclass(frozen=True)
class MultipliedRows(Sums):
    """The new rows of U, and with them the two products that (2) needs for V."""

    above: Array
    below: Array
    U: tuple[Array, ...]

    @classmethod
    def of(cls, U: Array, V: Array, divergence: Divergence, penalty: Penalty, block: Block) -> Self:
        here = U[block.start : block.start + len(block)]
        new = multiplied(block.X, here, V, divergence, penalty)
        above, below = divergence.weighed(block.X, divergence.product(block.X, new, V))
        return cls(above.T @ new, below.T @ new, (new,))


def multiplied(X: Array, U: Array, V: Array, divergence: Divergence, penalty: Penalty) -> Array:
    """(2) for some rows of U."""
    above, below = divergence.weighed(X, divergence.product(X, U, V))
    return divergence.moved(U, above @ V, below @ V, penalty)


def total_divergence(U: Array, V: Array, divergence: Divergence, block: Block) -> float:
    """ΣD of some rows."""
    here = U[block.start : block.start + len(block)]
    return divergence.total(block.X, divergence.product(block.X, here, V))
