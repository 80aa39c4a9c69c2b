"""How far a copy of a column may be from the column itself.

A knockoff has the correlations of its column with all others, and 1 − s_j with the column. The s_j should be large:
a copy that is near its column cannot be told from it. What is possible is

    0 ≤ s_j ≤ 1,     2Σ − diag(s) without negative eigenvalues                                                (1)

    equicorrelated     s_j = min(2λ_min(Σ), 1) for all j                                                       (2)
    largest sum        max Σ_j s_j under (1), by max Σ_j s_j + μ·log det(2Σ − diag(s)) with smaller and smaller μ       (3)

One s_j at a time, with A = 2Σ − diag(s), (3) has the maximum

    s_j ← min(1, max(0, s_j + 1/(A⁻¹)_jj − μ))                                                                (4)

and A⁻¹ changes by a matrix of rank one (Sherman & Morrison). A step goes at most half of the way to where A is singular, or the
rounding of A⁻¹ would grow from column to column; each sweep begins with A⁻¹ anew. No other solver is needed.

Cost: d³ for each sweep of (4), of which there are a few for each of a dozen μ.
References: Barber & Candès, Annals of Statistics 43, 2015; Askari, Rebjock,
d'Aspremont & El Ghaoui, "FANOK: knockoffs in linear time", SIAM J. Mathematics of Data Science 3, 2021.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

SWEEPS = 2  # of (4) for one μ, at most
SETTLED = 1e-3  # of μ: a sweep that changes s less is the last
LEAST = 1e-5  # the last μ
SAFE = 1.0 - 1e-9  # part of the way to where (1) ends


def equicorrelated(smallest: float, columns: int) -> Array:
    """(2), from λ_min(Σ)."""
    return np.full(columns, min(1.0, max(0.0, 2.0 * smallest)))


def largest_sum(correlation: Array) -> Array:
    """(3), then shrunk until (1) holds in spite of rounding; the equicorrelated one where that is better."""
    d, twice = len(correlation), 2.0 * correlation
    smallest = float(linalg.eigvalsh(correlation, subset_by_index=[0, 0])[0])
    equal = equicorrelated(smallest, d)
    if smallest <= d * np.finfo(float).eps:
        return within(twice, equal)
    s, mu = 0.5 * equal, 0.5
    while mu > LEAST:
        inverse = np.ascontiguousarray(linalg.inv(twice - np.diag(s)))
        for _ in range(SWEEPS):
            inverse = np.ascontiguousarray(linalg.inv(twice - np.diag(s)))
            if sweep(inverse, s, mu) <= SETTLED * mu:
                break
        s, mu = within(twice, s), 0.3 * mu
    equal = within(twice, equal)
    return s if s.sum() >= equal.sum() else equal


def within(twice: Array, s: Array) -> Array:
    """s, made smaller by a common factor as far as (1) asks for it."""
    if feasible(twice, s):
        return s * SAFE
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if feasible(twice, middle * s) else (low, middle)
    return s * (low * SAFE)


def feasible(twice: Array, s: Array) -> bool:
    """(1), by Cholesky's factorisation."""
    return linalg.lapack.dpotrf(twice - np.diag(s), lower=1)[1] == 0


@compiled
def sweep(inverse: Array, s: Array, mu: float) -> float:
    """(4) for each column in turn; the largest change. The inverse follows."""
    d, most = len(s), 0.0
    line = np.empty(d)
    for j in range(d):
        corner = inverse[j, j]
        new = min(1.0, max(0.0, s[j] + 1.0 / corner - max(mu, 0.5 / corner)))
        change = new - s[j]
        if change == 0.0:
            continue
        most = max(most, abs(change))
        s[j] = new
        factor = change / (1.0 - change * corner)
        for k in range(d):
            line[k] = inverse[j, k]
        for i in range(d):
            scale = factor * line[i]
            for k in range(d):
                inverse[i, k] += scale * line[k]
    return most
