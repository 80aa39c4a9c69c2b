"""A polynomial by a network of one hidden layer with any smooth activation that is no polynomial.

    x^k ≈ Σ_{i≤k} (−1)^{k−i} C(k, i) σ(t + ihx) / (h^k σ⁽ᵏ⁾(t))                                                (1)

the k-th difference of σ at t, whose error is of order h. The polynomial Σ c_k x^k takes the K + 1 neurons σ(t + ihx), i ≤ K,
all with the same t, where no derivative that is needed may be zero (t = 0 will not do for the logistic function). Rounding
grows as h⁻ᵏ, so that a small h is no help: by default h is the power of two with the smallest error.

Reference: Leshno, Lin, Pinkus & Schocken, Neural Networks 6, 1993 (networks and polynomials).
"""

from __future__ import annotations

from collections.abc import Sequence

from aprendiz.neural.theory.differences import polynomial_by_differences
from aprendiz.neural.theory.shallow_network import ShallowNetwork


def polynomial_network(
    coefficients: Sequence[float], *, activation: str = "logistic", t: float = 0.5, h: float | None = None
) -> ShallowNetwork:
    """The network (1) of Σ c_k x^k on [0, 1].

    Parameters
    ----------
    coefficients : sequence of float
        c_0, c_1, …, c_K.
    activation : {"logistic", "tanh", "softplus", "cos"}
    t : float, default=0.5
    h : float, optional

    Returns
    -------
    ShallowNetwork
        Of K + 1 neurons, with the distance measured on a grid of [0, 1]; (1) promises no number for it.

    Examples
    --------
    >>> f = polynomial_network([0.0, 0.0, 1.0], h=0.01)
    >>> f.n_neurons, round(f.error, 4)
    (3, 0.0166)
    """
    return polynomial_by_differences(coefficients, activation, t, h)
