"""Limits of cells: a row is an outlier if one of its cells lies too far from the middle of its column.

    z         m ± t·s             mean and standard deviation (denominator n)                                 (1)
    robust z  Q(½) ± t·1.4826·M   median, and M the median of |x − Q(½)|                                      (2)
    IQR       Q(¼) − t·R, Q(¾) + t·R,     R = Q(¾) − Q(¼)                                                    (3)

1.4826 = 1/Φ⁻¹(¾) makes (2) agree with (1) for normal data. With n rows of equal weight no cell is farther than √(n − 1)·s from
the mean: (1) with t = 3 cannot find anything among ten rows, and many outliers widen s until they hide each other. (2) and (3)
hold until half, or a quarter, of the cells are outliers. A missing cell is no outlier.

Cost: one pass for (1), two for (3), five for (2), nearly always.
References: Tukey, "Exploratory data analysis", 1977; Rousseeuw & Croux, JASA 88, 1993.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.preprocessing.shared.ranges import refuse_range
from aprendiz.summaries.quantiles import quantiles

NORMAL = 1.0 / float(ndtri(0.75))  # standard deviations in a median absolute deviation of normal data


@dataclass(frozen=True)
class CellLimits:
    """The lowest and the highest cell of each column that is no outlier; between them, the middle and the unit of distances."""

    low: Array
    high: Array
    middle: Array
    unit: Array

    def scores(self, X: Array) -> Array:
        """Distance from the middle, in units, of the farthest outlying cell of each row; 0 if there is none."""
        return self.excess(X).max(axis=1)

    def outlying(self, X: Array) -> Array:
        """Which rows are outliers."""
        return np.asarray(self.beyond(X).any(axis=1))

    def beyond(self, X: Array) -> Array:
        """Which cells are outliers."""
        found: Array = np.less(X, self.low)
        return found | np.greater(X, self.high)

    def worst_columns(self, X: Array) -> Array:
        """The column of the farthest outlying cell of each row."""
        return self.excess(X).argmax(axis=1)

    def excess(self, X: Array) -> Array:
        """Distances of outlying cells from the middle, in units (infinite where a column does not vary); 0 for other cells."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            distance = np.abs(X - self.middle) / self.unit
        return np.where(self.beyond(X), distance, 0.0)

    def clipped(self, X: Array) -> Array:
        """The rows with cells beyond the limits moved to them."""
        with np.errstate(over="ignore"):
            return np.clip(X, self.low.astype(X.dtype), self.high.astype(X.dtype))


def z_limits(rows: Rows, threshold: float) -> tuple[CellLimits, Certificate]:
    """(1), and how many digits the sums keep."""
    spread = rows.sum(Spread.of, find_pivot(rows))
    refuse_empty_sums(spread.weight, spread.finite, rows)
    variance = np.divide(spread.scatter, spread.weight, out=np.zeros_like(spread.first), where=spread.weight > 0)
    digits = float(spread.digits.min())
    claim, known = "mean and variance keep at least eight digits", {"digits": digits, "column": int(spread.digits.argmin())}
    limits = around(spread.mean, np.sqrt(variance), threshold, spread.weight > 0)
    return limits, Certificate(claim, digits >= 8, known)


def robust_z_limits(rows: Rows, threshold: float) -> tuple[CellLimits, Certificate]:
    """(2), and how many columns have more than half of their cells in one place."""
    middle, unit = robust_centre(rows)
    limits = around(np.nan_to_num(middle), np.nan_to_num(unit), threshold, ~np.isnan(middle))
    return limits, varies("every column has a median absolute deviation above 0", unit)


def iqr_limits(rows: Rows, threshold: float) -> tuple[CellLimits, Certificate]:
    """(3), and how many columns have equal quartiles."""
    low, high = quantiles(rows, [0.25, 0.75])
    refuse_range(low, high)
    known = ~np.isnan(low)
    low, high = np.nan_to_num(low), np.nan_to_num(high)
    room = threshold * (high - low)
    lowest, highest = np.where(known, low - room, -np.inf), np.where(known, high + room, np.inf)
    limits = CellLimits(lowest, highest, low + (high - low) / 2, high - low)
    return limits, varies("every column has quartiles that differ", high - low)


def varies(claim: str, unit: Array) -> Certificate:
    """That every column has a unit of its own, and how many do not: there, all cells but the middle ones are outliers."""
    flat = int(np.count_nonzero(unit == 0))
    return Certificate(claim, flat == 0, {"flat": flat})


def around(middle: Array, unit: Array, threshold: float, known: Array) -> CellLimits:
    """middle ± threshold·unit; no limits for a column of which nothing is known."""
    low, high = middle - threshold * unit, middle + threshold * unit
    return CellLimits(np.where(known, low, -np.inf), np.where(known, high, np.inf), middle, unit)


def robust_centre(rows: Rows) -> tuple[Array, Array]:
    """Median of each column, and 1.4826 times the median absolute deviation from it."""
    middle = quantiles(rows, [0.5])[0]
    away = rows.map(lambda X: np.abs(X - middle))
    return middle, NORMAL * quantiles(away, [0.5])[0]
