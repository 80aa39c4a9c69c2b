"""The network of x^k: k + 1 neurons (polynomial_network.py)."""

from __future__ import annotations

from aprendiz.neural.theory.differences import polynomial_by_differences
from aprendiz.neural.theory.shallow_network import ShallowNetwork


def monomial_network(k: int, *, activation: str = "logistic", t: float = 0.5, h: float | None = None) -> ShallowNetwork:
    """x^k on [0, 1] by the k-th difference of an activation.

    Examples
    --------
    >>> [round(monomial_network(k, h=0.01).error, 5) for k in (1, 2, 3)]
    [0.00123, 0.01663, 0.01648]
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 0:
        raise ValueError(f"k must be a whole number of at least 0, got {k!r}.")
    return polynomial_by_differences([0.0] * k + [1.0], activation, t, h)
