"""Differences of an activation as powers of x: x^k ≈ Σ_i (−1)^{k−i} C(k, i) σ(t + ihx) / (h^k σ⁽ᵏ⁾(t))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb, isfinite

import numpy as np
from numpy.polynomial import Polynomial

from aprendiz.core.rows import Array
from aprendiz.neural.theory.derivatives_of_sigma import derivatives_at
from aprendiz.neural.theory.shallow_network import GRID, ShallowNetwork, distance

STEPS = [2.0**-i for i in range(1, 30)]  # h that are tried
HIGHEST = 30  # degree
FLAT = 1e-8  # of a derivative, relative to the largest


def polynomial_by_differences(coefficients: Sequence[float], activation: str, t: float, h: float | None) -> ShallowNetwork:
    """The network of a polynomial on [0, 1], with its distance measured on a grid."""
    c = np.asarray(coefficients, dtype=np.float64)
    if c.ndim != 1 or not len(c) or not np.isfinite(c).all():
        raise ValueError(f"coefficients must be finite numbers c_0, …, c_K, got {coefficients!r}.")
    K = len(c) - 1
    if K > HIGHEST:
        raise ValueError(f"The degree is {K}; at most {HIGHEST} is built, for rounding grows as h^-K.")
    if not isfinite(t):
        raise ValueError(f"t must be a finite number, got {t!r}.")
    slopes = np.array(derivatives_at(activation, t, K))
    if flat := [int(k) for k in np.flatnonzero(c) if abs(slopes[k]) <= FLAT * np.abs(slopes).max()]:
        raise ValueError(
            f"The derivative of order {flat[0]} of {activation} is {slopes[flat[0]]:.3g} at t={t:g}: choose another t."
        )
    if h is not None and not (isfinite(h) and h > 0):
        raise ValueError(f"h must be a finite number above 0, got {h!r}.")
    with np.errstate(all="ignore"):
        tried = [differences(c, slopes, activation, t, step) for step in (STEPS if h is None else [h])]
    found = [f for f in tried if np.isfinite(f.error) and np.isfinite(f.factors).all()]
    if not found:
        raise ValueError(f"With h={'any' if h is None else f'{h:g}'} the factors of the neurons are out of range: h^-{K} is.")
    return min(found, key=lambda f: f.error)


def differences(c: Array, slopes: Array, activation: str, t: float, h: float) -> ShallowNetwork:
    """(1) for each power, added up."""
    K, factors = len(c) - 1, np.zeros(len(c))
    for k in np.flatnonzero(c):
        signs = [(-1.0) ** (k - i) * comb(int(k), i) for i in range(k + 1)]
        factors[: k + 1] += c[k] / (h**k * slopes[k]) * np.array(signs)
    f = ShallowNetwork(activation, h * np.arange(K + 1.0)[:, None], np.full(K + 1, float(t)), factors)
    return replace(f, error=distance(f, Polynomial(c), np.linspace(0, 1, GRID)))
