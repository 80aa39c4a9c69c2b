"""What batches of rows leave behind, and the parts that follow from it.

For the squared error, the parts of rows seen so far depend on two sums alone, with u the best weights of a row when it was met:

    G = Σ ρ^age·uuᵀ,     B = Σ ρ^age·x uᵀ,     V ← sweeps of G, B (coordinate_descent.py)                      (1)

and for other divergences on the numerators and denominators of the rule of multiplication (divergences.py),

    N = Σ ρ^age·v·above,     M = Σ ρ^age·below,     v ← (N/(M + λ₁ + λ₂v))^γ                                   (2)

where v on the right stands for v^(1/γ). Rows are forgotten little by little: ρ is the forget factor, age counted in readings of
the whole table (in batches, for `partial_fit`). Penalties count as many rows as are remembered.
References: Mairal, Bach, Ponce & Sapiro, "Online learning for matrix factorization and sparse coding", JMLR 11, 2010, for (1);
Lefèvre, Bach & Févotte, WASPAA 2011, for (2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.decomposition.nonnegative.coordinate_descent import sweep_in_parts
from aprendiz.decomposition.nonnegative.divergences import Divergence
from aprendiz.decomposition.nonnegative.least_squares import cell_errors
from aprendiz.decomposition.nonnegative.new_rows import settled_rows
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.products import turned
from aprendiz.decomposition.nonnegative.stationarity import best_rows
from aprendiz.decomposition.nonnegative.table_facts import dense


@dataclass(frozen=True)
class Stream(State):
    """V after some batches, and what they have left. `objective` is the running mean of the cost of a row."""

    V: Array
    products: Array  # B of (1), or N of (2)
    curvature: Array  # G of (1), or M of (2)
    remembered: float  # rows, by ρ^age
    lowest: float  # the smallest running mean so far
    idle: int  # batches since then
    still: int  # rows since the parts last moved
    epoch: int
    batch: int
    start: Array  # V of state 0
    first_cost: float  # of a row of the first batch
    seed: int

    @classmethod
    def first(cls, V: Array, seed: int, divergence: Divergence) -> Self:
        """State 0. The sums of (2) begin with the start, as if a batch had led to it: columns that are 0 in the first batch
        would otherwise be 0 for ever."""
        k = V.shape[1]
        if divergence.beta == 2:
            products, curvature = np.zeros(V.shape), np.zeros((k, k))
        else:
            products, curvature = V ** (1.0 / divergence.exponent), np.ones(V.shape)
        return cls(0, np.inf, False, V, products, curvature, 0.0, np.inf, 0, 0, 0, 0, V, np.inf, seed)


@dataclass(frozen=True)
class BatchSums(Sums):
    """Rows, their cost at the best U, and what they add to (1) or (2)."""

    rows: int
    cost: float
    products: Array
    curvature: Array


@dataclass(frozen=True)
class Problem:
    """D, the penalty α·ρ₁ and α·(1 − ρ₁) on W, that on H for a single row, and how new rows are solved."""

    divergence: Divergence
    on_rows: Penalty
    on_parts: Penalty
    tol: float
    most: int

    @property
    def squared(self) -> bool:
        return self.divergence.beta == 2

    def best(self, X: Any, V: Array) -> Array:
        """The best U of some rows."""
        if self.squared:
            return best_rows(X, V, self.on_rows)
        return settled_rows(X, V, self.divergence, self.on_rows, self.tol, self.most)[0]

    def cost(self, X: Any, U: Array, V: Array) -> float:
        """Of the rows alone."""
        if self.squared:
            return 0.5 * cell_errors(U, V, Block(X, None, None, 0)) + self.on_rows.on(U)
        return self.divergence.total(dense(X), self.divergence.product(dense(X), U, V)) + self.on_rows.on(U)

    def of_block(self, V: Array, block: Block) -> BatchSums:
        """What some rows add."""
        U, count = self.best(block.X, V), len(block)
        cost = self.cost(block.X, U, V)
        if self.squared:
            return BatchSums(count, cost, turned(block.X, U), U.T @ U)
        above, below = self.divergence.weighed(dense(block.X), self.divergence.product(dense(block.X), U, V))
        return BatchSums(count, cost, V ** (1.0 / self.divergence.exponent) * (above.T @ U), below.T @ U)

    def total(self, V: Array, block: Block) -> float:
        """The cost of some rows at their best U."""
        return self.cost(block.X, self.best(block.X, V), V)

    def after(self, state: Stream, sums: BatchSums, forget: float) -> Stream:
        """(1) or (2) with one more batch."""
        products, curvature = forget * state.products + sums.products, forget * state.curvature + sums.curvature
        count = forget * state.remembered + sums.rows
        penalty = Penalty(count * self.on_parts.l1, count * self.on_parts.l2)
        if self.squared:
            V = sweep_in_parts(state.V, penalty.curved(curvature), products, penalty.l1)[0]
        else:
            below = curvature + penalty.l1 + penalty.l2 * state.V
            ratio = np.divide(products, below, out=np.zeros_like(products), where=below > 0)
            V = ratio**self.divergence.exponent
        return replace(state, iteration=state.iteration + 1, V=V, products=products, curvature=curvature, remembered=count)


def total_cost(rows: Rows, problem: Problem, V: Array, count: int) -> float:
    """The mean cost of the rows at their best U, with their share of the penalty on V."""
    return float(rows.sum(problem.total, V)) / max(count, 1) + problem.on_parts.on(V)
