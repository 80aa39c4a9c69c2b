"""Whether two classes can be separated, and how large the coefficients of the widest margin can be.

The classes are separable in the space of the kernel if and only if their convex hulls are apart. The nearest points of the
hulls, p = Σ β_iφ(x_i) over the first class and q over the second with Σβ_i = 1 each, solve a dual problem with two sums
(problem.py), which always has an answer. For any β, with w = p − q,

    s = min_{first} wᵀφ(x_i) − max_{second} wᵀφ(x_i) ≤ ‖p − q‖²                                                  (1)

If s > 0, w separates the classes, which proves that they are separable. Of the hard margin, then, α = 2β/s at the best β, so

    max α ≤ 2/s                                                                                                 (2)

and the soft margin with any C ≥ 2/s is the hard margin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.kernel.dual.problem import DualProblem
from aprendiz.kernel.dual.solver import dual_states, first_state, last_state

CLOSE = 0.5  # of ‖p − q‖², that s must reach: (2) is then within a factor of two
NO_DISTANCE = 1e-12  # of the largest K(x, x): squared distances of this size are roundings of 0


def hard_margin_limit(problem: DualProblem, signs: Array, cache_size: float) -> float | None:
    """2/s of (2), for a problem of two classes, the first before the second; None if they cannot be separated."""
    first = int((signs > 0).sum())
    n, scale = len(signs), float(np.abs(problem.diagonal).max())
    low, high = np.where(signs > 0, 0.0, -1.0), np.where(signs > 0, 1.0, 0.0)
    hulls = replace(problem, target=np.zeros(n), low=low, high=high, split=first)
    beta = np.zeros(n)
    beta[0], beta[first] = 1.0, -1.0
    tol = 0.1 * scale
    state = first_state(hulls, beta, tol)
    while True:
        state = replace(state, settled=state.violation <= tol)
        state = last_state(dual_states(hulls, state, tol=tol, cache_size=cache_size), state)
        s = float(state.g[:first].min() - state.g[first:].max())
        if s >= CLOSE * float(state.beta @ state.g) and s > NO_DISTANCE * scale:
            return 2.0 / s
        if tol <= NO_DISTANCE * scale:
            return None
        tol *= 0.1


def equal_rows(table: Any, first: Array, second: Array) -> tuple[int, int] | None:
    """Two equal rows of different classes, if there are any."""
    known = {bytes_of_row(table, i): int(i) for i in first}
    return next(((known[key], int(j)) for j in second if (key := bytes_of_row(table, j)) in known), None)


def bytes_of_row(table: Any, i: int) -> bytes:
    """The same for rows that are equal: strings, or numbers, among which 0 and −0 are, stored or not."""
    if not sparse.issparse(table):
        return bytes((table[i] + 0.0 if table.dtype.kind == "f" else table[i]).tobytes())
    row = table[[i]].tocoo()
    order = np.argsort(row.col)[row.data[np.argsort(row.col)] != 0.0]
    return bytes(row.col[order].astype(np.int64).tobytes() + row.data[order].tobytes())
