"""Decomposition: of many variables at a time, those that break optimality most are moved.

    repeat    W ← the variables that break optimality most (working_set.py), all if they are few
              repeat    B ← those that break it most within W
                        β_B ← steps of two variables (pair_steps.py) until B is nearly optimal
                        g_W ← g_W + K_{W,B}(β_B − β_B before), from kernel rows that are kept (kernel_rows.py)
              g ← g + K_{·,W}(β_W − β_W before), by tiles that are not kept (products.py)                            (1)
    until     the violation is at most tol

The classical method asks for two whole rows of K for every step. Here thousands of rows are computed at a time, as products of
matrices, and a block makes all the steps that it can before the other rows hear of it. B grows while the violation hardly
falls: it must hold all the variables that stay between their bounds. W is as large as the memory allows to keep half its rows.

K is computed in single precision while that is enough. At the end the gradient is computed again in double precision from
the coefficients alone, so that the answer has no errors of the way there; if the violation is then still above tol, (1) goes
on from that exact gradient (iterative refinement), in double precision if single precision no longer helps.

Cost: O(n·d) for each coefficient that changes in a round, O(|B|) a step. Memory: what is allowed for kernel rows, and O(n).
References: Joachims, "Making large-scale SVM learning practical", 1999; Wen et al., "ThunderSVM", JMLR 19, 2018.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import interruptible
from aprendiz.core.rows import Array
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.pair_steps import pair_steps
from aprendiz.kernel.dual.problem import DualProblem, slopes, violation
from aprendiz.kernel.dual.products import gram_products
from aprendiz.kernel.dual.working_set import choose_working_set

SMALLEST_BLOCK = 2048
SMALL = 1024  # variables that make a block of all
INNER = 0.3  # of the violation, to which a block is solved: the rest of the rows has not been heard
FINAL = 0.9  # of tol, to which all is solved: rounding may take the rest
STALLED = 0.5  # of the violation that must have gone between two exact gradients
SINGLE_EPS, SINGLE_ERROR = 2.0**-24, 1e-3  # of single precision; the largest error of an entry for which it is used
MB = 2**20


@dataclass(frozen=True)
class DualState:
    """Where the solver stands."""

    beta: Array
    g: Array
    violation: float
    steps: int
    exact: bool  # whether g is that of double precision
    settled: bool


def dual_states(
    problem: DualProblem, start: DualState, *, tol: float, cache_size: float = 200.0, most: int | None = None
) -> Iterator[DualState]:
    """(1) from a state on, which is not yielded itself."""
    state, n = start, len(problem)
    most = max(10_000_000, 100 * n) if most is None else most
    single = problem.kernel.rounding(problem.points, SINGLE_EPS) <= SINGLE_ERROR
    work, last_exact = problem.in_single() if single else problem, np.inf
    cells = int(cache_size * MB / work.points.dtype.itemsize)
    while not state.settled and state.steps < most:
        size = max(4, min(n, math.isqrt(2 * cells)))
        chosen, split = all_variables(problem)
        if size < n:
            chosen, split = working_sets(problem, *slopes(problem, state.beta, state.g), size)
        goal = FINAL * tol if len(chosen) == n else max(FINAL * tol, INNER * state.violation)
        part = restricted(work, chosen, split)
        beta, g, steps = solve_part(part, state.beta[chosen], state.g[chosen], goal, cells // len(chosen), most - state.steps)
        if len(chosen) == n:
            found = violation(problem, beta, g)
            state = DualState(beta, g, found, state.steps + steps, exact=False, settled=False)
        else:
            state = moved(problem, work, state, chosen, beta, state.steps + steps)
        if state.violation <= FINAL * tol:
            state = with_exact_gradient(problem, state, tol)
            if state.violation > STALLED * last_exact:
                work, cells = problem, int(cache_size * MB / 8)
            last_exact = state.violation
        yield state


def last_state(states: Iterator[DualState], first: DualState) -> DualState:
    """Where the states end; the first if there are none."""
    found = first
    for state in states:
        found = state
    return found


def solve_part(part: DualProblem, beta: Array, g: Array, goal: float, places: int, most: int) -> tuple[Array, Array, int]:
    """The inner loop of (1): the coefficients and the gradient of a part of the variables, and the number of steps."""
    diagonal = part.diagonal
    kept = KernelRows(part.kernel, part.points, diagonal, places)
    beta, g, steps, size = beta.copy(), g.copy(), 0, SMALLEST_BLOCK
    bad = violation(part, beta, g)
    while bad > goal and steps < most:
        size = min(max(size, 2 * free_variables(part, beta)), len(kept.rows), len(part))
        chosen, split = all_variables(part) if len(part) <= SMALL else working_sets(part, *slopes(part, beta, g), size)
        inner = goal if len(chosen) == len(part) else max(goal, INNER * bad)
        moving = beta[chosen]
        members = (kept.rows, kept.places_of(chosen), chosen, diagonal[chosen], moving, g[chosen])
        bounds = (part.low[chosen], part.high[chosen], float(part.epsilon), split)
        steps += interruptible(pair_steps, *members, *bounds, inner, most - steps)
        changed = np.flatnonzero(moving != beta[chosen])
        kept.add(chosen[changed], (moving - beta[chosen])[changed], g)
        beta[chosen] = moving
        before, bad = bad, violation(part, beta, g)
        size = 2 * size if bad > STALLED * before else size
    return beta, g, steps


def restricted(problem: DualProblem, chosen: Array, split: int) -> DualProblem:
    """The problem of some of the variables, the others held where they are."""
    if len(chosen) == len(problem):
        return problem
    ridge = None if problem.ridge is None else problem.ridge[chosen]
    return replace(
        problem,
        points=problem.points.take(chosen),
        target=problem.target[chosen],
        low=problem.low[chosen],
        high=problem.high[chosen],
        ridge=ridge,
        split=None if problem.split is None else split,
    )


def first_state(problem: DualProblem, beta: Array, tol: float) -> DualState:
    """The state of given coefficients."""
    return with_exact_gradient(problem, DualState(beta, beta, np.inf, 0, False, False), tol)


def with_exact_gradient(problem: DualProblem, state: DualState, tol: float) -> DualState:
    """g from the coefficients alone, in double precision."""
    g = exact_gradient(problem, state.beta)
    found = violation(problem, state.beta, g)
    return replace(state, g=g, violation=found, exact=True, settled=found <= tol)


def exact_gradient(problem: DualProblem, beta: Array) -> Array:
    """(K + diag r)β − t."""
    support = np.flatnonzero(beta)
    g = -problem.target
    if len(support):
        g = g + gram_products(problem.kernel, problem.points, problem.points.take(support), beta[support])
    return g if problem.ridge is None else g + problem.ridge * beta


def moved(problem: DualProblem, work: DualProblem, state: DualState, chosen: Array, beta: Array, steps: int) -> DualState:
    """The state after the coefficients of a block have changed."""
    delta = beta - state.beta[chosen]
    changed = np.flatnonzero(delta)
    new, g = state.beta.copy(), state.g.copy()
    new[chosen] = beta
    if len(changed):
        moving = chosen[changed]
        g += gram_products(work.kernel, work.points, work.points.take(moving), delta[changed])
        if problem.ridge is not None:
            g[moving] += problem.ridge[moving] * delta[changed]
    return DualState(new, g, violation(problem, new, g), steps, exact=False, settled=False)


def free_variables(problem: DualProblem, beta: Array) -> int:
    """How many variables are strictly between their bounds, and not zero."""
    return int(np.count_nonzero((beta > problem.low) & (beta < problem.high) & (beta != 0.0)))


def all_variables(problem: DualProblem) -> tuple[Array, int]:
    """All of them, and how many belong to the first sum."""
    return np.arange(len(problem)), len(problem) if problem.split is None else problem.split


def working_sets(problem: DualProblem, up: Array, down: Array, size: int) -> tuple[Array, int]:
    """About `size` variables, those of the first sum first, and how many of them there are."""
    found: list[Any] = []
    half = max(2, size // (2 * len(problem.spans)))
    for a, b in problem.spans:
        chosen = np.empty(b - a, np.int64)
        found.append(a + chosen[: choose_working_set(up[a:b], down[a:b], half, chosen)])
    return np.concatenate(found), len(found[0])
