"""Stochastic gradient descent for logistic regression, with any number of classes.

A few rows at a time say in which direction F falls; the step shrinks as they go on,

    θ ← θ − η_t·D⁻¹ ḡ,     η_t = 1/√(1 + t/τ)                                                                 (1)

ḡ is the mean gradient of a batch of rows, D a bound on the curvature of each parameter (so that the scale of the columns does
not matter), t counts the batches and τ is those of an epoch. The answer is the mean of the second half of the steps of an
epoch: the noise of the batches averages out. Each state is an epoch, judged by the gradient of all rows.

Cost: n·d·K for an epoch, and as much to judge it. Newton's method needs far fewer passes; this is for study and for comparison.
Reference: Bottou, Curtis & Nocedal, "Optimization methods for large-scale machine learning", SIAM Review 60, 2018.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from aprendiz.core.rows import Array, Block
from aprendiz.linear.designs.visits import parts, visiting_order
from aprendiz.linear.solvers.newton import LogisticProblem, NewtonState

BATCH = 32  # rows


def stochastic_states(problem: LogisticProblem, state: NewtonState, tol: float) -> Iterator[NewtonState]:
    """Epochs after a state, for ever."""
    while True:
        theta = epoch(problem, state.theta, state.seed, state.iteration)
        state = replace(problem.at(theta, state.iteration + 1, tol), seed=state.seed)
        yield state


def epoch(problem: LogisticProblem, theta: Array, seed: int, number: int) -> Array:
    """(1) over all rows once, and the mean of its second half."""
    assert problem.bound is not None
    D, theta, mean, averaged = problem.bound / problem.weight, theta.copy(), np.zeros_like(theta), 0
    for part in parts(problem.rows):
        order = visiting_order(part, seed, number)
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        for count, chosen in enumerate(batches):
            some = Block(*part.take(chosen), part.start)
            share = float(some.weights.sum()) / problem.weight
            if share == 0.0:
                continue
            G = problem.slopes(theta, some).gradient / share
            G[:, 1:] += problem.alpha * theta[:, 1:]
            if not problem.intercept:
                G[:, 0] = 0.0
            eta = 1.0 / np.sqrt(1.0 + number + count / len(batches))
            theta -= eta * G / (problem.weight * D)
            if 2 * count >= len(batches):
                mean, averaged = mean + theta, averaged + 1
    return mean / averaged if averaged else theta
