"""A function of several variables by a network of steps, where it is a sum of ridge functions.

    g(x) = Σ_j g_j(w_jᵀx)  on [0, 1]^d                                                                        (1)

Each g_j is a function of one number u = w_jᵀx, which runs over an interval [l_j, l_j + r_j]; the steps of step_approximation
for g_j(l_j + r_j s), s in [0, 1], with error ε/J become neurons 1{w_jᵀx ≥ l_j + r_j b_i}. The errors add up to ε at most.
Every polynomial is such a sum, and so every continuous function nearly is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from aprendiz.core.parameters import ArrayLike
from aprendiz.neural.theory.shallow_network import ShallowNetwork, values_of
from aprendiz.neural.theory.steps import steps_along

MEASURED = 10_000  # points of the cube on which the distance is measured


def ridge_network(
    functions: Sequence[Callable[[Any], Any]], directions: ArrayLike, lipschitz: Sequence[float], error: float
) -> ShallowNetwork:
    """A network of steps for (1).

    Parameters
    ----------
    functions : sequence of functions of a number
        g_j.
    directions : array of shape (n_functions, n_columns)
        w_j.
    lipschitz : sequence of float
        A Lipschitz constant of each g_j.
    error : float
        ε.

    Examples
    --------
    >>> halves = [lambda u: u**2 / 4, lambda u: -(u**2) / 4]  # x·y = ((x + y)² − (x − y)²)/4
    >>> f = ridge_network(halves, [[1, 1], [1, -1]], [1.0, 0.5], 0.1)
    >>> f.n_neurons, f.error <= 0.1
    (60, True)
    """
    W = np.asarray(directions, dtype=np.float64)
    if W.ndim != 2 or not len(W) == len(functions) == len(lipschitz) or not np.isfinite(W).all():
        raise ValueError(f"Give a direction and a Lipschitz constant for each of {len(functions)} functions.")
    if empty := [j for j, w in enumerate(W) if not w.any()]:
        raise ValueError(f"Direction {empty[0]} is zero: its function is a constant, which takes a step at 0 of any direction.")
    low = np.minimum(W, 0).sum(axis=1)
    wide = np.abs(W).sum(axis=1)
    along = [along_range(g, a, r) for g, a, r in zip(functions, low, wide, strict=True)]
    parts = [steps_along(g, rho * r, error / len(W)) for g, rho, r in zip(along, lipschitz, wide, strict=True)]
    weights = np.concatenate([np.tile(w, (part.n_neurons, 1)) for w, part in zip(W, parts, strict=True)])
    biases = np.concatenate([part.biases * r - a for part, a, r in zip(parts, low, wide, strict=True)])
    f = ShallowNetwork("step", weights, biases, np.concatenate([part.factors for part in parts]), bound=error)
    X = np.random.default_rng(0).random((MEASURED, W.shape[1]))
    exact = sum(values_of(g, X @ w) for g, w in zip(functions, W, strict=True))
    return replace(f, error=float(np.abs(f(X) - exact).max()))


def along_range(g: Callable[[Any], Any], low: float, wide: float) -> Callable[[Any], Any]:
    """g(l + r·s), a function of s in [0, 1]."""
    return lambda s: g(low + wide * s)
