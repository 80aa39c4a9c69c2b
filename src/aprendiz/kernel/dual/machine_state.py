"""The state of a support vector machine while it is fitted: the coefficients and gradients of all its problems, end to end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array
from aprendiz.kernel.dual.evidence import dual_objective
from aprendiz.kernel.dual.problem import DualProblem, violation
from aprendiz.kernel.dual.solver import DualState


@dataclass(frozen=True)
class MachineState(State):
    """Several dual problems, the first `done` of which are finished."""

    beta: Array
    gradient: Array
    sizes: Array  # variables of each problem
    steps: Array  # of two variables, for each problem
    exact: Array  # whether its gradient is that of double precision
    optimal: Array  # whether it is solved to the tolerance
    objectives: Array
    path: (
        Array  # of each problem: variables of the last block, violations at the last exact gradient and for Newton, in double?
    )
    done: int

    @classmethod
    def at_start(cls, firsts: list[DualState]) -> Self:
        """All problems at their first state."""
        zeros, yes = np.zeros(len(firsts), np.int64), np.array([one.settled for one in firsts])
        beta, gradient = (np.concatenate([getattr(one, name) for one in firsts]) for name in ("beta", "g"))
        sizes = np.array([len(one.beta) for one in firsts])
        settled = bool(yes.all())
        path = np.tile([0.0, np.inf, np.inf, 0.0], (len(firsts), 1))
        known = (sizes, zeros, np.ones(len(firsts), bool), yes, np.full(len(firsts), np.inf), path)
        return cls(0, np.inf, settled, beta, gradient, *known, 0)

    def span(self, k: int) -> slice:
        """Where the variables of a problem stand."""
        stop = int(self.sizes[: k + 1].sum())
        return slice(stop - int(self.sizes[k]), stop)

    def part(self, k: int, problems: list[DualProblem]) -> DualState:
        """One of the problems."""
        beta, g = self.beta[self.span(k)], self.gradient[self.span(k)]
        found = violation(problems[k], beta, g)
        block, last_exact, near, double = self.path[k]
        known = (int(self.steps[k]), bool(self.exact[k]), bool(self.optimal[k]))
        return DualState(beta, g, found, *known, int(block), float(last_exact), bool(double), float(near))

    def after(self, found: dict[int, DualState], problems: list[DualProblem]) -> Self:
        """The state in which some problems have moved on."""
        beta, gradient = self.beta.copy(), self.gradient.copy()
        parts = (self.steps, self.exact, self.optimal, self.objectives, self.path)
        steps, exact, optimal, objectives, path = (part.copy() for part in parts)
        for k, one in found.items():
            beta[self.span(k)], gradient[self.span(k)] = one.beta, one.g
            steps[k], exact[k], optimal[k] = one.steps, one.exact, one.settled
            path[k] = one.block, one.last_exact, one.near, one.double
            objectives[k] = dual_objective(problems[k], one.beta, one.g)
        return replace(
            self,
            iteration=self.iteration + 1,
            objective=float(objectives.sum()),
            settled=bool(optimal.all()),
            beta=beta,
            gradient=gradient,
            steps=steps,
            exact=exact,
            optimal=optimal,
            objectives=objectives,
            path=path,
            done=max([self.done, *(k + 1 for k in found if len(problems) > 1)]),
        )
