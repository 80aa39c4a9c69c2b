"""Means, covariances and correlations of columns with missing cells, from sums over the rows in which both cells are known.

With z = (x − m)/u around the mean m of a first pass, u a power of two near the standard deviation, and c the 0/1 table of the
known cells, all sums weighted,

    N_jk = Σ c_j c_k          rows in which both are known                                                     (1)
    S_jk = Σ z_j c_k,         Q_jk = Σ z_j² c_k,         P_jk = Σ z_j z_k                                      (2)
    scatter_jk = u_j u_k·(P_jk − S_jk S_kj/N_jk)                                                              (3)
    r_jk = (P_jk − S_jk S_kj/N_jk)/√((Q_jk − S_jk²/N_jk)·(Q_kj − S_kj²/N_jk))                                 (4)

Where no cell is missing these are the usual formulas. Since z is small and centred, nothing is lost to a far mean or a large
unit. Third and fourth powers of the columns ride along:

    g₁ = m₃/m₂^{3/2},     g₂ = m₄/m₂² − 3,     m_k = Σ (x − x̄)^k/N                                            (5)

Cost: two passes, n·d² multiplications (three times that where cells are missing).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Spread, Sums, find_pivot


@dataclass(frozen=True)
class PairSums(Sums):
    """(1) and (2), the sums of z³ and z⁴, and how many rows and cells there are."""

    both: Array
    first: Array
    square: Array
    product: Array
    third: Array
    fourth: Array
    cells: Array
    rows: int
    weight: float

    @classmethod
    def of(cls, centre: Array, unit: Array, block: Block) -> PairSums:
        Z, w = (block.X - centre) / unit, block.weights
        counted = w > 0
        c = ~np.isnan(Z)
        Z[~c] = 0.0
        wZ, Z2 = w[:, None] * Z, Z * Z
        if c.all():
            ones = np.ones(Z.shape[1])
            both = np.full((len(ones), len(ones)), w.sum())
            first, square = np.outer(wZ.sum(axis=0), ones), np.outer(w @ Z2, ones)
        else:
            C = c.astype(np.float64)
            both, first, square = (w[:, None] * C).T @ C, wZ.T @ C, (w[:, None] * Z2).T @ C
        return cls(
            *(both, first, square, wZ.T @ Z, w @ (Z2 * Z), w @ (Z2 * Z2)),
            c[counted].sum(axis=0),
            int(counted.sum()),
            float(w.sum()),
        )


@dataclass(frozen=True)
class ColumnMoments:
    """What follows from the sums of all pairs of columns."""

    sums: PairSums
    centre: Array
    unit: Array

    @property
    def weight(self) -> Array:
        """Weight of the known cells of each column."""
        return np.diagonal(self.sums.both)

    @property
    def mean(self) -> Array:
        """Mean of the known cells; NaN where there is none."""
        return self.centre + self.unit * ratio(np.diagonal(self.sums.first), self.weight)

    @property
    def scatter(self) -> Array:
        """(3), in the units of the columns."""
        return self.inner * np.outer(self.unit, self.unit)

    @property
    def inner(self) -> Array:
        """(3) in units of u."""
        S = self.sums.first
        return self.sums.product - ratio(S * S.T, self.sums.both)

    def covariance(self, ddof: float) -> Array:
        """scatter/(N − ddof), N of each pair; NaN where there are not enough rows."""
        return ratio(self.scatter, self.sums.both - ddof)

    @property
    def correlation(self) -> Array:
        """(4); NaN where a column does not vary, exactly 1 on the diagonal elsewhere."""
        S, N = self.sums.first, self.sums.both
        own = self.sums.square - ratio(S * S, N)
        size = np.sqrt(np.maximum(own, 0.0))
        varies = own > np.finfo(float).eps * self.sums.square * np.maximum(N, 1.0)
        r = ratio(self.inner, np.where(varies & varies.T, size * size.T, 0.0))
        r = np.clip(r, -1.0, 1.0)
        np.fill_diagonal(r, np.where(np.diagonal(varies), 1.0, np.nan))
        return r

    @property
    def shape(self) -> tuple[Array, Array]:
        """Skewness and excess kurtosis (5); NaN where a column does not vary."""
        n = self.weight
        m = ratio(np.diagonal(self.sums.first), n)
        m2, m3, m4 = (ratio(one, n) for one in (np.diagonal(self.sums.square), self.sums.third, self.sums.fourth))
        second = m2 - m**2
        third, fourth = m3 - 3 * m * m2 + 2 * m**3, m4 - 4 * m * m3 + 6 * m**2 * m2 - 3 * m**4
        second = np.where(second > np.finfo(float).eps * np.maximum(n, 1.0) * m2, second, 0.0)
        return ratio(third, second**1.5), ratio(fourth, second**2) - 3.0


def column_moments(rows: Rows) -> ColumnMoments:
    """In two passes: the means and units, then everything around them."""
    spread = rows.sum(Spread.of, find_pivot(rows))
    refuse_empty_sums(spread.weight, spread.finite, rows)
    deviation = np.sqrt(ratio(spread.scatter, spread.weight))
    unit = np.where(deviation > 0, np.exp2(np.round(np.log2(np.where(deviation > 0, deviation, 1.0)))), 1.0)
    centre = np.where(spread.weight > 0, spread.mean, 0.0)
    return ColumnMoments(rows.sum(PairSums.of, centre, unit), centre, unit)


def ratio(above: Array, below: Array) -> Array:
    """above/below, NaN where nothing positive stands below."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=np.asarray(below) > 0)
