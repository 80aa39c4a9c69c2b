"""Any Lipschitz function on [0, 1] by a network of steps.

    b_i = iε/ρ,     f(x) = Σ_{i<K} a_i·1{x ≥ b_i},     a_0 = g(0),  a_i = g(b_i) − g(b_{i−1}),     K = ⌈ρ/ε⌉          (1)

Between two steps f stands still and g moves by at most ρ·ε/ρ: so sup |f − g| ≤ ε, with K neurons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aprendiz.neural.theory.shallow_network import ShallowNetwork
from aprendiz.neural.theory.steps import steps_along


def step_approximation(g: Callable[[Any], Any], lipschitz: float, error: float) -> ShallowNetwork:
    """The network (1).

    Parameters
    ----------
    g : function of a number
    lipschitz : float
        ρ, with |g(x) − g(y)| ≤ ρ|x − y| on [0, 1].
    error : float
        ε.

    Returns
    -------
    ShallowNetwork
        Its `error` is measured on a grid and right before each step, where f is farthest from g.

    Examples
    --------
    >>> f = step_approximation(lambda x: x**2, 2.0, 0.1)
    >>> f.n_neurons, round(f.error, 4)
    (20, 0.0975)
    """
    return steps_along(g, lipschitz, error)
