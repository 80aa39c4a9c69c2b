"""One plane for each class, all fitted together: the support vector machine of Crammer and Singer.

    min   ½ Σ_k ‖θ_k‖² + Σ_i c_i ξ_i,      ξ_i = max(0, max over k ≠ y of 1 − (θ_y − θ_k)ᵀz)                   (1)

The dual has K multipliers for each row, θ_k = Σ_i α_ik z_i, with

    Σ_k α_ik = 0,     α_ik ≤ c_i if k = y, else α_ik ≤ 0                                                      (2)
    D = Σ_i α_iy − ½ Σ_k ‖θ_k‖²                                                                               (3)

Row after row, in a random order, its K multipliers are given the values that are best while the others stay. With Q = zᵀz and
b_k = θ_kᵀz + [k ≠ y] − Q·α_k they are

    α_k = min(limit_k, (β − b_k)/Q),     limit_k = c if k = y, else 0,      Σ_k α_k = 0                       (4)

and β is found by adding one class after the other, from the largest b_k + Q·limit_k on. Two classes are the ordinary machine
with the hinge loss and 2C.

Cost of an epoch: twice the filled cells times K. Memory: K numbers for each row.
References: Crammer & Singer, JMLR 2, 2001; Keerthi, Sundararajan, Chang, Hsieh & Lin, "A sequential dual method for large scale
multi-class linear SVMs", KDD 2008.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from aprendiz.compilation.compiled import compiled, int64, interruptible
from aprendiz.core.hashing import mix
from aprendiz.core.random import stream_key
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import compress, in_memory
from aprendiz.kernel.linear_solvers.dual_descent import PATIENCE, compressed
from aprendiz.kernel.linear_solvers.planes import MarginProblem, PlanesState, relative_gap


def joint_states(problem: MarginProblem, since: PlanesState | None, seed: int) -> Iterator[PlanesState]:
    """State 0, then one state for each epoch, for ever. F and D are those of all planes together."""
    descent = JointDescent(problem, seed)
    state = since
    if state is None:
        state = descent.measured(0, np.zeros((len(descent.c), problem.classes)), 0)
        yield state
    while True:
        state = descent.epoch(state)
        yield state


class JointDescent:
    """(1) to (4) on a table in memory."""

    def __init__(self, problem: MarginProblem, seed: int):
        rows = problem.rows
        assert in_memory(rows)
        assert rows.y is not None
        self.problem, self.seed, self.X, self.y = problem, seed, compressed(rows), rows.y.astype(np.intp)
        self.c = problem.C * (np.ones(len(rows.y)) if rows.weight is None else rows.weight)
        self.squares = np.asarray(self.X.multiply(self.X).sum(axis=1)).ravel() + problem.scale**2

    def epoch(self, state: PlanesState) -> PlanesState:
        """(4) for each row; measured if all of them are at rest."""
        tests, iteration = int(state.counts[0]), state.iteration + 1
        if bool(state.finished[0]):
            return replace(state, iteration=iteration)
        theta, alpha = np.ascontiguousarray(state.planes.T), state.multipliers.copy()
        rows, key = (self.y, self.c, self.squares), stream_key(self.seed, iteration)
        gap = interruptible(joint_epoch, compress(self.X), rows, alpha, theta, self.problem.scale, key)
        dual = float(alpha[np.arange(len(alpha)), self.y].sum()) - 0.5 * float((theta**2).sum())
        if gap <= 0.5**tests * self.problem.goal * dual:
            return self.measured(iteration, alpha, tests)
        return self.state(iteration, theta.T, alpha, float(state.primal[0]), dual, tests)

    def measured(self, iteration: int, alpha: Array, tests: int) -> PlanesState:
        """The state with θ summed anew, F there, and D."""
        scale, each = self.problem.scale, np.arange(len(alpha))
        theta = np.vstack([self.X.T @ alpha, scale * alpha.sum(axis=0)])
        T = self.X @ theta[:-1] + scale * theta[-1]
        own = T[each, self.y].copy()
        T[each, self.y] = -np.inf
        half = 0.5 * float((theta**2).sum())
        primal = half + float(self.c @ np.maximum(0.0, 1.0 + T.max(axis=1) - own))
        return self.state(iteration, theta.T, alpha, primal, float(alpha[each, self.y].sum()) - half, tests + 1)

    def state(self, iteration: int, planes: Array, alpha: Array, primal: float, dual: float, tests: int) -> PlanesState:
        settled = bool(relative_gap(primal, dual) <= self.problem.goal)
        finished = settled or tests >= PATIENCE
        return PlanesState(
            iteration=iteration,
            objective=-dual,
            settled=settled,
            planes=np.ascontiguousarray(planes),
            primal=np.array([primal]),
            dual=np.array([dual]),
            finished=np.array([finished]),
            stuck=finished and not settled,
            seed=self.seed,
            multipliers=alpha,
            counts=np.array([tests]),
        )


def measured_joint_state(problem: MarginProblem, state: PlanesState) -> PlanesState:
    """A state of `joint_states` with F and D."""
    return JointDescent(problem, state.seed).measured(state.iteration, state.multipliers, int(state.counts[0]))


@compiled
def joint_epoch(
    Z: tuple[Array, Array, Array], rows: tuple[Array, Array, Array], alpha: Array, theta: Array, scale: float, key: np.uint64
) -> float:
    """(4) for all rows in a random order; α and θ (columns × classes) change in place. Returned is F − D as it was met."""
    data, columns, starts = Z
    y, c, squares = rows
    n, K = alpha.shape
    last, gap = len(theta) - 1, 0.0
    order, t, b, sorted_ends = np.arange(n), np.empty(K), np.empty(K), np.empty(K)
    for position in range(n):
        other = position + int64(mix(key + np.uint64(position)) % np.uint64(n - position))
        order[position], order[other] = order[other], order[position]
        i = order[position]
        if c[i] == 0.0:
            continue
        for k in range(K):
            t[k] = scale * theta[last, k]
        for cell in range(starts[i], starts[i + 1]):
            for k in range(K):
                t[k] += data[cell] * theta[columns[cell], k]
        slack, Q = 0.0, max(squares[i], 1e-300)
        for k in range(K):
            b[k] = t[k] - Q * alpha[i, k] + (1.0 if k != y[i] else 0.0)
            slack = max(slack, 1.0 + t[k] - t[y[i]] if k != y[i] else 0.0)
            gap += alpha[i, k] * t[k]
        gap += c[i] * slack - alpha[i, y[i]]
        beta = threshold(b, sorted_ends, y[i], Q * c[i])
        for k in range(K):
            b[k] = min(c[i] if k == y[i] else 0.0, (beta - b[k]) / Q) - alpha[i, k]  # the change of α
            alpha[i, k] += b[k]
            theta[last, k] += scale * b[k]
        for cell in range(starts[i], starts[i + 1]):
            for k in range(K):
                theta[columns[cell], k] += data[cell] * b[k]
    return gap


@compiled(inner=True)
def threshold(b: Array, sorted_ends: Array, own: int, reach: float) -> float:
    """β of (4): `reach` is Q·c."""
    K = len(b)
    for k in range(K):  # the largest first
        value, place = b[k] + (reach if k == own else 0.0), k
        while place > 0 and sorted_ends[place - 1] < value:
            sorted_ends[place] = sorted_ends[place - 1]
            place -= 1
        sorted_ends[place] = value
    beta, taken = sorted_ends[0] - reach, 1
    while taken < K and beta < taken * sorted_ends[taken]:
        beta += sorted_ends[taken]
        taken += 1
    return beta / taken
