"""A network of one hidden layer that was built rather than trained.

    f(x) = Σ_k α_k σ(w_kᵀx + v_k)                                                                             (1)

K(d + 2) numbers. Its distance to a function is measured on a grid, beside the bound that the construction promises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.neural.network.activations import ACTIVATIONS

GRID = 2001  # points on which a distance is measured


@dataclass(frozen=True, repr=False)
class ShallowNetwork(ShortRepr):
    """The network (1).

    Attributes
    ----------
    activation : str
        σ.
    weights : ndarray of shape (n_neurons, n_columns)
        w.
    biases, factors : ndarray of shape (n_neurons,)
        v and α.
    error : float
        The largest distance to the function, measured.
    bound : float
        What it can be at most; NaN where the construction promises no number.
    """

    activation: str
    weights: Array
    biases: Array
    factors: Array
    error: float = np.nan
    bound: float = np.nan

    @property
    def n_neurons(self) -> int:
        """K."""
        return len(self.factors)

    @property
    def n_parameters(self) -> int:
        """K(d + 2)."""
        return self.n_neurons * (self.weights.shape[1] + 2)

    def __call__(self, x: Any) -> Any:
        """f(x) of a number, of numbers (one column), or of the rows of a table."""
        given = np.asarray(x, dtype=np.float64)
        X = given.reshape(-1, 1) if given.ndim < 2 else given
        if X.shape[1] != self.weights.shape[1]:
            raise ValueError(f"The network takes {self.weights.shape[1]} columns, got {X.shape[1]}.")
        H = X @ self.weights.T + self.biases
        ACTIVATIONS[self.activation].apply(H)
        f = H @ self.factors
        f[np.isnan(X).any(axis=1)] = np.nan  # a step would make a number of it
        return f if given.ndim == 2 else f.reshape(given.shape)[()]


def values_of(g: Callable[[Any], Any], points: Array) -> Array:
    """g at some points, as finite numbers."""
    values = np.array([value_at(g, float(x)) for x in points])
    if not np.isfinite(values).all():
        where = float(points[int(np.argmax(~np.isfinite(values)))])
        raise ValueError(f"The function is not a finite number at {where:g}.")
    return values


def value_at(g: Callable[[Any], Any], x: float) -> float:
    """g(x); NaN where it cannot be computed."""
    try:
        with np.errstate(all="ignore"):
            given = g(x)
    except (ArithmeticError, ValueError):
        return np.nan
    value = np.asarray(given)
    if value.size != 1 or value.dtype.kind not in "biuf":
        raise TypeError(f"The function gives {given!r} at {x:g}: a number is needed.")
    return float(value.item())


def distance(f: ShallowNetwork, g: Callable[[Any], Any], points: Array) -> float:
    """The largest |f − g| at some points."""
    return float(np.abs(f(points) - values_of(g, points)).max())
