"""Standardisation: every column to mean 0 and standard deviation 1.

    z = (x − m) / s,     m = Σ w x / Σ w,     s² = Σ w (x − m)² / Σ w                                         (1)

m and s² come from one sum over the rows, taken around a pivot inside the data (core/sums.py, `Spread`), so they keep
their digits at any offset. Missing cells are left out of the sums and stay missing. A column that varies by no more than the
rounding of a sum of n cells has nothing to scale:

    s = 1   where   s² ≤ n·ε·s² + (n·ε·m)²,     n known cells, ε the spacing of numbers at 1                  (2)

(2) is scikit-learn's rule, the error of a variance in two passes. The sums here are more exact than that, and `var_` keeps what
they found.

Cost: one pass, O(n·d) time, O(d) memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import OnePass
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.preprocessing.shared.affine import Affine


class StandardScaler(Affine, OnePass):
    """Centre each column and scale it to unit variance (drop-in for scikit-learn's).

    Parameters
    ----------
    copy : bool, default=True
        No effect: the data passed in are never changed.
    with_mean, with_std : bool, default=True
        Whether to centre; whether to scale. Sparse data cannot be centred.

    Attributes
    ----------
    mean_, var_, scale_ : ndarray of shape (n_features,) or None
        m, s² and s of (1).
    n_samples_seen_ : int, float or ndarray
        Rows (total weight, if weights were given), by column if cells are missing.
    sums_ : Spread
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        The smallest number of digits kept by the sums, and its column; how many columns are not scaled, by (2).
    """

    centring = "with_mean"
    allows = frozenset({"sparse", "missing"})
    differences = {"copy": "no effect: the data passed in are never changed"}

    def __init__(self, *, copy: bool = True, with_mean: bool = True, with_std: bool = True):
        self.copy = copy
        self.with_mean = with_mean
        self.with_std = with_std

    def summarise(self, rows: Rows) -> Spread:
        self.refuse_sparse(rows)
        return rows.sum(Spread.of, find_pivot(rows))

    def conclude(self, record: Spread) -> dict[str, Any]:
        known = record.weight > 0
        mean = np.where(known, record.mean, np.nan)
        var = np.divide(record.scatter, record.weight, out=np.full_like(mean, np.nan), where=known)
        spread = np.sqrt(var)
        flat = is_constant(spread, mean, record.known)
        scale = np.where(flat, 1.0, spread)
        used = self.with_mean or self.with_std
        return {
            "mean_": mean if used else None,
            "var_": var if self.with_std else None,
            "scale_": scale if self.with_std else None,
            "n_samples_seen_": samples_seen(record),
            "certificate_": Certificate.later(lambda: digits(record, int(flat.sum()))),
        }

    def centre_and_unit(self) -> tuple[Array | None, Array | None]:
        return self.mean_ if self.with_mean else None, self.scale_ if self.with_std else None


def samples_seen(record: Spread) -> Any:
    """What scikit-learn calls n_samples_seen_: rows or weight, one number if no cell is missing."""
    weighted = not np.array_equal(record.weight, record.known)
    per_column = record.weight if weighted else record.known
    return per_column[0] if np.all(record.known == record.known[0]) else per_column


def is_constant(spread: Array, mean: Array, cells: Array) -> Array:
    """(2), with the number of cells also where they have weights: the unit of weights does not matter."""
    rounding = cells * float(np.finfo(float).eps)
    return np.asarray(spread * np.sqrt(np.maximum(1.0 - rounding, 0.0)) <= rounding * np.abs(mean))


def digits(record: Spread, constant: int) -> Certificate:
    """That mean and variance of every column keep eight digits (`Spread.digits`), which column keeps fewest, and how many
    columns are not scaled."""
    worst = int(np.argmin(record.digits))
    kept = float(record.digits[worst])
    known = {"digits": kept, "column": worst, "constant": constant}
    return Certificate("mean and variance keep at least eight digits", kept >= 8, known)
