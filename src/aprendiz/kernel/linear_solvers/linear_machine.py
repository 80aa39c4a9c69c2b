"""What the linear support vector machines have in common: which solver is used, its states, and what becomes of the last one.

    few columns, or rows of a file      smooth_newton.py: Newton's method on sums
    few rows, many columns, dense       the same, in the span of the rows (plane_frames.py)
    many columns                        dual_descent.py: coordinate descent, row by row
    absolute penalty                    l1_newton.py
    Crammer and Singer                  crammer_singer.py

All of them give states that hold planes, their objective and a lower bound of its minimum (planes.py).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import plain
from aprendiz.kernel.linear_solvers.crammer_singer import joint_states, measured_joint_state
from aprendiz.kernel.linear_solvers.dual_descent import descent_states, measured_state
from aprendiz.kernel.linear_solvers.l1_newton import sparse_states
from aprendiz.kernel.linear_solvers.planes import Magnitudes, MarginProblem, PlanesState, certify, goal_of, objectives
from aprendiz.kernel.linear_solvers.smooth_newton import newton_states
from aprendiz.linear.solvers.newton import thin
from aprendiz.locale import _

FEW = 1024  # columns, or rows of a dense table, with which curvature is formed
CHEAP = 2**31  # multiplications for which it is formed of a sparse table too

PENALISED = "the intercept is penalised, as in liblinear, so the answer depends on where zero is"
DIFFERENCES = {
    "dual": "no effect: the solver is chosen by loss, penalty and size; all of them prove their gap",
    "tol": "another form: the gap between the objective F and its lower bound is at most tol² of F, so that the coefficients "
    "are within tol·√(2F) of the optimum",
    "verbose": "no effect: use aprendiz.training(progress=True)",
    "random_state": "another form: only the order of the rows of tables with many columns depends on it",
}
EXCEPTIONS = {
    "shift": PENALISED,
    "scaling": "the penalty is not invariant to the scale of the columns",
    "monotone": "the dual objective rises; what is lowered is its negative",
}


class LinearMachine(Iterative):
    """A learner of planes that leave every row in its interval, as far as it is worth it."""

    State = PlanesState

    C: float
    tol: float
    loss: str
    fit_intercept: bool
    intercept_scaling: float
    random_state: Any
    max_iter: int
    n_iter_: int
    certificate_: Certificate
    n_features_in_: int

    @abstractmethod
    def pose(self, rows: Rows) -> MarginProblem:
        """The problem of the parameters and the rows."""

    def problem_of(self, rows: Rows, classes: int, epsilon: float, squared: bool, factor: float = 1.0) -> MarginProblem:
        scale = float(self.intercept_scaling) if self.fit_intercept else 0.0
        return MarginProblem(rows, factor * float(self.C), scale, squared, classes, epsilon, goal_of(self.tol))

    penalised_absolutely = False
    joint = False

    def solver(self, problem: MarginProblem) -> str:
        """Which of the solvers above suits the problem."""
        rows, size = problem.rows, problem.size
        if self.joint and problem.classes > 2:
            return "joint"
        few = size <= FEW or not in_memory(rows)
        if in_memory(rows) and rows.sparse:
            few = size <= FEW and (rows.count or 0) * size**2 <= CHEAP
        if self.penalised_absolutely:
            return "sparse formed" if few else "sparse"
        few_rows = in_memory(rows) and rows.dense and (rows.count or 0) <= FEW
        return "newton" if few or few_rows else "descent"

    def states(self, rows: Rows, since: PlanesState | None = None) -> Iterator[PlanesState]:
        problem = self.pose(rows)
        seed = draw_seed(0 if self.random_state is None else self.random_state) if since is None else since.seed
        kind = self.solver(problem)
        if kind == "joint":
            states = joint_states(problem, since, seed)
        elif kind == "descent":
            states = descent_states(problem, since, seed)
        elif kind == "newton":
            states = newton_states(problem, since)
        else:
            states = sparse_states(problem, since, kind == "sparse formed")
        state = since
        if state is None:
            state = next(states)
            yield state
        while not (state.settled or state.stuck) and state.iteration < self.max_iter:
            state = next(states)
            yield state

    def measured(self, state: PlanesState, rows: Rows) -> tuple[PlanesState, MarginProblem]:
        """A state whose F and D are those of its planes, and the problem."""
        problem = self.pose(rows)
        kind = self.solver(problem)
        if kind == "newton":
            state = replace(state, primal=objectives(problem, state.planes))
        if kind == "descent" and not state.settled:
            state = measured_state(problem, state)
        if kind == "joint" and not state.settled:
            state = measured_joint_state(problem, state)
        return state, problem

    def fitted(self, state: PlanesState, rows: Rows) -> tuple[dict[str, Any], Array, Array]:
        """The attributes that do not depend on what the planes are for, then coefficients and intercepts."""
        state, problem = self.measured(state, rows)
        magnitudes = thin(rows).sum(Magnitudes.of)
        known = {"n_iter_": state.iteration, "certificate_": certify(state, magnitudes, problem)}
        W, b = state.planes[:, :-1].copy(), problem.scale * state.planes[:, -1]
        return known, W, b

    def reason(self, state: PlanesState) -> str:
        return "rounding hides any further descent" if state.stuck else super().reason(state)

    def remedy(self) -> str:
        known = self.certificate_.values
        if "ratio" not in known:
            return _("Raise max_iter (it is {max_iter}), or scale the columns.").format(max_iter=self.max_iter)
        names = getattr(self, "feature_names_in_", range(self.n_features_in_))
        large, small = (plain(names[known[which]]) for which in ("largest_column", "smallest_column"))
        said = _("Scale the columns: the cells of {large!r} are up to {ratio:.0e} times as large as those of {small!r}.")
        return said.format(large=large, small=small, ratio=known["ratio"])

    def most_states(self) -> int:
        return self.max_iter + 1
