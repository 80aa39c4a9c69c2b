"""Logistic regressions with weaker and weaker penalties on the same rows, each started from the one before.

    C₁ < C₂ < … ,     θ(C₁) from 0,     θ(C_i) from θ(C_{i−1})                                                (1)

The rows are prepared once: weights, pivot, and the basis of their span where that is the smaller space. Then

    few parameters     Newton's method (newton.py): from a near start two or three passes. A step from where the decrement is
                       a millionth of F ends so near to the minimiser that it is made without another look.
    many               L-BFGS (quasi_newton.py). With weaker penalties it takes longer: where it takes too long, the
                       rest of the path is left to newton.py, which forms H unless it is very large.
    zeros (ρ > 0)      proximal Newton steps (sparse_logistic.py)

Cost: two to six passes over the rows for each C.
Reference: Friedman, Hastie & Tibshirani, "Regularization paths for generalized linear models via coordinate descent",
J. Statistical Software 33, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.newton import LogisticProblem, NewtonState
from aprendiz.linear.solvers.sparse_logistic import balance, corner_states

SMALL = 64  # parameters for which H is formed at once
PATIENCE = 30  # passes after which H is formed, unless that costs more than it is worth (newton.py)
CLOSE = 1e-6  # decrement, as a part of F, from which one more step leads to the end


@dataclass(frozen=True)
class Fit:
    """A fit of a path: its plane, the intercept last, the passes it took, and whether it came to its end."""

    plane: Array
    passes: int
    ended: bool


@dataclass
class Path:
    """Fits to the same rows with weaker and weaker penalties, each started from the one before."""

    rows: Rows
    problem: LogisticProblem  # without its penalty
    share: float
    tol: float
    most: int
    patient: bool = True  # until L-BFGS has taken too long once

    @classmethod
    def of(cls, rows: Rows, share: float, intercept: bool, tol: float, most: int) -> Self:
        if share > 0:
            return cls(rows, LogisticProblem.pose(rows, 0.0, intercept)[0], share, tol, most)
        return cls(rows, LogisticProblem.of(rows, 0.0, intercept, parameters(rows) <= SMALL), share, tol, most)

    def fits(self, strengths: Array) -> Iterator[Fit]:
        """A fit for each 1/C."""
        plane = np.zeros((self.problem.outputs, self.rows.columns + 1))
        for strength in strengths.tolist():
            zeros = strength * self.share > 0
            state = self.with_zeros(strength, plane) if zeros else self.smooth(strength, plane)
            plane = plane_of(state)
            yield Fit(plane, state.iteration + 1, state.settled or state.slope <= self.tol)

    def with_zeros(self, strength: float, plane: Array) -> NewtonState:
        """The fit with a penalty that makes zeros."""
        penalty = ElasticPenalty(strength * self.share, strength * (1.0 - self.share))
        problem = replace(self.problem, alpha=penalty.l2)
        for state in corner_states(self.rows, problem, penalty, balance(theta_of(plane, problem), penalty), 0, self.tol):
            if state.settled or state.stuck or state.iteration >= self.most:
                break
        return state

    def smooth(self, strength: float, plane: Array) -> NewtonState:
        """The fit with a squared penalty, or none."""
        most = min(self.most, PATIENCE) if self.patient else self.most
        state = minimise(self.problem, strength, plane, self.tol, most)
        if most < self.most and not at_rest(state, self.tol):
            self.problem, self.patient = LogisticProblem.of(self.rows, 0.0, self.problem.intercept), False
            rest = minimise(self.problem, strength, plane_of(state), self.tol, self.most - state.iteration)
            state = replace(rest, iteration=state.iteration + rest.iteration)
        if state.formed and at_rest(state, self.tol) and not (state.stuck or state.separated):
            return replace(state, theta=state.theta - state.step)
        return state


def parameters(rows: Rows) -> float:
    """How many parameters are to be found, in the span of the rows if that is smaller."""
    assert rows.labels is not None
    outputs, count = (1 if len(rows.labels) == 2 else len(rows.labels)), (np.inf if rows.count is None else rows.count)
    return outputs * (1 + min(count, rows.columns))


def plane_of(state: NewtonState) -> Array:
    """θ around its origin as coefficients and the intercept."""
    W = state.theta[:, 1:]
    return np.column_stack([W, state.theta[:, 0] - W @ state.origin])


def theta_of(plane: Array, problem: LogisticProblem) -> Array:
    """The other way round."""
    W = plane[:, :-1]
    return np.column_stack([plane[:, -1] + W @ problem.origin, W])


def minimise(problem: LogisticProblem, strength: float, plane: Array, tol: float, most: int) -> NewtonState:
    """The last state with a squared penalty, from a plane."""
    bound = None if problem.bound is None else problem.bound + max(strength, 1e-300)  # a constant column may have none
    problem = replace(problem, alpha=strength, bound=bound)
    state = problem.at(problem.outward(problem.inward(theta_of(plane, problem))), 0, tol)
    while state.iteration < most and not at_rest(state, tol):
        state = problem.next(state, tol)
    return state


def at_rest(state: NewtonState, tol: float) -> bool:
    """Is the fit done, but for a last step where H was formed?"""
    near = not state.formed or state.separated or state.decrement <= CLOSE * abs(state.objective)
    return state.settled or state.stuck or (state.slope <= tol and near)
