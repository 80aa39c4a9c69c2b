"""Problems of few variables, with a Gram matrix that is there as a whole: solved in a few calls.

Where there are hundreds of variables, calls would cost more than steps. One kernel makes the steps of two variables
(pair_steps.py), computes g = (K + diag r)β − t again from the coefficients alone, in double precision, and says how far that is
from optimal. The problems of all pairs of classes share one matrix, in which each has its own rows.

Cost: O(n) a step, O(n) for each coefficient that is not zero. Memory: n² for the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from aprendiz.compilation.compiled import compiled, interruptible
from aprendiz.core.rows import Array
from aprendiz.kernel.dual.pair_steps import pair_steps
from aprendiz.kernel.dual.problem import DualProblem, find_rounding, find_violation

if TYPE_CHECKING:
    from aprendiz.kernel.dual.solver import DualState

SMALL = 1024  # variables
FINAL = 0.9  # of tol, to which all is solved: rounding may take the rest
FIRST = 10  # steps, after which each of the first four states is given out
ROOM = 4  # steps for each variable, after which the others are


def small_states(problem: DualProblem, state: DualState, tol: float, most: int) -> Iterator[DualState]:
    """The states of a problem with its matrix, from one on, each with an exact gradient."""
    n = len(problem)
    K, members = problem.rows_of_gram
    watched = len(K) == n  # a single problem, whose states are given out
    while not state.settled and state.steps < most:
        beta, g = state.beta.copy(), state.g.copy()
        room = min(most - state.steps, FIRST if watched and state.steps < 4 * FIRST else ROOM * n)
        told = (problem.low, problem.high, float(problem.epsilon), n if problem.split is None else problem.split)
        settings = (problem.target, problem.diagonal, problem.ridge, *told, FINAL, float(tol), room)
        steps, found, allowed = interruptible(small_block, K, members, beta, g, *settings)
        state = replace(state, beta=beta, g=g, violation=found, steps=state.steps + steps, exact=True, settled=found <= allowed)
        yield state


@compiled
def small_block(
    K: Array, members: Array, beta: Array, g: Array, target: Array, diagonal: Array, ridge: Array | None, low: Array,
    high: Array, eps: float, split: int, final: float, tol: float, most: int,
) -> tuple[int, float, float]:  # fmt: skip
    """Steps of two variables until the violation is a little less than is allowed, or `most` are made: their number, the exact
    violation then, and what is allowed. β and g change in place."""
    goal = max(final * tol, 0.5 * find_rounding(beta, g, target, diagonal, low, high, eps, split))
    steps = pair_steps(K, members, members, diagonal, beta, g, low, high, eps, split, goal, most)
    fill_gradient(K, members, beta, target, g)
    if ridge is not None:
        for a in range(len(g)):
            g[a] += ridge[a] * beta[a]
    allowed = max(tol, find_rounding(beta, g, target, diagonal, low, high, eps, split))
    return steps, find_violation(beta, g, low, high, eps, split), allowed


@compiled
def fill_gradient(K: Array, members: Array, beta: Array, target: Array, g: Array) -> None:
    """g = Kβ − t, for the variables that are `members` of K."""
    for a in range(len(g)):
        g[a] = 0.0
    for b in range(len(beta)):
        if beta[b] != 0.0:
            row, factor = K[members[b]], beta[b]
            for a in range(len(g)):
                g[a] += factor * row[members[a]]
    for a in range(len(g)):
        g[a] -= target[a]
