"""Newton's method on the free variables, those between their bounds: where steps of two variables would go on for long.

While the others stay at their bounds, the objective is a quadratic function of the free ones F. It is smallest, with the same
Σβ, at β_F + δ with

    K_FF δ = ρ1 − g_F − ε·sign(β_F),     1ᵀδ = what Σβ lacks                                                     (1)

Variables that (1) would take beyond a bound are set to it and held there, and (1) is solved for the rest. Once all stay within,
the gradient of all variables tells which of the others break optimality; these join F, and held ones are let go. This ends
after few rounds where F is nearly right, however ill-conditioned K_FF is; a pair of variables at a time would take thousands.

One Cholesky factor serves all rounds. With K_FF = LLᵀ, δ = 0 for the held variables H is a projection in between:

    y = L⁻¹(right side),     y ← y − V(VᵀV)⁻¹Vᵀy,     V = L⁻¹E_H,     δ = L⁻ᵀy                                    (2)

and variables that join are new rows of L. Within a round, LLᵀ tells how the gradient of F changes; at its end K does, for all
variables. The state is taken if the objective is lower. If K_FF is singular, nothing is done.

Cost: |F|³/3 multiplications once, |F|² for each variable that is held or joins, |F|·n for the gradient of a round. Memory: L
and V are lent that of rows of K; where not all rows of F have room beside them, the rest are computed for each gradient.
References: Kunisch & Rendl, "An infeasible active set method for quadratic problems with simple bounds", SIAM J. Optim. 14,
2003; Scheinberg, "An efficient implementation of an active set method for SVMs", JMLR 7, 2006.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.kernel.dual.evidence import dual_objective
from aprendiz.kernel.dual.kernel_rows import LENT, KernelRows
from aprendiz.kernel.dual.problem import DualProblem, multipliers, slopes, violation
from aprendiz.kernel.solvers.tiled_cholesky import factorise
from aprendiz.kernel.solvers.tiles import for_each, runs

if TYPE_CHECKING:
    from aprendiz.kernel.dual.solver import DualState

ROUNDS, TURNS, MOST_OUT = 12, 20, 0.2  # of joining, and of holding in each of them
REFINED = 2  # times that a round ends with the gradient of K
AT_A_TIME = 128  # columns of V that a thread computes
OF_ROWS = 0.75  # of the memory of the rows of K, at most, for L and V
JOINS = 0.5  # of the violation that is asked for, by which a variable must break optimality to join


def newton_state(problem: DualProblem, state: DualState, kept: KernelRows, goal: float) -> DualState:
    """The state after some rounds, or the same one."""
    try:
        return after_rounds(problem, state, kept, goal)
    finally:
        kept.take_back()


def after_rounds(problem: DualProblem, state: DualState, kept: KernelRows, goal: float) -> DualState:
    """The same, with memory that is lent."""
    search = FreeVariables.of(problem, state, kept, JOINS * goal)
    best, lowest = state, dual_objective(problem, state.beta, state.g)
    for _ in range(ROUNDS):
        if search is None or not search.settle():
            break
        found = dual_objective(problem, search.beta, search.g)
        if not found < lowest:
            break
        worst = violation(problem, search.beta, search.g)
        best = replace(state, beta=search.beta.copy(), g=search.g.copy(), violation=worst, steps=state.steps + 1, exact=False)
        lowest = found
        if worst <= goal:
            break
        search = search.joined(JOINS * goal)
    return best


@dataclass
class FreeVariables:
    """F, in the order of the factor; of each of its variables whether it is held. β and g of all variables change in place."""

    problem: DualProblem
    kept: KernelRows
    beta: Array
    g: Array
    sums: Array  # Σβ of each sum, which stays
    chosen: Array
    side: Array  # the sign that a variable has, if ε > 0
    held: Array
    factor: Factor

    @classmethod
    def of(cls, problem: DualProblem, state: DualState, kept: KernelRows, slack: float) -> Self | None:
        """The free variables of a state, and those that break optimality. None if they are too many, or K_FF is singular."""
        beta, g = np.array(state.beta), np.array(state.g)
        inside = (beta > problem.low) & (beta < problem.high) & (beta != 0.0)
        side = breaking_sides(problem, beta, g, slack)
        chosen = np.flatnonzero(inside | (side != 0.0))
        if not 0 < len(chosen) <= most_variables(kept):
            return None
        factor = Factor(kept.lend(int(LENT * len(chosen) ** 2), chosen), len(chosen))
        fill_between(kept, chosen, chosen, factor.L)
        if not factorise(factor.L):
            return None
        sums = np.array([beta[a:b].sum() for a, b in problem.spans])
        signs = np.where(inside, np.sign(beta), side)[chosen]
        return cls(problem, kept, beta, g, sums, chosen, signs, np.zeros(len(chosen), bool), factor)

    def settle(self) -> bool:
        """(1), until no variable leaves its bounds; whether that ended."""
        floor, ceiling = self.problem.low[self.chosen], self.problem.high[self.chosen]
        if self.problem.epsilon > 0.0:
            floor, ceiling = np.where(self.side > 0, 0.0, floor), np.where(self.side < 0, 0.0, ceiling)
        for _ in range(REFINED):
            before, g = self.beta[self.chosen], self.g.copy()
            if not self.settle_within(floor, ceiling):
                return False
            self.g = g
            self.add(self.beta[self.chosen] - before)
        return True

    def settle_within(self, floor: Array, ceiling: Array) -> bool:
        """The same, between these bounds. Of the gradient only that of F moves along."""
        for _ in range(TURNS):
            delta = self.newton_step()
            if delta is None or not np.isfinite(delta).all():
                return False
            here, free = self.beta[self.chosen], ~self.held
            share = step_share(here, delta, floor, ceiling, free)
            new = here + share * delta
            out = free & ~((new > floor) & (new < ceiling))
            if out.sum() == free.sum():
                return False
            moved = free if share < 1.0 or not out.any() else out
            new = np.where(moved, np.clip(new, floor, ceiling), here)
            self.beta[self.chosen] = new
            self.g[self.chosen] += self.factor.times(new - here)
            if share == 1.0 and not out.any():
                return True
            self.held |= out
            if not self.factor.hold(np.flatnonzero(out)):
                return False
        return False

    def newton_step(self) -> Array | None:
        """δ of (1), 0 for variables that are held; None if the system is singular up to rounding."""
        starts = [a for a, _ in self.problem.spans[1:]]
        member = np.searchsorted(starts, self.chosen, side="right")  # of which sum
        ones = (member[:, None] == np.arange(len(self.sums))).astype(float) * ~self.held[:, None]
        slope = self.g[self.chosen] + self.problem.epsilon * self.side
        solved = self.factor.solve(np.column_stack([-slope, ones]))
        if solved is None:
            return None
        U = np.where(self.held[:, None], 0.0, solved)
        lacking = self.sums - np.array([self.beta[a:b].sum() for a, b in self.problem.spans])
        used = ones.any(axis=0)
        rho = np.zeros(len(used))
        between, right = (ones.T @ U[:, 1:])[np.ix_(used, used)], (lacking - ones.T @ U[:, 0])[used]
        if not abs(np.linalg.det(between)) > 0.0:
            return None
        rho[used] = np.linalg.solve(between, right)
        delta = U[:, 0] + U[:, 1:] @ rho
        return delta + ones @ ((lacking - ones.T @ delta) / np.maximum(ones.sum(axis=0), 1.0))  # to the last digit

    def add(self, delta: Array) -> None:
        """The gradient of all variables after those of F have changed."""
        near = np.flatnonzero(delta[: len(self.kept.rows)])
        far = len(self.kept.rows) + np.flatnonzero(delta[len(self.kept.rows) :])
        self.kept.places_of(self.chosen[: len(self.kept.rows)])
        self.kept.add(self.chosen[near], delta[near], self.g)
        self.kept.add_computed(self.chosen[far], delta[far], self.g)

    def joined(self, slack: float) -> Self | None:
        """With the variables that break optimality; None if there are none, or too many, or K_FF would be singular."""
        side = breaking_sides(self.problem, self.beta, self.g, slack)
        side[self.chosen[~self.held]] = 0.0
        freed = self.held & (side[self.chosen] != 0.0)
        self.side = np.where(freed, side[self.chosen], self.side)
        side[self.chosen] = 0.0
        new = np.flatnonzero(side)
        if not (len(new) or freed.any()) or len(self.chosen) + len(new) > most_variables(self.kept):
            return None
        self.held &= ~freed
        self.factor.release(np.flatnonzero(freed))
        if not len(new):
            return self
        every = np.concatenate([self.chosen, new])
        between = np.empty((len(new), len(every)), self.factor.memory.dtype)
        fill_between(self.kept, new, every, between)
        if not self.factor.grow(between):
            return None
        held = np.concatenate([self.held, np.zeros(len(new), bool)])
        return replace(self, chosen=every, side=np.concatenate([self.side, side[new]]), held=held)


def most_variables(kept: KernelRows) -> int:
    """So many that what they are lent leaves some memory to the rows."""
    return math.isqrt(int(OF_ROWS / LENT * len(kept.memory)))


def step_share(here: Array, delta: Array, floor: Array, ceiling: Array, free: Array) -> float:
    """The part of δ that takes no more than a share of the free variables out of their bounds."""
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(delta > 0, ceiling - here, np.where(delta < 0, floor - here, np.inf)) / np.where(delta == 0, 1.0, delta)
    first = np.sort(room[free])
    return min(1.0, float(first[min(len(first) - 1, int(MOST_OUT * len(first)))]))


def breaking_sides(problem: DualProblem, beta: Array, g: Array, slack: float) -> Array:
    """Of each variable, the sign that it will have when it moves to where the objective is lower, if its slope differs by more
    than `slack` from ρ; else 0."""
    up, down = slopes(problem, beta, g)
    found = np.zeros(len(beta))
    for (a, b), rho in zip(problem.spans, multipliers(problem, beta, g), strict=True):
        rises, falls = up[a:b] < rho - slack, down[a:b] > rho + slack
        found[a:b] = np.where(rises | falls, np.where(beta[a:b] != 0.0, np.sign(beta[a:b]), np.where(rises, 1.0, -1.0)), 0.0)
    return found


def fill_between(kept: KernelRows, some: Array, others: Array, out: Array) -> None:
    """K between some variables and others, with the diagonal of the problem."""

    def fill(run: slice) -> None:
        out[run] = kept.block(some[run], others)

    for_each(fill, runs(0, len(some), AT_A_TIME))


class Factor:
    """L of K_FF, and (2) for the variables that are held, in memory that is lent: L by rows, and V by columns behind it."""

    def __init__(self, memory: Array, size: int):
        self.memory, self.size = memory, size
        self.held = np.zeros(0, np.intp)

    @property
    def L(self) -> Array:
        return self.memory[: self.size**2].reshape(self.size, self.size)

    @property
    def V(self) -> Array:
        return self.columns(len(self.held))

    def columns(self, count: int) -> Array:
        """Room for so many columns of V."""
        return self.memory[self.size**2 :][: count * self.size].reshape(count, self.size).T

    def has_room(self, size: int, held: int) -> bool:
        return size * (size + held) <= len(self.memory)

    def divide(self, R: Array, out: Array | None = None, *, transposed: bool = False) -> Array:
        """L⁻¹R or L⁻ᵀR, some columns at a time on each thread."""
        found = np.empty_like(R, order="F") if out is None else out

        def some(run: slice) -> None:
            found[:, run] = linalg.solve_triangular(
                self.L, R[:, run], lower=True, trans="T" if transposed else "N", check_finite=False
            )

        for_each(some, runs(0, R.shape[1], AT_A_TIME))
        return found

    def times(self, delta: Array) -> Array:
        """LLᵀδ."""
        (multiply,) = linalg.get_blas_funcs(("trmv",), (self.memory,))
        return multiply(self.L.T, multiply(self.L.T, delta.astype(self.memory.dtype)), trans=1).astype(float)

    def solve(self, R: Array) -> Array | None:
        """(2); None if the held variables are dependent up to rounding."""
        y = self.divide(R.astype(self.memory.dtype))
        if len(self.held):
            inner = self.V.T @ self.V
            if not factorise(inner):
                return None
            y -= self.V @ linalg.cho_solve((inner, True), self.V.T @ y, check_finite=False)
        return self.divide(y, transposed=True).astype(float)

    def hold(self, places: Array) -> bool:
        """More columns of V. Whether there was room."""
        count = len(self.held)
        if not self.has_room(self.size, count + len(places)):
            return False
        new = self.columns(count + len(places))[:, count:]
        new[...] = 0.0
        new[places, np.arange(len(places))] = 1.0
        self.divide(new, new)
        self.held = np.concatenate([self.held, places])
        return True

    def release(self, places: Array) -> None:
        """Without the columns of variables that are free again."""
        stays = np.flatnonzero(~np.isin(self.held, places))
        for column, before in enumerate(stays.tolist()):
            self.V[:, column] = self.V[:, before]
        self.held = self.held[stays]

    def grow(self, rows: Array) -> bool:
        """New variables: rows of K between them and all, the new ones last. Whether there is room, and the matrix is still
        positive definite."""
        n, count, held = self.size, len(rows), len(self.held)
        if not self.has_room(n + count, held):
            return False
        across = self.divide(np.ascontiguousarray(rows[:, :n].T)).T
        corner = rows[:, n:] - across @ across.T
        if not factorise(corner):
            return False
        below = linalg.solve_triangular(corner, -(across @ self.V), lower=True, check_finite=False)
        self.widen(count)
        self.L[n:, :n], self.L[n:, n:], self.V[n:] = across, corner, below
        return True

    def widen(self, count: int) -> None:
        """Room for more rows and columns: what stands last moves first."""
        n, old, columns = self.size, self.L, self.V
        self.size += count
        for column in range(len(self.held) - 1, -1, -1):
            self.V[:n, column] = columns[:, column]
        for row in range(n - 1, -1, -1):
            self.L[row, :n] = old[row]
