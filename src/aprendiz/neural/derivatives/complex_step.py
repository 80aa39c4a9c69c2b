"""Derivatives by complex steps: f(x + ih) = f(x) + ih·f'(x) + O(h²), so

    f'(x) = Im f(x + ih)/h                                                                                    (1)

without a difference of nearly equal numbers: h may be so small that nothing but rounding is left. It needs a function that
computes with complex numbers; for others, differences on both sides, extrapolated, give about ten digits:

    f'(x) = (8·(f(x+h) − f(x−h)) − (f(x+2h) − f(x−2h)))/12h + O(h⁴)                                           (2)

Reference: Squire & Trapp, "Using complex variables to estimate derivatives of real functions", SIAM Review 40, 1998.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

STEP = 1e-100  # h of (1)
REAL_STEP = 2.0**-10  # h of (2), relative to the size of x


def complex_partials(function: Callable[..., Any], arguments: Sequence[Any]) -> list[Any]:
    """The partial derivatives of a function of several arguments, cell by cell."""
    return [partial(function, arguments, i) for i in range(len(arguments))]


def partial(function: Callable[..., Any], arguments: Sequence[Any], i: int) -> Any:
    """The derivative for argument i: (1), or (2) where the function gives no complex numbers."""

    def moved(step: Any) -> Any:
        return function(*(one + step if j == i else one for j, one in enumerate(arguments)))

    result = complex_result(lambda: moved(1j * STEP))
    if result is not None:
        return np.imag(result) / STEP
    h = REAL_STEP * np.maximum(1.0, np.abs(arguments[i]))
    return (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h)


def complex_result(function: Callable[[], Any]) -> Any:
    """What a function gives of complex numbers, or None if it takes none or drops their imaginary part."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        try:
            result = np.asarray(function())
        except (TypeError, np.exceptions.ComplexWarning):
            return None
    return result if np.iscomplexobj(result) else None
