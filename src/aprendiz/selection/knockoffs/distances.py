"""How far a copy of a column may be from the column itself.

A knockoff has the correlations of its column with all others, and 1 − s_j with the column. The s_j should be large:
a copy that is near its column cannot be told from it. What is possible is

    0 ≤ s_j ≤ 1,     A = 2Σ − diag(s) without negative eigenvalues                                            (1)

    equicorrelated     s_j = min(2λ_min(Σ), 1) for all j                                                       (2)
    largest sum        max Σ_j s_j under (1), by max Σ_j s_j + μ·log det A with smaller and smaller μ                 (3)
    largest entropy    max Σ_j log s_j + log det A under (1)                                                   (4)

(4) is the logarithm of the determinant of the correlations of columns and copies together: the entropy of normal ones. The
maximum of (3) lies where A is singular, and may have s_j = 0: then columns and copies depend on each other exactly, which makes
a path of both slow, and its order arbitrary. So a small part of (4) is mixed into (3).

One s_j at a time has its maximum in a closed form,

    (3)     s_j ← min(1, max(0, s_j + 1/(A⁻¹)_jj − μ))                                                        (5)
    (4)     s_j ← min(1, (s_j + 1/(A⁻¹)_jj)/2)                                                                (6)

and A⁻¹ changes by a matrix of rank one (Sherman & Morrison). A step goes at most half of the way to where A is singular, or the
rounding of A⁻¹ would grow from column to column; each sweep begins with A⁻¹ anew. No other solver is needed.

Cost: d³ for each sweep; (4) takes about ten of them, up to sixty if 2Σ is nearly singular, (3) a few for each of a dozen μ.
References: Barber & Candès, Annals of Statistics 43, 2015; Askari, Rebjock, d'Aspremont & El Ghaoui, "FANOK: knockoffs in
linear time", SIAM J. Mathematics of Data Science 3, 2021; Gimenez & Zou, "Improving the stability of the knockoff procedure",
AISTATS 2019 (the entropy); Spector & Janson, "Powerful knockoffs via minimizing reconstructability", Annals of Statistics 50,
2022.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import linalg

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

Distance = Literal["largest_entropy", "largest_sum", "equicorrelated"]
SWEEPS = 2  # of (5) for one μ, at most
ENTROPY_SWEEPS = 60  # of (6), at most
SETTLED = 1e-3  # of μ in (5), of s_j in (6): a sweep that changes each s_j less is the last
LEAST = 1e-5  # the last μ
SAFE = 1.0 - 1e-9  # part of the way to where (1) ends
ENTROPY_SHARE = 1e-4  # of (4) in the answer of (3): A is regular, and no copy is its column


def distances_of(correlation: Array, smallest: float, kind: Distance) -> Array:
    """s, one of (2) to (4). `smallest` is λ_min(Σ)."""
    if kind == "equicorrelated":
        return equicorrelated(smallest, len(correlation))
    return largest_sum(correlation) if kind == "largest_sum" else largest_entropy(correlation)


def equicorrelated(smallest: float, columns: int) -> Array:
    """(2), from λ_min(Σ)."""
    return np.full(columns, min(1.0, max(0.0, 2.0 * smallest)))


def largest_sum(correlation: Array) -> Array:
    """(3), then shrunk until (1) holds in spite of rounding; the equicorrelated one where that is better."""
    twice, equal, regular = start_of(correlation)
    if not regular:
        return within(twice, equal)
    s, mu = 0.5 * equal, 0.5
    while mu > LEAST:
        for _ in range(SWEEPS):
            if sum_sweep(inverse_at(twice, s), s, mu) <= SETTLED * mu:
                break
        s, mu = within(twice, s), 0.3 * mu
    equal = within(twice, equal)
    best = s if s.sum() >= equal.sum() else equal
    return (1.0 - ENTROPY_SHARE) * best + ENTROPY_SHARE * largest_entropy(correlation)


def largest_entropy(correlation: Array) -> Array:
    """(4)."""
    twice, equal, regular = start_of(correlation)
    if not regular:
        return within(twice, equal)
    s = 0.5 * equal
    for _ in range(ENTROPY_SWEEPS):
        if entropy_sweep(inverse_at(twice, s), s) <= SETTLED:
            break
    return within(twice, s)


def start_of(correlation: Array) -> tuple[Array, Array, bool]:
    """2Σ, (2), and whether Σ is regular: else every s is next to 0."""
    smallest = float(linalg.eigvalsh(correlation, subset_by_index=[0, 0])[0])
    d = len(correlation)
    return 2.0 * correlation, equicorrelated(smallest, d), bool(smallest > d * np.finfo(float).eps)


def inverse_at(twice: Array, s: Array) -> Array:
    """A⁻¹."""
    return np.ascontiguousarray(np.linalg.inv(twice - np.diag(s)))


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


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def sum_sweep(inverse: Array, s: Array, mu: float) -> float:
    """(5) for each column in turn; the largest change. The inverse follows."""
    most = 0.0
    for j in range(len(s)):
        room = 1.0 / inverse[j, j]
        new = min(1.0, max(0.0, s[j] + room - max(mu, 0.5 * room)))
        most = max(most, abs(new - s[j]))
        set_distance(inverse, s, j, new)
    return most


@compiled
def entropy_sweep(inverse: Array, s: Array) -> float:
    """(6) for each column in turn; the largest change, as a part of s_j. The inverse follows."""
    most = 0.0
    for j in range(len(s)):
        new = min(1.0, 0.5 * (s[j] + 1.0 / inverse[j, j]))
        most = max(most, abs(new - s[j]) / s[j])
        set_distance(inverse, s, j, new)
    return most


@compiled(inner=True)
def set_distance(inverse: Array, s: Array, j: int, new: float) -> None:
    """A new s_j, and A⁻¹ with it (Sherman & Morrison)."""
    d, change = len(s), new - s[j]
    if change == 0.0:
        return
    factor = change / (1.0 - change * inverse[j, j])
    line = np.empty(d)
    for k in range(d):
        line[k] = inverse[j, k]
    for i in range(d):
        scale = factor * line[i]
        for k in range(d):
            inverse[i, k] += scale * line[k]
    s[j] = new
