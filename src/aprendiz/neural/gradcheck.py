"""Is a gradient right? Compared with derivatives by complex steps, which have all digits.

error = max_i |g_i − d_i| / max(1, max_i |d_i|),     d = the derivatives of derivatives/complex_step.py           (1)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.neural.derivatives.complex_step import REAL_STEP, STEP, complex_result, is_confirmed

BY_COMPLEX_STEPS, BY_DIFFERENCES = "complex steps", "differences"


@dataclass(frozen=True, repr=False)
class GradientCheck(ShortRepr):
    """A gradient beside the derivatives.

    Attributes
    ----------
    holds : bool
        Whether the error is within the tolerance.
    error : float
        (1).
    worst : tuple of int
        Where they differ most.
    method : {"complex steps", "differences"}
    gradient, derivatives : ndarray
    """

    holds: bool
    error: float
    worst: tuple[int, ...]
    method: str
    gradient: Array
    derivatives: Array


def gradcheck(function: Callable[[Array], Any], gradient: Any, x: Any, *, tol: float | None = None) -> GradientCheck:
    """Compare the gradient of a function of an array with its derivatives.

    Parameters
    ----------
    function : callable
        Takes an array like x and gives a number. Where it computes with complex numbers, the derivatives have all digits.
    gradient : callable or array like x
    x : array-like
    tol : float, optional
        The largest error (1) that is allowed: by default 1e-12 for complex steps, 1e-7 for differences.

    Examples
    --------
    >>> import numpy as np
    >>> gradcheck(lambda x: np.exp(x @ x), lambda x: 2 * x * np.exp(x @ x), [0.3, -1.0]).holds
    True
    """
    at = np.array(x, dtype=np.float64)
    given = np.asarray(gradient(at.copy()) if callable(gradient) else gradient, dtype=np.float64)
    if given.shape != at.shape:
        raise ValueError(f"The gradient has the shape {given.shape}, x has {at.shape}.")
    derivatives, method = derivatives_at(function, at)
    if not np.isfinite(derivatives).all():
        raise ValueError("The function is not finite around x: there is no derivative to compare with.")
    apart = np.abs(given - derivatives)
    apart[np.isnan(apart)] = np.inf
    error = float(apart.max(initial=0.0) / max(1.0, np.abs(derivatives).max(initial=0.0)))
    worst = tuple(int(i) for i in np.unravel_index(int(apart.argmax()), at.shape)) if at.size else ()
    allowed = tol if tol is not None else 1e-12 if method == BY_COMPLEX_STEPS else 1e-7
    return GradientCheck(error <= allowed, error, worst, method, given, derivatives)


def derivatives_at(function: Callable[[Array], Any], x: Array) -> tuple[Array, str]:
    """The derivative for every entry of x, and how it was found."""
    found = np.empty(x.shape)
    analytic = True
    for i in np.ndindex(x.shape):
        slope = complex_slope(function, x, i) if analytic else None
        analytic = slope is not None
        found[i] = difference(function, x, i) if slope is None else slope
    return found, BY_COMPLEX_STEPS if analytic else BY_DIFFERENCES


def complex_slope(function: Callable[[Array], Any], x: Array, i: tuple[int, ...]) -> float | None:
    """The derivative by a complex step, if the function is one of complex numbers."""
    result = complex_result(lambda: function(moved(x, i, 1j * STEP)))
    if result is None:
        return None
    if result.size != 1:
        raise ValueError(f"The function gives an array of shape {result.shape}: a gradient is that of a single number.")
    slope = float(np.imag(result).item() / STEP)
    return slope if is_confirmed(slope, lambda step: function(moved(x, i, step)), x[i]) else None


def moved(x: Array, i: tuple[int, ...], step: complex) -> Array:
    """x with a step in one entry."""
    there = x + 0 * step
    there[i] += step
    return there


def difference(function: Callable[[Array], Any], x: Array, i: tuple[int, ...]) -> float:
    """The derivative by differences on both sides, extrapolated."""
    h = REAL_STEP * max(1.0, abs(float(x[i])))
    near, far = (float(function(moved(x, i, k * h))) - float(function(moved(x, i, -k * h))) for k in (1, 2))
    return (8 * near - far) / (12 * h)
