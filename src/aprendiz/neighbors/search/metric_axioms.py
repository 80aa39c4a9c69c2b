"""Is a function a metric? The axioms, tried on a sample of rows.

    d(x, y) ≥ 0,     d(x, x) = 0,     d(x, y) = d(y, x)                                                        (1)
    d(x, z) ≤ d(x, y) + d(y, z)                                                                                (2)

A function that breaks (1) is refused. One that breaks (2) gets a warning: brute force finds the nearest rows all the same, but
"near to a near row" no longer means near. The pair or the triple is named, with its numbers.

Cost: s² calls and s³ comparisons for a sample of s = 12 rows, evenly spread over the table.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.neighbors.search.metrics import Function

SAMPLE = 12
ROUNDING = 1e-9  # of the largest distance


def check_axioms(function: Function, X: Array) -> None:
    """Refuse what breaks (1), warn of what breaks (2)."""
    rows = np.unique(np.linspace(0, len(X) - 1, min(SAMPLE, len(X))).astype(int))
    d = np.array([[as_number(function(X[i], X[j]), i, j) for j in rows] for i in rows])
    tolerance = ROUNDING * float(np.abs(d[np.isfinite(d)]).max(initial=0.0))
    if (bad := np.argwhere(d < -tolerance)).size:
        i, j = rows[bad[0]]
        raise ValueError(f"The metric is negative: d(row {i}, row {j}) = {d[tuple(bad[0])]:.6g}; distances are at least 0.")
    if (loose := np.flatnonzero(np.diag(d) > tolerance)).size:
        i = rows[loose[0]]
        raise ValueError(f"The metric is not 0 from a row to itself: d(row {i}, row {i}) = {d[loose[0], loose[0]]:.6g}.")
    if (bad := np.argwhere(np.abs(d - d.T) > tolerance)).size:
        (a, b), (i, j) = bad[0], rows[bad[0]]
        raise ValueError(
            f"The metric is not symmetric: d(row {i}, row {j}) = {d[a, b]:.6g}, but d(row {j}, row {i}) = {d[b, a]:.6g}."
        )
    warn_of_triangle(d, rows, tolerance)


def warn_of_triangle(d: Array, rows: Array, tolerance: float) -> None:
    """(2), for all triples of the sample; the worst one is named."""
    excess = d[:, None, :] - (d[:, :, None] + d[None, :, :])  # x, y, z
    a, b, c = np.unravel_index(int(np.argmax(excess)), excess.shape)
    if excess[a, b, c] > tolerance:
        x, y, z = rows[a], rows[b], rows[c]
        warnings.warn(
            f"The metric breaks the triangle inequality: d(row {x}, row {z}) = {d[a, c]:.6g} exceeds "
            f"d(row {x}, row {y}) + d(row {y}, row {z}) = {d[a, b]:.6g} + {d[b, c]:.6g}. "
            "The nearest rows are found all the same, by brute force.",
            UserWarning,
            stacklevel=5,
        )


def as_number(value: Any, i: int, j: int) -> float:
    """A distance, if it is one."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"The metric gives {value!r} for rows {i} and {j}: it must return a number.") from None
    if np.isnan(number):
        raise ValueError(f"The metric gives NaN for rows {i} and {j}: make it return a number for every two rows.")
    return number
