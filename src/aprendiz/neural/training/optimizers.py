"""Steps along the gradient g of a batch; for weights, a penalty is added to it: g + λθ.

    sgd        v ← μv − ηg,     θ ← θ + v,     with Nesterov's momentum θ ← θ + μv − ηg                        (1)
    adam       m ← β₁m + (1 − β₁)g,     s ← β₂s + (1 − β₂)g²,     θ ← θ − η_t·m/(√s + ε),
               η_t = η·√(1 − β₂ᵗ)/(1 − β₁ᵗ)                                                                    (2)

The penalty is added to g itself. Numbers come in the precision of θ, in which everything is computed.

References: Polyak, USSR Comp. Math. 4, 1964; Nesterov, Soviet Math. Doklady 27, 1983; Kingma & Ba, "Adam", ICLR 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

Step = Callable[[Array, Array, int, float, float], None]  # θ and g in place: number of the update, η, λ


@compiled
def momentum_step(
    theta: Array, g: Array, v: Array, n_weights: int, penalty: float, rate: float, momentum: float, nesterov: bool
) -> None:
    """(1), in place."""
    for i in range(n_weights):
        g[i] += penalty * theta[i]
    for i in range(theta.shape[0]):
        step = rate * g[i]
        v[i] = momentum * v[i] - step
        theta[i] += momentum * v[i] - step if nesterov else v[i]


@compiled
def adam_step(
    theta: Array,
    g: Array,
    m: Array,
    s: Array,
    n_weights: int,
    penalty: float,
    rate: float,
    b1: float,
    rest1: float,
    b2: float,
    rest2: float,
    epsilon: float,
) -> None:
    """(2), in place; `rate` is η_t, the rests are 1 − β."""
    for i in range(n_weights):
        g[i] += penalty * theta[i]
    for i in range(theta.shape[0]):
        m[i] = b1 * m[i] + rest1 * g[i]
        s[i] = b2 * s[i] + rest2 * g[i] * g[i]
        theta[i] -= rate * m[i] / (np.sqrt(s[i]) + epsilon)


def momentum_optimizer(memory: tuple[Array, ...], n_weights: int, momentum: float, nesterov: bool) -> Step:
    """(1) with v as memory."""
    (v,) = memory

    def step(theta: Array, g: Array, update: int, rate: float, penalty: float) -> None:
        number = theta.dtype.type
        momentum_step(theta, g, v, n_weights, number(penalty), number(rate), number(momentum), nesterov)

    return step


def adam_optimizer(memory: tuple[Array, ...], n_weights: int, b1: float, b2: float, epsilon: float) -> Step:
    """(2) with m and s as memory."""
    m, s = memory
    number: Any = m.dtype.type
    fixed = [number(value) for value in (b1, 1.0 - b1, b2, 1.0 - b2, epsilon)]

    def step(theta: Array, g: Array, update: int, rate: float, penalty: float) -> None:
        rate *= sqrt(1.0 - b2**update) / (1.0 - b1**update)
        adam_step(theta, g, m, s, n_weights, number(penalty), number(rate), *fixed)

    return step
