"""Derivatives by complex steps: f(x + ih) = f(x) + ih·f'(x) + O(h²), so

    f'(x) = Im f(x + ih)/h                                                                                    (1)

without a difference of nearly equal numbers: h may be so small that nothing but rounding is left. It needs a function that
computes with complex numbers; for others, differences on both sides, extrapolated, give about ten digits:

    f'(x) = (8·(f(x+h) − f(x−h)) − (f(x+2h) − f(x−2h)))/12h + O(h⁴)                                           (2)

(1) is right for functions that are analytic. |z|·z computes with complex numbers and is not: its imaginary part says half the
slope. So (1) has to agree with a difference on both sides, or on one, for some h (`is_confirmed`), else (2) is taken.

Reference: Squire & Trapp, "Using complex variables to estimate derivatives of real functions", SIAM Review 40, 1998.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

STEP = 1e-100  # h of (1)
REAL_STEP = 2.0**-10  # h of (2), relative to the size of x
CONFIRMING = (REAL_STEP, 2.0**-17, 2.0**-24, 2.0**-31)  # the same, of differences that (1) has to agree with
NEAR = 1e-4  # how far they may be apart


def complex_partials(function: Callable[..., Any], arguments: Sequence[Any]) -> list[Any]:
    """The partial derivatives of a function of several arguments, cell by cell."""
    return [partial(function, arguments, i) for i in range(len(arguments))]


def partial(function: Callable[..., Any], arguments: Sequence[Any], i: int) -> Any:
    """The derivative for argument i: (1), or (2) where the function gives no complex numbers."""

    def moved(step: Any) -> Any:
        return function(*(one + step if j == i else one for j, one in enumerate(arguments)))

    result = complex_result(lambda: moved(1j * STEP))
    if result is not None and is_confirmed(slope := np.imag(result) / STEP, moved, arguments[i]):
        return slope
    h = REAL_STEP * np.maximum(1.0, np.abs(arguments[i]))
    return (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h)


def is_confirmed(slope: Any, moved: Callable[[Any], Any], x: Any) -> bool:
    """Is the slope (1) that of the real function? Not where differences settle on another one."""
    size, scale = np.abs(x), np.abs(slope)
    agreed: Any = False
    refuted: Any = False
    last: Any = np.nan
    for unit in (np.maximum(1.0, size), np.where(size > 0, np.fmin(1.0, size), 1.0)):
        for h in (step * unit for step in CONFIRMING):
            try:
                with np.errstate(all="ignore"):
                    left, here, right = (np.asarray(np.real(moved(way * h))) for way in (-1.0, 0.0, 1.0))
                    both, after, before = (right - left) / (2 * h), (right - here) / h, (here - left) / h
                    scale = np.fmax(scale, np.abs(both))
                    shows = 64 * np.finfo(float).eps * np.fmax(np.abs(left), np.abs(right)) / h <= NEAR * scale
                    apart = np.fmin(np.fmin(np.abs(both - slope), np.abs(after - slope)), np.abs(before - slope))
                    agreed |= shows & (apart <= NEAR * scale)
                    refuted |= shows & (x + h != x) & (np.abs(both - last) <= NEAR * np.abs(both))
                    last = both
            except (TypeError, ArithmeticError, ValueError):
                continue
            if np.all(agreed):
                return True
    return not np.any(refuted & ~np.asarray(agreed))


def complex_result(function: Callable[[], Any]) -> Any:
    """What a function gives of complex numbers, or None if it takes none or drops their imaginary part."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        try:
            result = np.asarray(function())
        except (TypeError, np.exceptions.ComplexWarning):
            return None
    return result if np.iscomplexobj(result) else None
