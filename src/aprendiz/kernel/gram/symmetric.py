"""A Gram matrix that somebody else computed: is it symmetric?

|K_ij − K_ji| ≤ 10⁻⁶·max|K|     (rounding of single precision passes, another function of the pair does not)       (1)
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array

TOLERANCE = 1e-6
ROWS = 1024  # at a time, so that no second matrix is made


def refuse_asymmetric(K: Array, what: str) -> None:
    """Name the pair where (1) fails the most."""
    size, worst, where = float(np.max(np.abs(K), initial=0.0)), 0.0, (0, 0)
    for start in range(0, len(K), ROWS):
        apart = np.abs(K[start : start + ROWS] - K[:, start : start + ROWS].T)
        row, column = divmod(int(apart.argmax()), apart.shape[1])
        if apart[row, column] > worst:
            worst, where = float(apart[row, column]), (start + row, column)
    if worst > TOLERANCE * size:
        i, j = where
        raise ValueError(
            f"A kernel is symmetric, but in {what} K[{i}, {j}] = {K[i, j]:.6g} and K[{j}, {i}] = {K[j, i]:.6g}. "
            "Give K(x, z) = K(z, x); (K + K.T) / 2 is symmetric."
        )
