"""Derivatives of any order of the activations that have them, at a point.

logistic   σ' = σ(1 − σ)        so σ⁽ᵏ⁾ is a polynomial in σ:  P_{k+1}(s) = P_k'(s)·s(1 − s)                      (1)
tanh       P_{k+1}(s) = P_k'(s)·(1 − s²)
softplus   σ' = logistic
cos        σ⁽ᵏ⁾(t) = cos(t + kπ/2)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, exp, log1p, pi, tanh

from numpy.polynomial import Polynomial

SMOOTH = ("logistic", "tanh", "softplus", "cos")


def derivatives_at(activation: str, t: float, highest: int) -> Sequence[float]:
    """σ(t), σ'(t), …, up to the highest order."""
    if activation == "cos":
        return [cos(t + k * pi / 2) for k in range(highest + 1)]
    if activation == "softplus":
        return [max(t, 0.0) + log1p(exp(-abs(t))), *derivatives_at("logistic", t, highest - 1)][: highest + 1]
    if activation == "logistic":
        s, slope = 1 / (1 + exp(-t)), Polynomial([0, 1, -1])
    elif activation == "tanh":
        s, slope = tanh(t), Polynomial([1, 0, -1])
    else:
        raise ValueError(
            f"activation must be one of {', '.join(SMOOTH)}, which have derivatives of all orders, got {activation!r}."
        )
    P, found = Polynomial([0.0, 1.0]), []
    for _ in range(highest + 1):
        found.append(float(P(s)))
        P = P.deriv() * slope
    return found
