"""Decomposition: of many variables at a time, those that break optimality most are moved.

    repeat    W ← the variables that break optimality most (working_set.py), all if they are few
              repeat    B ← those that break it most within W
                        β_B ← steps of two variables (pair_steps.py) until B is nearly optimal
                        g_W ← g_W + K_{W,B}(β_B − β_B before), from kernel rows that are kept (kernel_rows.py)
              g ← g + K_{·,W}(β_W − β_W before), by tiles that are not kept (gram_products.py)                            (1)
    until     the violation is at most tol

Once B hardly moves its variables to or from their bounds, Newton's method finds those in between together (free_variables.py).

The classical method asks for two whole rows of K for every step. Here thousands of rows are computed at a time, as products of
matrices, and a block makes all the steps that it can before the other rows hear of it. B grows while the violation hardly
falls: it must hold all the variables that stay between their bounds. W is as large as the memory allows to keep half its rows.

K is computed in single precision while that is enough. At the end the gradient is computed again in double precision from
the coefficients alone, so that the answer has no errors of the way there; if the violation is then still above tol, (1) goes
on from that exact gradient (iterative refinement), in double precision if single precision no longer helps.

Cost: O(n·d) for each coefficient that changes in a round, O(|B|) a step. Memory: what is allowed for kernel rows, at
most as much again for the free variables, and O(n).
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
from aprendiz.kernel.dual.free_variables import newton_state
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.pair_steps import pair_steps
from aprendiz.kernel.dual.problem import DualProblem, rounding, slopes, violation
from aprendiz.kernel.dual.small_problem import FINAL, SMALL, fill_gradient, small_states
from aprendiz.kernel.dual.working_set import choose_working_set
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.gram.gram_products import gram_products

SMALLEST_START, LARGEST_START = 256, 2048  # variables of the first block: (n/100)^1.5, within these limits
SAMPLE, SAMPLE_GOAL = 8, 0.1  # one variable in so many comes first; to which part of its violation
FEWEST_STEPS = 50  # of two variables in a block
INNER = 0.3  # of the violation, to which a block is solved: the rest of the rows has not been heard
NEAR, FAR = 0.04, 30.0  # of the first violation, below which Newton's method is tried; of the goal, above which
STEPS_FOR_A_FACTOR = 1 / 600  # of two variables that cost as much as Newton's method, for each entry of K between free ones
STALLED = 0.5  # of the violation that must have gone between two exact gradients
SINGLE_EPS, SINGLE_ERROR = 2.0**-24, 1e-3  # of single precision; the largest error of an entry for which it is used
SMALLEST_SINGLE, LARGEST_SINGLE = 1e-30, 1e30
MB, MOST_CELLS = 2**20, 2.0**48
FEWEST = 8  # variables of a block, however little memory is allowed


@dataclass(frozen=True)
class DualState:
    """Where the solver stands."""

    beta: Array
    g: Array
    violation: float
    steps: int = 0
    exact: bool = False  # whether g is that of double precision
    settled: bool = False
    block: int = 0  # variables of the last block
    last_exact: float = np.inf  # the violation at the last exact gradient
    double: bool = False  # whether single precision no longer helps
    near: float = np.inf  # the violation from which on Newton's method is tried; infinite until it is known


def dual_states(
    problem: DualProblem,
    start: DualState,
    *,
    tol: float,
    cache_size: float = 200.0,
    most: int | None = None,
    kept: KernelRows | None = None,
) -> Iterator[DualState]:
    """(1) from a state on, which is not yielded itself: a state for each block, or, of many variables, for each part. `kept`:
    rows of K that an earlier problem with the same points has computed (`rows_to_share`)."""
    state, n = start, len(problem)
    most = max(10_000_000, 100 * n) if most is None else most
    if kept is None and n <= SMALL and problem.gram is None and fits_as_a_whole(problem.points, cache_size):
        problem = replace(problem, gram=gram_matrix(problem.kernel, problem.points), members=np.arange(n))
    if problem.gram is not None:
        yield from small_states(problem, state, tol, most)
        return
    while not state.settled and state.steps < most:
        work = in_enough_precision(problem, state.double)
        cells = cells_in(cache_size, work)
        goal = max(FINAL * tol, 0.5 * rounding(problem, state.beta, state.g))
        size = largest_part(cells)
        whole = block_states(work, state, goal, max(FEWEST, cells // n), most, kept)
        for found in whole if n <= size else part_states(work, state, goal, size, cells, most):
            state = after_exact_gradient(problem, found, tol) if found.violation <= goal else found
            yield state


def fits_as_a_whole(points: Any, cache_size: float) -> bool:
    """Whether there is room for the Gram matrix of all the points."""
    return len(points) ** 2 * points.dtype.itemsize <= cache_size * MB


def in_enough_precision(problem: DualProblem, double: bool = False) -> DualProblem:
    """The problem in the precision in which it is worked on."""
    return problem if double or len(problem) <= SMALL or not is_single_enough(problem) else problem.in_single()


def cells_in(cache_size: float, problem: DualProblem) -> int:
    """Entries of K for which there is room."""
    return int(min(cache_size * MB / problem.points.dtype.itemsize, MOST_CELLS))


def largest_part(cells: int) -> int:
    """Variables of W, so that half its rows have room."""
    return max(FEWEST, math.isqrt(2 * cells))


def rows_to_share(problem: DualProblem, cache_size: float) -> KernelRows | None:
    """Rows of K for several problems of the same points, one after the other; None where the points are too many for one part,
    or so few that the rows cost nothing, or where the diagonal is the problem's own."""
    work = in_enough_precision(problem)
    cells, n = cells_in(cache_size, work), len(problem)
    if problem.ridge is not None or not SMALL < n <= largest_part(cells):
        return None
    return KernelRows(work.kernel, work.points, work.diagonal, max(FEWEST, cells // n))


def is_single_enough(problem: DualProblem) -> bool:
    """Whether entries of K in single precision are near enough to begin with, and within its range."""
    size = float(np.abs(problem.diagonal).max(initial=0.0))
    return SMALLEST_SINGLE < size < LARGEST_SINGLE and problem.kernel.rounding(problem.points, SINGLE_EPS) <= SINGLE_ERROR


def part_states(problem: DualProblem, state: DualState, goal: float, size: int, cells: int, most: int) -> Iterator[DualState]:
    """The outer loop of (1): a state after each part W."""
    while state.violation > goal and state.steps < most:
        chosen, split = working_sets(problem, *slopes(problem, state.beta, state.g), size)
        part, inner = restricted(problem, chosen, split), max(goal, INNER * state.violation)
        start = replace(state, beta=state.beta[chosen], g=state.g[chosen], block=0)
        found = last_state(block_states(part, start, inner, max(FEWEST, cells // len(chosen)), most), start)
        state = moved(problem, state, chosen, found)
        yield state


def block_states(
    problem: DualProblem, state: DualState, goal: float, places: int, most: int, kept: KernelRows | None = None
) -> Iterator[DualState]:
    """The inner loop of (1): a state after the sample, if it begins, and after each block B."""
    n, diagonal = len(problem), problem.diagonal
    if n > SMALL and not state.beta.any():
        state, before = after_sample(problem, state, goal, most), state
        if state.steps > before.steps:
            yield state
    if kept is None or problem.ridge is not None or kept.rows.dtype != problem.points.dtype:
        kept = KernelRows(problem.kernel, problem.points, diagonal, places)
    least = min(LARGEST_START, max(SMALLEST_START, int((n / 100.0) ** 1.5)))
    if n > SMALL and np.isinf(state.near):
        state = replace(state, near=NEAR * state.violation)
    while state.violation > goal and state.steps < most:
        if FAR * goal < state.violation <= state.near and is_worth_a_factor(problem, state):
            state = with_free_variables(problem, state, kept, goal)
            yield state
            continue
        size = min(max(least, state.block, 2 * free_variables(problem, state.beta)), len(kept.rows), n)
        few = n <= min(SMALL, len(kept.rows))
        chosen, split = all_variables(problem) if few else working_sets(problem, *slopes(problem, state.beta, state.g), size)
        inner = goal if few else max(goal, INNER * state.violation)
        moving = state.beta[chosen]
        members = (kept.rows, kept.places_of(chosen), chosen, diagonal[chosen], moving, state.g[chosen])
        bounds = (problem.low[chosen], problem.high[chosen], float(problem.epsilon), split)
        room = min(most - state.steps, max(FEWEST_STEPS, len(chosen) // (8 if few else 2)))  # then Ctrl-C is heard
        steps = interruptible(pair_steps, *members, *bounds, inner, room)
        delta, beta, g = moving - state.beta[chosen], state.beta.copy(), state.g.copy()
        changed = np.flatnonzero(delta)
        kept.add(chosen[changed], delta[changed], g)
        beta[chosen] = moving
        found = violation(problem, beta, g)
        block = 2 * size if found > STALLED * state.violation and steps < room else size
        state = replace(state, beta=beta, g=g, violation=found, steps=state.steps + steps, exact=False, block=block)
        yield state


def with_free_variables(problem: DualProblem, state: DualState, kept: KernelRows, goal: float) -> DualState:
    """After Newton's method, and from which violation on it is tried again: much later if it was of no use."""
    found = newton_state(problem, state, kept, goal)
    return replace(found, near=(0.5 if found.violation < state.violation else 0.1) * state.violation)


def is_worth_a_factor(problem: DualProblem, state: DualState) -> bool:
    """Whether steps of two variables have cost as much as Newton's method will: whoever cannot know how many are left to come
    then loses a factor of two at most."""
    return len(problem) > SMALL and state.steps >= STEPS_FOR_A_FACTOR * free_variables(problem, state.beta) ** 2


def last_state(states: Iterator[DualState], first: DualState) -> DualState:
    """Where the states end; the first if there are none."""
    found = first
    for state in states:
        found = state
    return found


def after_sample(problem: DualProblem, state: DualState, goal: float, most: int) -> DualState:
    """The state after a sample of the variables, spread evenly over each sum, is nearly solved: which of the others break
    optimality then is known before their rows of K are computed."""
    chosen = np.concatenate([np.arange(a, b, SAMPLE) for a, b in problem.spans])
    part = restricted(problem, chosen, int((chosen < problem.spans[0][1]).sum()))
    start = replace(state, beta=state.beta[chosen], g=state.g[chosen])
    start = replace(start, violation=violation(part, start.beta, start.g))
    inner = max(goal, SAMPLE_GOAL * start.violation)
    found = last_state(block_states(part, start, inner, len(chosen), most), start)
    return replace(moved(problem, state, chosen, found), block=0)


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
        gram=None,
        members=None,
    )


def first_state(problem: DualProblem, beta: Array, tol: float) -> DualState:
    """The state of given coefficients."""
    return with_exact_gradient(problem, DualState(beta, beta, np.inf), tol)


def with_exact_gradient(problem: DualProblem, state: DualState, tol: float) -> DualState:
    """g from the coefficients alone, in double precision."""
    g = exact_gradient(problem, state.beta)
    found = violation(problem, state.beta, g)
    return replace(state, g=g, violation=found, exact=True, settled=found <= max(tol, rounding(problem, state.beta, g)))


def after_exact_gradient(problem: DualProblem, state: DualState, tol: float) -> DualState:
    """The same, and whether single precision still helps: whether the violation has fallen since the last time."""
    found = with_exact_gradient(problem, state, tol)
    stalled = found.violation > STALLED * state.last_exact
    return replace(found, double=state.double or stalled, last_exact=found.violation)


def exact_gradient(problem: DualProblem, beta: Array) -> Array:
    """(K + diag r)β − t."""
    support = np.flatnonzero(beta)
    g = -problem.target
    if len(support) and problem.gram is not None and problem.members is not None:
        fill_gradient(problem.gram, problem.members, beta, problem.target, g)
    elif len(support):
        g = g + gram_products(problem.kernel, problem.points, problem.points.take(support), beta[support])
    return g if problem.ridge is None else g + problem.ridge * beta


def moved(problem: DualProblem, state: DualState, chosen: Array, part: DualState) -> DualState:
    """The state after the coefficients of a part have changed."""
    delta = part.beta - state.beta[chosen]
    changed = np.flatnonzero(delta)
    beta, g = state.beta.copy(), state.g.copy()
    beta[chosen] = part.beta
    if len(changed):
        moving = chosen[changed]
        g += gram_products(problem.kernel, problem.points, problem.points.take(moving), delta[changed])
        if problem.ridge is not None:
            g[moving] += problem.ridge[moving] * delta[changed]
    return replace(state, beta=beta, g=g, violation=violation(problem, beta, g), steps=part.steps, exact=False)


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
