"""Problems of few variables, with a Gram matrix that is there as a whole: solved in a few calls.

Where there are hundreds of variables, calls would cost more than steps. One kernel makes the steps of two variables
(pair_steps.py), at first among all, then among those that break optimality, which are fewer and fewer. In between it computes
g = (K + diag r)β − t again from the coefficients alone, in double precision, and in the end says how far that is from optimal.
The problems of all pairs of classes share one matrix, in which each has its own rows.

Cost: O(n) a step, O(n) for each coefficient that is not zero. Memory: n² for the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from aprendiz.compilation.compiled import compiled, int64, interruptible
from aprendiz.core.rows import Array
from aprendiz.kernel.dual.pair_steps import pair_steps
from aprendiz.kernel.dual.problem import DualProblem, find_rounding, find_violation

if TYPE_CHECKING:
    from aprendiz.kernel.dual.solver import DualState

SMALL = 1024  # variables
FINAL = 0.9  # of tol, to which all is solved: rounding may take the rest
FIRST = 10  # steps, after which each of the first four states is given out
INNER = 0.3  # of the violation, to which the variables that break optimality are solved: the others have not been heard
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
    n = len(beta)
    goal = max(final * tol, 0.5 * find_rounding(beta, g, target, diagonal, low, high, eps, split))
    steps = pair_steps(K, members, members, diagonal, beta, g, low, high, eps, split, goal, min(most, n))
    active = np.empty(n, np.int64)
    while True:
        fill_gradient(K, members, beta, target, g)
        if ridge is not None:
            for a in range(n):
                g[a] += ridge[a] * beta[a]
        found = find_violation(beta, g, low, high, eps, split)
        if found <= goal or steps >= most:
            break
        count, first = fill_active(beta, g, low, high, eps, split, active)
        if count == 0:  # gradients that are no numbers
            break
        some = active[:count]
        where, moving = members[some], beta[some]
        told = max(goal, INNER * found)
        made = pair_steps(
            K, where, where, diagonal[some], moving, g[some], low[some], high[some], eps, first, told, most - steps
        )  # fmt: skip
        beta[some] = moving
        steps += made
        if made == 0:
            break
    return steps, found, max(tol, find_rounding(beta, g, target, diagonal, low, high, eps, split))


@compiled(inner=True)
def fill_active(
    beta: Array, g: Array, low: Array, high: Array, eps: float, split: int, active: Array
) -> tuple[int, int]:  # fmt: skip
    """The variables that break optimality with some other one, of each sum, and how many of them belong to the first."""
    n = len(beta)
    count, first = int64(0), int64(0)
    for start, stop in ((0, min(split, n)), (min(split, n), n)):
        least, most = np.inf, -np.inf
        for a in range(start, stop):
            if beta[a] < high[a]:
                least = min(least, g[a] + (eps if beta[a] >= 0.0 else -eps))
            if beta[a] > low[a]:
                most = max(most, g[a] + (eps if beta[a] > 0.0 else -eps))
        for a in range(start, stop):
            rises = beta[a] < high[a] and g[a] + (eps if beta[a] >= 0.0 else -eps) < most
            falls = beta[a] > low[a] and g[a] + (eps if beta[a] > 0.0 else -eps) > least
            if rises or falls:
                active[count] = a
                count += 1
        if start == 0:
            first = count
    return count, first


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
