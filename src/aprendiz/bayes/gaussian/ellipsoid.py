"""A covariance by its axes: directions, the variance along each, and one variance for all other directions.

    Σ = D·[V diag(v) Vᵀ + ρ·(I − VVᵀ)]·D,     V of shape (d, r), VᵀV = I,  D diagonal                              (1)
    zᵀΣ⁻¹z = Σ_a (V_aᵀu)²/v_a + (‖u‖² − ‖Vᵀu‖²)/ρ,     u = D⁻¹z                                                   (2)
    log|Σ| = Σ_a log v_a + (d − r)·log ρ + 2 Σ_j log D_j                                                            (3)

r = d is any covariance; r < d is what few rows can say of many columns; without axes the columns themselves are the axes. D
holds the units of the columns, so that columns of very different sizes keep their digits.

Cost: n·d·r multiplications for n rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.summaries.products import products_of_rows, times_columns

EPS = float(np.finfo(float).eps)
ROUNDED = 100.0  # digits of a sum of products that may be wrong, in units of EPS and of the columns
FAR = 1e-9 / EPS  # a squared distance of class means, in units of the variance within classes, whose rounding exceeds 1e-9


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """(1)."""

    variances: Array  # v
    axes: Array | None  # Vᵀ, a row for each axis; None: the columns
    columns: int
    rest: float = 0.0  # ρ
    unit: Array | None = None  # D; None: I

    @classmethod
    def of(cls, covariance: Array, unit: Array | None = None) -> Ellipsoid:
        """Of a matrix, the longest axis first, in units of the columns if they are given."""
        inner = covariance if unit is None else covariance / unit / unit[:, None]
        values, vectors = linalg.eigh(inner, driver="evd", check_finite=False)
        return cls(np.maximum(values[::-1], 0.0), upright(vectors.T[::-1]), len(inner), unit=unit)

    @classmethod
    def of_rows(cls, Z: Array, unit: Array | None = None) -> Ellipsoid:
        """Of ZᵀZ, in the span of the rows of Z; nothing varies in any other direction."""
        inner = Z if unit is None else Z / unit
        values, vectors = linalg.eigh(products_of_rows(inner), driver="evd", check_finite=False)
        values, vectors = values[::-1], vectors[:, ::-1]
        kept = values > ROUNDED * max(Z.shape) * EPS * values[:1].max(initial=0.0)
        axes = times_columns((vectors[:, kept] / np.sqrt(values[kept])).T, inner)
        return cls(values[kept], upright(axes), Z.shape[1], unit=unit)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ellipsoid):
            return NotImplemented
        return all(np.array_equal(one, two) for one, two in zip(self.__dict__.values(), other.__dict__.values(), strict=True))

    __hash__ = None  # type: ignore[assignment]  # Python's way to say that there is no hash

    @property
    def largest(self) -> float:
        """The largest variance."""
        return max(float(self.variances.max(initial=0.0)), self.rest)

    @property
    def least(self) -> float:
        """A bound from below of the variance in any direction, in the units of the table."""
        inner = (
            float(np.minimum.reduce(self.variances)) if self.full else min(float(self.variances.min(initial=np.inf)), self.rest)
        )
        return inner if self.unit is None else inner * float(np.minimum.reduce(self.unit)) ** 2

    @property
    def rounding(self) -> float:
        """A variance that may be nothing but rounding."""
        return ROUNDED * self.columns * EPS * self.largest

    def rank(self, rounding: float) -> int:
        """Directions in which something varies by more than rounding."""
        others = self.columns - len(self.variances)
        return int((self.variances > rounding).sum()) + (others if self.rest > rounding else 0)

    @property
    def full(self) -> bool:
        """Are there as many axes as columns?"""
        return len(self.variances) == self.columns

    @property
    def mean_variance(self) -> float:
        """The trace of [ ] over d."""
        return float(self.variances.sum() + (self.columns - len(self.variances)) * self.rest) / self.columns

    def blend(self, share: float, variance: float) -> Ellipsoid:
        """(1 − share)·[ ] + share·variance·I."""
        v, rest = (1.0 - share) * self.variances + share * variance, (1.0 - share) * self.rest + share * variance
        return replace(self, variances=v, rest=rest)

    def fill(self, variance: float, rounding: float) -> Ellipsoid:
        """The same with a variance where nothing varies by more than rounding."""
        variances = np.where(self.variances > rounding, self.variances, variance)
        return replace(self, variances=variances, rest=self.rest if self.rest > rounding else variance)

    @property
    def log_determinant(self) -> float:
        """(3)."""
        others = self.columns - len(self.variances)
        found = float(np.log(self.variances).sum()) + (others * float(np.log(self.rest)) if others else 0.0)
        return found if self.unit is None else found + 2.0 * float(np.log(self.unit).sum())

    def squared_distance(self, Z: Array, centre: Array) -> Array:
        """(2) of each row from a centre."""
        unit = 1.0 if self.unit is None else self.unit
        if self.axes is None or not self.full:
            Z = Z - centre
        if self.axes is None:
            return np.asarray((Z * Z) @ (1.0 / (self.variances * unit**2)))
        whitening = (self.axes / unit / np.sqrt(self.variances)[:, None]).T
        along = Z @ whitening
        if self.full:
            along -= centre @ whitening
            return np.asarray(np.einsum("ij,ij->i", along, along))
        U = Z / unit
        outside = np.einsum("ij,ij->i", U, U) - (along * along) @ self.variances
        return np.asarray(np.einsum("ij,ij->i", along, along) + np.maximum(0.0, outside) / self.rest)

    def solve(self, Z: Array) -> Array:
        """Σ⁻¹z of each row."""
        U = Z if self.unit is None else Z / self.unit
        if self.axes is None:
            U = U / self.variances
        else:
            along = U @ self.axes.T
            rest = 0.0 if self.full else 1.0 / self.rest
            U = U * rest + (along * (1.0 / self.variances - rest)) @ self.axes
        return U if self.unit is None else U / self.unit

    def spread(self, N: Array) -> Array:
        """Rows with covariance Σ from rows of independent standard numbers."""
        if self.axes is None:
            U = N * np.sqrt(self.variances)
        else:
            along = N @ self.axes.T
            root = 0.0 if self.full else np.sqrt(self.rest)
            U = N * root + (along * (np.sqrt(self.variances) - root)) @ self.axes
        return U if self.unit is None else U * self.unit

    @property
    def matrix(self) -> Array:
        """Σ."""
        if self.axes is None:
            inner = np.diag(self.variances)
        else:
            rest = 0.0 if self.full else self.rest
            inner = (self.axes.T * (self.variances - rest)) @ self.axes
            inner[np.diag_indices_from(inner)] += rest
        return inner if self.unit is None else inner * self.unit * self.unit[:, None]


def upright(axes: Array) -> Array:
    """Axes with the sign that makes their largest entry positive."""
    if not axes.size:
        return axes
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return np.ascontiguousarray(axes * np.sign(largest)[:, None])
