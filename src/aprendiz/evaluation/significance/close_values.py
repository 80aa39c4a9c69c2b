"""Numbers that differ by rounding alone are equal: 0.3 − 0.2 and 0.9 − 0.8 are a tie, though doubles differ in the last bits.

In order, a number that lies within some units of rounding of the one before takes the place of that one. NaN stays NaN.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array

UNITS = 16 * np.finfo(np.float64).eps  # of the largest score: what a mean over folds and a difference may lose


def paired_differences(a: Array, b: Array) -> Array:
    """a − b, with ties of their sizes, and zeros, that rounding hides."""
    tolerance = UNITS * float(np.nan_to_num(np.abs([a, b])).max(initial=0.0))
    d = a - b
    size = merged(np.abs(np.where(np.abs(d) <= tolerance, 0.0, d)), tolerance)
    return np.copysign(size, d)


def merged(values: Array, tolerance: float) -> Array:
    """The values, each with the smallest of those that are as close together as the tolerance."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    start = np.concatenate([[True], ~(np.diff(ordered) <= tolerance)])
    first = ordered[np.flatnonzero(start)[np.cumsum(start) - 1]]
    found = np.empty_like(values)
    found[order] = first
    return found


def merged_rows(scores: Array) -> Array:
    """The same within each row of a table of scores."""
    tolerances = UNITS * np.abs(scores).max(axis=1)
    return np.array([merged(row, tolerance) for row, tolerance in zip(scores, tolerances, strict=True)])
