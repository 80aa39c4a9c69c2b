"""Mutual information of measured columns with the target, by nearest neighbours; nothing is cut into bins.

    I(x; y) = ψ(n) + ψ(k) − ⟨ψ(n_x)⟩ − ⟨ψ(n_y)⟩                          both measured (Kraskov)              (1)
    I(x; y) = ψ(n) + ⟨ψ(k_i)⟩ − ⟨ψ(m)⟩ − ⟨ψ(n_class)⟩                    one measured, one a class (Ross)     (2)

in nats. n_x, n_y and m count the rows that are nearer than the k-th neighbour (neighbor_counts.py), the row itself included;
k_i = min(k, n_class − 1), and a class of a single row is left out of (2). What comes out below 0 is 0.

Equal cells have no k-th neighbour that tells them apart, so each cell is moved by a little noise (`with_noise`), as Kraskov
advises. The draws are those of scikit-learn's functions of the same names, whose answers therefore are these.

References: Kraskov, Stögbauer & Grassberger, "Estimating mutual information", Physical Review E 69, 2004;
Ross, "Mutual information between discrete and continuous data sets", PLoS ONE 9, 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt

import numpy as np
from scipy.special import digamma

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.selection.information.neighbor_counts import class_sums, plane_sums

NOISE = 1e-10
MOST_NOISE = 1e-7  # of a standard deviation, however far from zero a column lies
CELLS_AT_ONCE = 2**17  # of columns that are sorted together


def with_noise(X: Array, draws: Array) -> Array:
    """Columns (here the rows of X, NaN where a cell is missing) with mean 0 and standard deviation 1, and noise of 10⁻¹⁰ of the
    mean size of a cell, or of a standard deviation if that is more."""
    known = np.isfinite(X)
    power = np.frexp(np.where(known, np.abs(X), 0.0).max(axis=1, initial=0.0))[1]
    X = np.ldexp(X, -power[:, None])  # squares are numbers; nothing is rounded
    count = np.maximum(known.sum(axis=1), 1)
    mean = np.where(known, X, 0.0).sum(axis=1) / count
    centred = X - mean[:, None]
    deviation = np.sqrt(np.where(known, centred, 0.0).__pow__(2).sum(axis=1) / count)
    rounding = 4 * np.finfo(float).eps * np.abs(mean)
    unit = np.where(deviation > rounding, deviation, 1.0)
    size = np.where(known, np.abs(X), 0.0).sum(axis=1) / count / unit
    noise = np.minimum(NOISE * np.maximum(1.0, size), MOST_NOISE)
    return centred / unit[:, None] + noise[:, None] * draws


def measured_with_measured(X: Array, y: Array, k: int) -> Array:
    """(1) of each column (here the rows of X), on the rows that know its cell."""

    def estimates(columns: Array, known: Array | slice) -> Array:
        cells, own = X[columns][:, known], y[known]
        n = len(own)
        if n < 2:
            return np.zeros(len(columns))
        nearest, y_order, sums = min(k, n - 1), own.argsort(), np.empty(len(columns))
        psi = digamma(np.arange(n + 1.0))
        slab = max(4, isqrt(n * nearest) // 2)
        plane_sums(cells, cells.argsort(axis=1), own[y_order], y_order, nearest, slab, psi, sums)
        return psi[n] + psi[nearest] - sums / n

    return of_columns(X, estimates)


def measured_with_classes(X: Array, y: Array, k: int) -> Array:
    """(2) of each column (here the rows of X) with classes 0, 1, …, on the rows that know its cell."""

    def estimates(columns: Array, known: Array | slice) -> Array:
        own = y[known]
        sizes = np.bincount(own)
        several = sizes[own] > 1
        cells, own, sizes = X[columns][:, known], own[several], sizes[sizes > 1]
        n = len(own)
        if n < 2:
            return np.zeros(len(columns))
        if not several.all():
            cells, own = np.ascontiguousarray(cells[:, several]), np.unique(own, return_inverse=True)[1]
        elif len(sizes) <= own.max():
            own = np.unique(own, return_inverse=True)[1]
        psi, sums = digamma(np.arange(n + 1.0)), np.empty(len(columns))
        class_sums(cells, cells.argsort(axis=1), own, sizes, k, psi, sums)
        of_class = sizes @ (psi[np.minimum(k, sizes - 1)] - psi[sizes])
        return psi[n] + (of_class - sums) / n

    return of_columns(X, estimates)


def of_columns(X: Array, estimates: Callable[[Array, Array | slice], Array]) -> Array:
    """What a function finds for each column, never below 0: complete ones several at once, others on the rows they have."""
    missing = np.isnan(X)
    complete = np.flatnonzero(~missing.any(axis=1))
    at_once = max(1, CELLS_AT_ONCE // max(1, X.shape[1]))

    def works() -> Iterator[tuple[Array, Array | slice]]:
        for first in range(0, len(complete), at_once):
            yield complete[first : first + at_once], slice(None)
        for column in np.flatnonzero(missing.any(axis=1)):
            yield np.array([column]), ~missing[column]

    found = np.zeros(len(X))
    for columns, values in ordered_map(lambda work: (work[0], estimates(*work)), works()):
        found[columns] = values
    return np.maximum(found, 0.0)
