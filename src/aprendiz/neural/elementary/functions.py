"""Elementary functions: what they are, where they are defined, and their partial derivatives.

Each holds for numbers, arrays (cell by cell) and complex numbers: f(x + ih) carries f'(x)·h in its imaginary part, which is how
derivatives are checked (derivatives/complex_step.py). Functions that are not analytic (|u|, max) decide by the real part. At a
corner the derivative is 0 for |u| and relu, and that of the first argument for max and min.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

Value = Any  # a number, an array, or a complex one
SMALLEST_POWER_OF_ZERO = 1.0  # u**p has a derivative at 0 from this exponent on


@dataclass(frozen=True)
class Elementary:
    """A function of one or two arguments.

    `partials` gives a derivative for each argument; `inside` is true where the function is differentiable, `defined` where it
    has a value (None: the same), and `domain` says both in words.
    """

    value: Callable[..., Value]
    partials: Callable[..., tuple[Value, ...]]
    arguments: int = 1
    domain: str = ""
    inside: Callable[..., Any] = lambda *_: True
    defined: Callable[..., Any] | None = None


def sigmoid(u: Value) -> Value:
    """1/(1 + e^−u), also of complex numbers, without overflow on either side."""
    if not np.iscomplexobj(u):
        return special.expit(u)
    small = np.exp(-np.where(np.real(u) >= 0, u, -u))
    return np.where(np.real(u) >= 0, 1 / (1 + small), small / (1 + small))


def softplus(u: Value) -> Value:
    """ln(1 + e^u), without overflow."""
    positive = np.real(u) > 0
    return np.where(positive, u, 0) + np.log1p(np.exp(np.where(positive, -u, u)))


def relu(u: Value) -> Value:
    return np.where(np.real(u) > 0, u, 0 * u)


def absolute(u: Value) -> Value:
    return np.where(np.real(u) < 0, -u, u)


def larger(u: Value, v: Value) -> Value:
    return np.where(np.real(u) >= np.real(v), u, v)


def smaller(u: Value, v: Value) -> Value:
    return np.where(np.real(u) <= np.real(v), u, v)


def power_partials(u: Value, p: Value) -> tuple[Value, Value]:
    """p·u^(p−1), and u^p·ln u where u is positive; else 0: there u is 0 and p is positive, or p is fixed."""
    known = np.real(u) > 0
    return power_of(p, u), np.where(known, np.power(u, p) * np.log(np.where(known, u, 1)), 0.0 * u)


def power_of(p: Value, u: Value) -> Value:
    """p·u^(p−1), which is 0 for p = 0, also at u = 0."""
    return np.where(np.equal(p, 0), 0.0, p * np.power(u, np.where(np.equal(p, 0), 1, p - 1)))


def power_inside(u: Value, p: Value) -> Any:
    """Positive bases; others with whole exponents; zero where the derivative is finite."""
    whole = np.equal(np.real(p), np.round(np.real(p)))
    at_zero = np.equal(np.real(p), 0) | (np.real(p) >= SMALLEST_POWER_OF_ZERO)
    return (np.real(u) > 0) | (np.equal(np.real(u), 0) & at_zero) | ((np.real(u) < 0) & whole)


def power_defined(u: Value, p: Value) -> Any:
    """Positive bases; others with whole exponents; zero with exponents of at least zero."""
    return power_inside(u, p) | (np.equal(np.real(u), 0) & (np.real(p) >= 0))


def is_positive(u: Value) -> Any:
    return np.real(u) > 0


ADD = Elementary(lambda u, v: u + v, lambda u, v: (1.0, 1.0), 2)
SUBTRACT = Elementary(lambda u, v: u - v, lambda u, v: (1.0, -1.0), 2)
MULTIPLY = Elementary(lambda u, v: u * v, lambda u, v: (v, u), 2)
DIVIDE = Elementary(
    lambda u, v: u / v, lambda u, v: (1 / v, -(u / v) / v), 2, "a divisor other than 0", lambda u, v: np.not_equal(v, 0)
)
POWER = Elementary(
    np.power,
    power_partials,
    2,
    "a positive base, or a whole exponent (where the base is 0, one of at least 0, and 1 for the derivative)",
    power_inside,
    power_defined,
)
NEGATE = Elementary(lambda u: -u, lambda u: (-1.0,))
IDENTITY = Elementary(lambda u: u, lambda u: (1.0,))

FUNCTIONS: Mapping[str, Elementary] = {
    "exp": Elementary(np.exp, lambda u: (np.exp(u),)),
    "log": Elementary(np.log, lambda u: (1 / u,), 1, "a positive argument", is_positive),
    "sqrt": Elementary(
        np.sqrt,
        lambda u: (0.5 / np.sqrt(u),),
        1,
        "an argument of at least 0 (above 0 for the derivative)",
        is_positive,
        lambda u: np.real(u) >= 0,
    ),
    "sin": Elementary(np.sin, lambda u: (np.cos(u),)),
    "cos": Elementary(np.cos, lambda u: (-np.sin(u),)),
    "tan": Elementary(np.tan, lambda u: (1 + np.tan(u) ** 2,)),
    "sinh": Elementary(np.sinh, lambda u: (np.cosh(u),)),
    "cosh": Elementary(np.cosh, lambda u: (np.sinh(u),)),
    "tanh": Elementary(np.tanh, lambda u: (1 - np.tanh(u) ** 2,)),
    "atan": Elementary(np.arctan, lambda u: (1 / (1 + u * u),)),
    "sigmoid": Elementary(sigmoid, lambda u: (sigmoid(u) * sigmoid(-u),)),
    "softplus": Elementary(softplus, lambda u: (sigmoid(u),)),
    "relu": Elementary(relu, lambda u: (np.where(np.real(u) > 0, 1.0, 0.0),)),
    "abs": Elementary(absolute, lambda u: (np.sign(np.real(u)),)),
    "identity": IDENTITY,
    "max": Elementary(larger, lambda u, v: chosen(np.real(u) >= np.real(v)), 2),
    "min": Elementary(smaller, lambda u, v: chosen(np.real(u) <= np.real(v)), 2),
}


def chosen(first: Any) -> tuple[Value, Value]:
    """The partial derivatives of max and min: 1 for the argument that is taken."""
    return np.where(first, 1.0, 0.0), np.where(first, 0.0, 1.0)
