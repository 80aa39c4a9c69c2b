"""The search for the factors: accelerated alternating least squares, with the rank that the penalty leaves.

With M = UVᵀ the nuclear norm is the least of ½(‖U‖² + ‖V‖²) over all such factors, so that

    F(U, V) = ½‖P_Ω(Z − UVᵀ)‖² + ½λ(‖U‖² + ‖V‖²)                                                              (1)

has the minimum of ½‖P_Ω(Z − M)‖² + λ‖M‖_* over the tables M whose rank the factors can hold. A pass is

    Y = V + (t − 1)/t⁺·(V − V₋),   t⁺ = ½(1 + √(1 + 4t²)),   U ← rows given Y,   V⁺ ← columns given U          (2)

(ridge_rows.py), or, where (1) would rise, the same from Y = V with t = 1. Every few passes R = P_Ω(Z − UVᵀ) is looked at:

    p_k, s_k, q_k           the singular triplets of UVᵀ
    ρ_k = p_kᵀR q_k         is λ at a minimum; where ½s_k ≤ λ − ρ_k, (1) falls if the k-th is left out        (3)
    θ_k, the pairs of R beside them: those above λ join with s = θ − λ, and (1) falls by ½(θ − λ)²            (4)

Both hold for several at once, since the pairs are orthogonal. The search ends where the gradient of (1) and the duality gap
(duality_gap.py) are small; with as many factors as may be, where the gradient is.

Cost of a pass: r² multiplications for each known cell, r³/3 for each row and column. Memory: the known cells and O((n + d)·r).
References: Hastie, Mazumder, Lee & Zadeh, "Matrix completion and low-rank SVD via fast alternating least squares", JMLR 16,
2015; Hsieh & Olsen, "Nuclear norm minimization via active subspace selection", ICML 2014, for the rank that grows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array
from aprendiz.decomposition.completion.known_cells import KnownCells, Units
from aprendiz.decomposition.completion.residual_matrix import ResidualMatrix
from aprendiz.decomposition.completion.ridge_rows import ridge_rows

LOOK, LOOK_AGAIN = 8, 2  # passes between two looks at R, and where hardly anything moves any more
STILL = 0.02  # of the tolerance: a pass that lowers F by no more hardly moves anything
STEPS = 40  # of Lanczos at a look
ROUNDING = 1e-13  # of F
JOIN = 8  # factors that may join at a look, or as many as there are


@dataclass(frozen=True)
class FactorState(State):
    """V of (1) beside the number of the pass and F; V of the pass before; t of (2); the seed of Lanczos."""

    V: Array
    before: Array
    momentum: float
    seed: int


class Triplets(NamedTuple):
    """Singular triplets, descending, vectors as columns."""

    left: Array
    sizes: Array
    right: Array


class Problem(NamedTuple):
    """(1): the known cells, λ, how many factors there may be, the gap at which the search ends, and the seed of Lanczos."""

    cells: KnownCells
    penalty: float
    most: int
    tolerance: float
    seed: int

    @property
    def margin(self) -> float:
        """What (3) and (4) may be off by without a share in the gap that matters."""
        return 0.25 * self.tolerance * self.penalty


def search(problem: Problem, most_passes: int, state: FactorState | None = None) -> Iterator[FactorState]:
    """The states from the start, or those that follow a state."""
    if state is None:
        state = first_state(problem)
        yield state
    while not state.settled and state.iteration < most_passes:
        state = next_state(problem, state)
        yield state


def first_state(problem: Problem, V: Array | None = None) -> FactorState:
    """The state before the first pass: from given column factors, or from those that join at once where there are none."""
    n, d = problem.cells.shape
    if V is None:
        none = Triplets(np.zeros((n, 0)), np.zeros(0), np.zeros((d, 0)))
        V = joined(problem, none, ResidualMatrix.of(problem.cells, none.left, none.right))[0]
    objective, _U, V = half_steps(problem, V)
    return FactorState(0, objective, V.shape[1] == 0, V, V, 1.0, problem.seed)


def next_state(problem: Problem, state: FactorState) -> FactorState:
    """A pass (2), and a look at R where one is due."""
    momentum = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * state.momentum**2))
    ahead = state.V + (state.momentum - 1.0) / momentum * (state.V - state.before)
    objective, U, V = half_steps(problem, ahead)
    if objective > state.objective * (1.0 + ROUNDING) and state.momentum > 1.0:
        momentum, (objective, U, V) = 1.0, half_steps(problem, state.V)
    elif float(np.vdot(ahead - V, V - state.V)) > 0:  # the pass turns back: (1) itself would not show it near the minimum
        momentum = 1.0
    found = FactorState(state.iteration + 1, objective, False, V, state.V, momentum, state.seed)
    still = abs(state.objective - objective) <= STILL * problem.tolerance * abs(objective)
    return look(problem, found, U) if found.iteration % (LOOK_AGAIN if still else LOOK) == 0 else found


def half_steps(problem: Problem, V: Array) -> tuple[float, Array, Array]:
    """F after both half-steps, and the factors."""
    U, _ = ridge_rows(problem.cells.by_rows, V, problem.penalty)
    V, squares = ridge_rows(problem.cells.by_columns, U, problem.penalty)
    return 0.5 * float(squares.sum()) + 0.5 * problem.penalty * float((U**2).sum() + (V**2).sum()), U, V


def look(problem: Problem, state: FactorState, U: Array) -> FactorState:
    """The same state, perhaps settled; factors leave (3) and join (4)."""
    triplets = triplets_of(U, state.V)
    R = ResidualMatrix.of(problem.cells, U, state.V)
    ahead, back = R.times(triplets.right), R.transposed_times(triplets.left)
    slack = problem.penalty - np.einsum("ik,ik->k", triplets.left, ahead)
    kept = (triplets.sizes > 2.0 * slack) | (slack <= problem.margin)
    V, outside = joined(problem, Triplets(*(part[..., kept] for part in triplets)), R)
    if not kept.all() or V.shape[1] != len(kept):
        return FactorState(state.iteration, state.objective, False, V, V, 1.0, state.seed)
    norm = max(outside, *(float(np.linalg.norm(one, 2)) if one.size else 0.0 for one in (ahead, back)))
    gap = estimated_gap(problem, R, triplets.sizes.sum(), float(slack @ triplets.sizes), norm)
    off = [ahead - problem.penalty * triplets.left, back - problem.penalty * triplets.right]
    gradient = math.sqrt(sum(float((one**2 @ triplets.sizes).sum()) for one in off))
    full = len(triplets.sizes) >= problem.most
    still = gradient * math.sqrt(2.0 * float(triplets.sizes.sum())) <= problem.tolerance * state.objective
    return replace(state, settled=bool(still and (full or gap <= problem.tolerance)))


def triplets_of(U: Array, V: Array) -> Triplets:
    """Those of UVᵀ; the entry of largest size of each right vector is positive."""
    P, S = np.linalg.qr(U)
    Q, T = np.linalg.qr(V)
    left, sizes, right = np.linalg.svd(S @ T.T)
    P, Q = P @ left, Q @ right.T
    if Q.size:
        signs = np.where(Q[np.abs(Q).argmax(axis=0), np.arange(Q.shape[1])] < 0, -1.0, 1.0)
        P, Q = P * signs, Q * signs
    return Triplets(P, sizes, Q)


def joined(problem: Problem, triplets: Triplets, R: ResidualMatrix) -> tuple[Array, float]:
    """Balanced column factors with those that join by (4), and the largest θ; infinite where it does not matter."""
    rank = len(triplets.sizes)
    if rank == problem.most < min(problem.cells.shape):  # nothing may join, and the gap is no reason to go on
        return triplets.right * np.sqrt(triplets.sizes), np.inf
    pairs = R.leading_pairs(max(JOIN, rank), STEPS, problem.seed, (triplets.left, triplets.right))
    above = (pairs.values > problem.penalty + problem.margin) & (np.arange(len(pairs.values)) < problem.most - rank)
    sizes = np.concatenate([triplets.sizes, pairs.values[above] - problem.penalty])
    V = np.concatenate([triplets.right, pairs.right[:, above]], axis=1) * np.sqrt(sizes)
    return V, float(pairs.values[0])


def estimated_gap(problem: Problem, R: ResidualMatrix, nuclear: float, slack: float, norm: float) -> float:
    """The duality gap beside the objective, with ‖R‖ from below: when to stop, not what is claimed."""
    squares = float(R.by_rows @ R.by_rows)
    share = min(1.0, problem.penalty / norm) if norm > 0 else 1.0
    inner = problem.penalty * nuclear - slack  # ⟨M, R⟩
    gap = 0.5 * (1.0 - share) ** 2 * squares + problem.penalty * nuclear - share * inner
    return gap / max(0.5 * squares + problem.penalty * nuclear, 1e-300)


def strongest_penalty(cells: KnownCells, units: Units) -> float:
    """σ₁ of the known cells with zeros elsewhere, in the units of the table: the penalty from which M = 0."""
    n, d = cells.shape
    R = ResidualMatrix.of(cells, np.zeros((n, 0)), np.zeros((d, 0)))
    return float(np.ldexp(R.leading_pairs(1, 2 * STEPS, 0).values[0], units.unit))
