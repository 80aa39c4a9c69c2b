"""One epoch of the perceptron: every row visited once, a step at each mistake.

    f(x) = +1 where t ≥ 0, else −1,     t = b + xᵀw,     y = ±1
    if f(x) ≠ y:     w ← w + ηωy·x,     b ← b + ηωy                                                            (1)

The sum of the planes after all visits, for averages, is kept without touching every coefficient at every visit: a change δ_k at
visit k of n is part of n − k of the planes, so the sum is n·θ − Σ k·δ_k.

Cost: O(d) a row, or its cells that are not zero.
Reference: Rosenblatt, Psychological Review 65, 1958.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import compress


def visit(X: Any, *told: Any) -> tuple[int, float, int]:
    """(1) for the rows of an array or of a sparse matrix."""
    return sparse_visit(compress(X), *told) if sparse.issparse(X) else dense_visit(X, *told)


@compiled
def dense_visit(
    X: Array, y: Array, weight: Array, order: Array, theta: Array, total: Array, survivor: Array, longest: int, visits: int,
    eta0: float, decreasing: bool, intercept: bool,
) -> tuple[int, float, int]:  # fmt: skip
    """(1) for rows in order. θ, the sum of all θ and the one that survived longest (if there is room for it) are changed in
    place; returns the number of mistakes, the sum of their |t|, and how long the survivor survived."""
    d, one = X.shape[1], 1.0 if intercept else 0.0
    mistakes, missed, run, lag = 0, 0.0, 0, np.zeros(len(theta))
    for k in range(len(order)):
        i = order[k]
        if weight[i] == 0.0:
            continue
        t = theta[0]
        for j in range(d):
            t += theta[1 + j] * X[i, j]
        if (t >= 0) == (y[i] > 0):
            run += 1
            if run == longest + 1 and len(survivor):  # a new survivor; while it survives it stays the same plane
                for j in range(len(theta)):
                    survivor[j] = theta[j]
            longest = max(longest, run)
            continue
        step = y[i] * weight[i] * eta0 * (1000.0 / (1000.0 + visits + k) if decreasing else 1.0)
        theta[0] += one * step
        lag[0] += one * step * k
        for j in range(d):
            theta[1 + j] += step * X[i, j]
            lag[1 + j] += step * X[i, j] * k
        mistakes, missed, run = mistakes + 1, missed + weight[i] * abs(t), 0
    total += len(order) * theta - lag
    return mistakes, missed, longest


@compiled(exact=True)  # as in stochastic_epoch.py
def sparse_visit(
    X: tuple[Array, Array, Array], y: Array, weight: Array, order: Array, theta: Array, total: Array, survivor: Array,
    longest: int, visits: int, eta0: float, decreasing: bool, intercept: bool,
) -> tuple[int, float, int]:  # fmt: skip
    """The same for rows in compressed form: X are the cells, their columns, and where each row starts. θ and its lag lie side
    by side, so that a column is one place in memory."""
    cells, columns, starts = X
    one, both = 1.0 if intercept else 0.0, np.zeros((len(theta), 2))
    mistakes, missed, run = 0, 0.0, 0
    for j in range(len(theta)):
        both[j, 0] = theta[j]
    for k in range(len(order)):
        i = order[k]
        if weight[i] == 0.0:
            continue
        t = both[0, 0]
        for c in range(starts[i], starts[i + 1]):
            t += both[1 + columns[c], 0] * cells[c]
        if (t >= 0) == (y[i] > 0):
            run += 1
            if run == longest + 1 and len(survivor):
                for j in range(len(theta)):
                    survivor[j] = both[j, 0]
            longest = max(longest, run)
            continue
        step = y[i] * weight[i] * eta0 * (1000.0 / (1000.0 + visits + k) if decreasing else 1.0)
        both[0, 0] += one * step
        both[0, 1] += one * step * k
        for c in range(starts[i], starts[i + 1]):
            move = step * cells[c]
            both[1 + columns[c], 0] += move
            both[1 + columns[c], 1] += move * k
        mistakes, missed, run = mistakes + 1, missed + weight[i] * abs(t), 0
    for j in range(len(theta)):
        theta[j] = both[j, 0]
    total += len(order) * theta - both[:, 1]
    return mistakes, missed, longest
