"""A function on [0, 1] by a network of cosines.

    f(x) = Σ_{k≤K} α_k cos(kπx)                                                                               (1)

is the Fourier series of the even continuation of g, with α_0 = ∫g and α_k = 2∫g cos(kπx): K + 1 neurons without biases. For a
g with |g'| ≤ ρ its error is O(ρ ln K/K). Without biases such sums are even, so that on [−1, 1] they cannot come near g(x) = x;
with biases they can:

    f(x) = Σ_{k≤K} α_k cos(kπx/2 + v_k),     v_k = 0 for even k, −π/2 for odd k  (sines)                              (2)

Integrals are sums over midpoints of equal parts, many more than K.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from aprendiz.core.parameters import refuse_count
from aprendiz.neural.theory.shallow_network import GRID, ShallowNetwork, distance, values_of

POINTS_PER_TERM = 64
MOST_TERMS = 10_000
CELLS = 2**22  # of cosines at a time


def trigonometric_network(g: Callable[[Any], Any], n_terms: int, *, symmetric: bool = False) -> ShallowNetwork:
    """The network (1) on [0, 1]; `symmetric`: the network (2) on [−1, 1].

    Examples
    --------
    >>> f = trigonometric_network(abs, 20, symmetric=True)
    >>> f.n_neurons, f.error < 0.05
    (21, True)
    """
    refuse_count("n_terms", n_terms)
    if n_terms > MOST_TERMS:
        raise ValueError(f"n_terms must be at most {MOST_TERMS}, got {n_terms}.")
    K = np.arange(n_terms + 1)
    points = POINTS_PER_TERM * (n_terms + 1)
    x = (np.arange(points) + 0.5) / points
    if symmetric:
        x = 2 * x - 1
    w, v = (K * np.pi / 2, np.where(K % 2, -np.pi / 2, 0.0)) if symmetric else (K * np.pi, np.zeros(len(K)))
    pieces = np.array_split(np.arange(points), -(-points * len(K) // CELLS))
    values = values_of(g, x)
    total = sum(values[piece] @ np.cos(np.outer(x[piece], w) + v) for piece in pieces)
    factors = total / points * np.where(K, 2.0, 1.0)
    f = ShallowNetwork("cos", w[:, None], v, factors)
    return replace(f, error=distance(f, g, np.linspace(-1 if symmetric else 0, 1, GRID)))
