"""Is a function a metric? The axioms, tried on a sample of rows.

    d(x, y) ≥ 0,     d(x, x) = 0,     d(x, y) = d(y, x)                                                        (1)
    d(x, z) ≤ d(x, y) + d(y, z)                                                                                (2)

A function that breaks one of them gets a warning: brute force finds the rows of the smallest numbers all the same, but a row
may not be its own neighbour, or "near to a near row" no longer mean near. The pair or the triple is named, with its numbers.

Cost: s² calls and s³ comparisons for a sample of s = 12 rows, evenly spread over the table.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.neighbors.search.metrics import Function

SAMPLE = 12
ROUNDING = 1e-9  # of the largest distance


def check_axioms(function: Function, rows: Sequence[Any]) -> None:
    """Warn of what a function of two rows breaks."""
    some = np.unique(np.linspace(0, len(rows) - 1, min(SAMPLE, len(rows))).astype(int))
    d = np.array([[as_number(function(rows[i], rows[j]), i, j) for j in some] for i in some])
    tolerance = ROUNDING * float(np.abs(d[np.isfinite(d)]).max(initial=0.0))
    if broken := broken_by_pair(d, some, tolerance) or broken_by_triple(d, some, tolerance):
        warnings.warn(
            f"The metric {broken}. The rows of the smallest distances are found all the same, by brute force.",
            UserWarning,
            stacklevel=5,
        )


def broken_by_pair(d: Array, rows: Array, tolerance: float) -> str:
    """(1), for all pairs of the sample; the first that breaks it is named."""
    if (bad := np.argwhere(d < -tolerance)).size:
        i, j = rows[bad[0]]
        return f"is negative: d(row {i}, row {j}) = {d[tuple(bad[0])]:.6g}; distances are at least 0"
    if (loose := np.flatnonzero(np.diag(d) > tolerance)).size:
        i = rows[loose[0]]
        return f"is not 0 from a row to itself: d(row {i}, row {i}) = {d[loose[0], loose[0]]:.6g}"
    if (bad := np.argwhere(np.abs(d - d.T) > tolerance)).size:
        (a, b), (i, j) = bad[0], rows[bad[0]]
        return f"is not symmetric: d(row {i}, row {j}) = {d[a, b]:.6g}, but d(row {j}, row {i}) = {d[b, a]:.6g}"
    return ""


def broken_by_triple(d: Array, rows: Array, tolerance: float) -> str:
    """(2), for all triples of the sample; the worst one is named."""
    excess = d[:, None, :] - (d[:, :, None] + d[None, :, :])  # x, y, z
    a, b, c = np.unravel_index(int(np.argmax(excess)), excess.shape)
    if not excess[a, b, c] > tolerance:
        return ""
    x, y, z = rows[a], rows[b], rows[c]
    return (
        f"breaks the triangle inequality: d(row {x}, row {z}) = {d[a, c]:.6g} exceeds "
        f"d(row {x}, row {y}) + d(row {y}, row {z}) = {d[a, b]:.6g} + {d[b, c]:.6g}"
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
