"""Activations: what a neuron makes of the sum that comes in, and their slopes.

    h = σ(z/t)      with a temperature t, and σ one of                                                        (1)

    identity  z          σ' = 1                 relu      max(z, 0)       σ' = 1 where h > 0
    logistic  1/(1+e^−z) σ' = h(1 − h)          softplus  ln(1 + e^z)     σ' = 1 − e^−h
    tanh                 σ' = 1 − h²            step      1 where z ≥ 0   σ' = 0: to be read, not trained
    cos                  σ' = −sin z

All slopes but that of cos are functions of h alone, so that z need not be kept; cos leaves its slope behind on the way forward.
All work in place. Complex numbers are taken too, for derivatives by complex steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neural.elementary.functions import relu, sigmoid, softplus


@dataclass(frozen=True)
class Activation:
    """σ of an array in place, and errors times σ' in place: `slope(D, H, S)`, with S as the way forward has left it.

    Where there is a loop for it, in one pass: `of_sums(Z, b)`, σ(Z + b) in place, and `of_one_output(D, H, δ, w)`, the errors
    δ wᵀ that come from a single output, times σ', into D."""

    apply: Callable[[Array], object]
    slope: Callable[[Array, Array, Array], object]
    keeps_slope: bool = False
    of_sums: Callable[[Array, Array], object] | None = None
    of_one_output: Callable[[Array, Array, Array, Array], object] | None = None


def nothing(*_: Array) -> None:
    """The identity leaves everything as it is."""


def logistic(Z: Array) -> None:
    """1/(1 + e^−z), as ½ + ½·tanh(z/2), which does not overflow."""
    Z *= 0.5
    np.tanh(Z, out=Z)
    Z += 1
    Z *= 0.5


def logistic_slope(D: Array, H: Array, S: Array) -> None:
    D *= H
    D *= 1 - H


def tanh_slope(D: Array, H: Array, S: Array) -> None:
    D *= 1 - H * H


@compiled
def relu_of_sums(Z: Array, b: Array) -> None:
    """max(z + b, 0); what is no number stays so."""
    for i in range(Z.shape[0]):
        for j in range(Z.shape[1]):
            z = Z[i, j] + b[j]
            Z[i, j] = 0.0 if z <= 0.0 else z


@compiled
def relu_slope(D: Array, H: Array) -> None:
    for i in range(D.shape[0]):
        for j in range(D.shape[1]):
            D[i, j] = D[i, j] if H[i, j] > 0.0 else 0.0


@compiled
def relu_errors(D: Array, H: Array, delta: Array, w: Array) -> None:
    for i in range(D.shape[0]):
        error = delta[i]
        for j in range(D.shape[1]):
            D[i, j] = error * w[j] if H[i, j] > 0.0 else 0.0


def softplus_slope(D: Array, H: Array, S: Array) -> None:
    D *= -np.expm1(-H)


def zero_slope(D: Array, H: Array, S: Array) -> None:
    D[:] = 0


def kept_slope(D: Array, H: Array, S: Array) -> None:
    D *= S


ACTIVATIONS: Mapping[str, Activation] = {
    "identity": Activation(nothing, nothing),
    "logistic": Activation(logistic, logistic_slope),
    "tanh": Activation(lambda Z: np.tanh(Z, out=Z), tanh_slope),
    "relu": Activation(
        lambda Z: np.maximum(Z, 0, out=Z),
        lambda D, H, _: relu_slope(D, H),
        of_sums=relu_of_sums,
        of_one_output=relu_errors,
    ),
    "softplus": Activation(lambda Z: np.logaddexp(Z, 0, out=Z), softplus_slope),
    "cos": Activation(lambda Z: np.cos(Z, out=Z), kept_slope, keeps_slope=True),
    "step": Activation(lambda Z: np.greater_equal(Z, 0, out=Z), zero_slope),
}
COMPLEX: Mapping[str, Callable[[Array], Array]] = {  # (1) of complex numbers, where it is not the same function of NumPy
    "identity": lambda Z: Z,
    "logistic": sigmoid,
    "tanh": np.tanh,
    "relu": relu,
    "softplus": softplus,
    "cos": np.cos,
    "step": lambda Z: 1.0 * (np.real(Z) >= 0),
}
OTHER_NAMES = {"sigmoid": "logistic", "cosine": "cos"}
