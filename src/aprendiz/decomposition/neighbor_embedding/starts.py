"""Where the rows of a map begin: all close together, so that no cluster has to pass through another.

    pca       the leading coordinates t_j = (x − m)·v_j, divided by the deviation of the first and by 10⁴            (1)
    random    independent normal numbers with the deviation 10⁻⁴                                              (2)

or an array, as it is. (1) begins with the shape of the whole table, and distances between clusters can then mean a little more
than chance. A component without variance would leave the map flat for ever: it begins as (2).

Reference: Kobak & Linderman, "Initialization is critical for preserving global data structure", Nature Biotechnology 39, 2021.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.decomposition import PCA
from aprendiz.locale import _

WIDTH = 1e-4
FLAT = 1e-9  # deviation of a component beside that of the first, below which it is rounding


def start(X: Any, init: Any, columns: int, seed: int) -> Array:
    """The map to begin with."""
    n = int(X.shape[0])
    if not isinstance(init, str):
        return given_start(init, n, columns)
    if init == "random":
        return normals(n, columns, seed)  # (2)
    most = min(X.shape)
    if columns > most:
        raise ValueError(
            f'init="pca" needs n_components between 1 and min(n_samples, n_features)={most}, got n_components={columns}: '
            'ask for fewer, or use init="random".'
        )
    T = PCA(n_components=columns).set_output(transform="default").fit_transform(near_zero(X))
    T = np.asarray(T, np.float64)
    deviation = T.std(axis=0)
    if not deviation[0] > 0:
        warnings.warn(_("All rows are equal: the map is a single point."), UserWarning, stacklevel=5)
        return np.zeros((n, columns))
    flat = deviation <= FLAT * deviation[0]
    return np.where(flat, normals(n, columns, seed), T / deviation[0] * WIDTH)  # (1)


def near_zero(X: Any) -> Any:
    """A dense table with its first row at 0 and numbers of about 1: no offset and no unit is left that could change a bit,
    which the steps would turn into another map."""
    if sparse.issparse(X):
        return X
    X = X - X[0]
    return np.ldexp(X, -int(np.frexp(np.abs(X).max())[1]))


def given_start(init: Any, n: int, columns: int) -> Array:
    """An array of the right shape, made of numbers."""
    Y = np.array(init, dtype=np.float64, order="C")
    if Y.shape != (n, columns):
        raise ValueError(
            f"init has the shape {Y.shape}, but the map has {n} rows and {columns} columns: give a place for each."
        )
    if not np.isfinite(Y).all():
        row, column = np.argwhere(~np.isfinite(Y))[0]
        raise ValueError(f"init holds {Y[row, column]} in row {row}, column {column}: give finite numbers.")
    return Y


def normals(n: int, columns: int, seed: int) -> Array:
    """(2): two numbers of a row and a column make one (Box & Muller)."""
    Y = np.empty((n, columns))
    for c in range(columns):
        radius, angle = uniforms(seed, 2 * c, n), uniforms(seed, 2 * c + 1, n)
        Y[:, c] = np.sqrt(-2.0 * np.log1p(-radius)) * np.cos(2.0 * np.pi * angle)
    return WIDTH * Y
