"""Second moments of all columns together, as records that add.

    Moments     Σ w z zᵀ with z = (1, x − pivot): weight, mean and scatter in one matrix, one for each class if asked
    Triangle    R with RᵀR = the same matrix, by orthogonal rotations: twice the digits, four times the work

Targets may follow the features in z. A triangle and moments add to a triangle. Formula (1) is that of sums.py.

Cost: n·d² multiplications for moments, 4·n·d² for a triangle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.core.threads import scratch

CELLS_OF_PRODUCTS = 2**17  # of pairs of columns, at once: 1 MiB


@dataclass(frozen=True)
class Moments(Sums):
    """Σ w z zᵀ, z = (1, x − pivot): `gram` of shape (1 + c, 1 + c), or (classes, 1 + c, 1 + c)."""

    gram: Array
    pivot: Array
    target: tuple[int, ...] | None = None  # shape of a row's target, where targets follow the features
    rows: int = 0  # that count, whatever they weigh

    @classmethod
    def of(cls, pivot: Array, block: Block) -> Self:
        """Of the features."""
        Z = augment(pivot, block.X, None, block.weight)
        return cls(Z.T @ Z, pivot, None, count_rows(block))

    @classmethod
    def joint(cls, pivot: Array, block: Block) -> Self:
        """Of the features followed by the targets."""
        Z = augment(pivot, block.X, block.y, block.weight)
        return cls(Z.T @ Z, pivot, block.y.shape[1:], count_rows(block))

    @classmethod
    def of_each(cls, pivot: Array, weights: Array, block: Block) -> list[Self]:
        """Of the features, under each of several weights."""
        return cls.with_grams(grams_of_each(augment(pivot, block.X), weights), pivot, None, weights)

    @classmethod
    def joint_each(cls, pivot: Array, weights: Array, block: Block) -> list[Self]:
        """Of the features followed by the targets, under each of several weights."""
        return cls.with_grams(grams_of_each(augment(pivot, block.X, block.y), weights), pivot, block.y.shape[1:], weights)

    @classmethod
    def with_grams(cls, grams: Array, pivot: Array, target: tuple[int, ...] | None, weights: Array) -> list[Self]:
        """A record for each matrix."""
        rows = np.count_nonzero(weights, axis=1).tolist()
        return [cls(gram, pivot, target, count) for gram, count in zip(grams, rows, strict=True)]

    @classmethod
    def by_class(cls, pivot: Array, classes: int, block: Block) -> Self:
        """Of the features, one matrix for each class; `block.y` holds class numbers."""
        assert block.y is not None
        Z = augment(pivot, block.X, None, block.weight)
        gram = np.zeros((classes, Z.shape[1], Z.shape[1]))
        for k in np.unique(block.y):
            gram[k] = (part := Z[block.y == k]).T @ part
        return cls(gram, pivot, None, count_rows(block))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Triangle):
            return self.triangle() + other
        if not isinstance(other, Moments):
            return NotImplemented
        if self.pivot is other.pivot or np.array_equal(self.pivot, other.pivot):
            return type(self)(self.gram + other.gram, self.pivot, self.target, self.rows + other.rows)
        weight = np.asarray(self.weight + other.weight)
        share = np.where(weight > 0, other.weight / np.where(weight > 0, weight, 1.0), 0.0)[..., None]
        delta = (other.pivot - self.pivot) + (other.offset - self.offset)  # of the means, without their common part
        between = (self.weight[..., None, None] * share[..., None]) * (delta[..., :, None] * delta[..., None, :])
        scatter = self.scatter + other.scatter + between  # (1)
        offset = self.offset + share * delta
        middle = offset if offset.ndim == 1 else offset.mean(axis=0)
        pivot = self.pivot + middle
        summary = type(self).from_summary(weight, offset - (pivot - self.pivot), scatter, pivot)
        return replace(summary, target=self.target, rows=self.rows + other.rows)

    def __iadd__(self, other: Any) -> Any:
        if self.pivot is not getattr(other, "pivot", None) or not isinstance(other, Moments):
            return self + other
        return type(self)(np.add(self.gram, other.gram, out=self.gram), self.pivot, self.target, self.rows + other.rows)

    def around(self, pivot: Array) -> Self:
        """The same rows around another pivot. Far from the data, digits of the scatter are lost."""
        if np.array_equal(self.pivot, pivot):
            return self
        shift = np.eye(len(pivot) + 1)
        shift[1:, 0] = self.pivot - pivot
        return replace(self, gram=shift @ self.gram @ shift.T, pivot=pivot)

    @classmethod
    def from_summary(cls, weight: Array, offset: Array, scatter: Array, pivot: Array) -> Self:
        """Back from weight, mean − pivot and scatter to a matrix around the pivot."""
        gram = np.empty((*scatter.shape[:-2], scatter.shape[-1] + 1, scatter.shape[-1] + 1))
        gram[..., 0, 0] = weight
        gram[..., 0, 1:] = gram[..., 1:, 0] = np.asarray(weight)[..., None] * offset
        gram[..., 1:, 1:] = scatter + np.asarray(weight)[..., None, None] * (offset[..., :, None] * offset[..., None, :])
        return cls(gram, pivot)

    @property
    def weight(self) -> Array:
        """Total weight n, of each class if there are classes."""
        return self.gram[..., 0, 0]

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.pivot) - int(self.target is not None and np.prod(self.target))

    @property
    def offset(self) -> Array:
        """mean − pivot; 0 where there is no weight."""
        return self.gram[..., 0, 1:] / np.where(self.weight > 0, self.weight, 1.0)[..., None]

    @property
    def mean(self) -> Array:
        """Mean of each column; the pivot where there is no weight."""
        return self.pivot + self.offset

    @property
    def scatter(self) -> Array:
        """Σ w (x − mean)(x − mean)ᵀ."""
        s = self.gram[..., 0, 1:]
        shift = self.offset[..., :, None] * s[..., None, :]
        return np.subtract(self.gram[..., 1:, 1:], shift, out=shift)

    def covariance(self, ddof: float = 0.0) -> Array:
        """scatter / (n − ddof)."""
        return self.scatter / (self.weight - ddof)[..., None, None]

    def within_scatter(self) -> Array:
        """Σ over classes of their scatter: the scatter within classes."""
        return self.scatter.sum(axis=0)

    def spectrum(self, k: int) -> tuple[Array, Array, float]:
        """The k largest eigenvalues of the scatter, their eigenvectors as rows, and the sum of all eigenvalues."""
        S = self.scatter
        d = len(S)
        few = None if 3 * k > d else [d - k, d - 1]
        values, vectors = linalg.eigh(S, subset_by_index=few, driver="evd" if few is None else "evr", check_finite=False)
        return values[::-1][:k], vectors.T[::-1][:k], float(np.trace(S))

    def triangle(self) -> Triangle:
        """A triangle with RᵀR = gram, columns brought to the same size on the way: the digits that squaring lost stay lost, but
        a large column takes none from a small one."""
        size = np.sqrt(np.diagonal(self.gram))
        size = np.where(size > 0, size, 1.0)
        values, vectors = linalg.eigh(self.gram / size / size[:, None])
        R = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * size
        return Triangle(triangular(R), self.pivot, self.target, self.rows, squared=True)


@dataclass(frozen=True)
class Triangle(Sums):
    """R of the rows √w·(1, x − pivot, y − pivot): RᵀR is `Moments.gram`, but κ(R) is only its square root.

    Two triangles add by rotating one into the other, [R₁; R₂] = Q·R. The first row of R holds weight and mean; what is
    below it is the triangle of the centred columns (or the centred rows, rotated, while they are fewer than the columns).
    """

    R: Array
    pivot: Array
    target: tuple[int, ...] | None = None  # shape of a row's target, where targets follow the features
    rows: int = 0  # that count, whatever they weigh
    squared: bool = False  # whether some of its rows come from moments, so that κ(R)² has taken its digits

    @classmethod
    def of(cls, pivot: Array, block: Block) -> Self:
        """Of the features."""
        rows = augment(pivot, block.X, None, block.weight)
        return cls(reduce_rows(rows, len(pivot)), pivot, None, count_rows(block))

    @classmethod
    def joint(cls, pivot: Array, block: Block) -> Self:
        """Of the features followed by the targets."""
        rows = augment(pivot, block.X, block.y, block.weight)
        return cls(reduce_rows(rows, block.X.shape[1]), pivot, block.y.shape[1:], count_rows(block))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Moments):
            return self + other.triangle()
        if not isinstance(other, Triangle):
            return NotImplemented
        R, squared = np.vstack([self.R, other.around(self.pivot).R]), self.squared or other.squared
        return Triangle(reduce_rows(R, self.columns), self.pivot, self.target, self.rows + other.rows, squared)

    def around(self, pivot: Array) -> Triangle:
        """The same rows around another pivot."""
        if self.pivot is pivot or np.array_equal(self.pivot, pivot):
            return self
        R = self.R.copy()
        R[:, 1:] += R[:, :1] * (self.pivot - pivot)
        return Triangle(R, pivot, self.target, self.rows, self.squared)

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.pivot) - int(self.target is not None and np.prod(self.target))

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.R[0, 0] ** 2)

    @property
    def mean(self) -> Array:
        """Mean of each column."""
        return self.pivot + self.R[0, 1:] / self.R[0, 0]

    def spectrum(self, k: int) -> tuple[Array, Array, float]:
        """As `Moments.spectrum`, by singular values: nothing is squared before the end."""
        _, singular, vectors = linalg.svd(self.R[1:, 1:], full_matrices=False, check_finite=False)
        values = np.zeros(k)
        values[: len(singular)] = singular[:k] ** 2
        if len(vectors) < k:  # directions in which nothing varies: any completion of the basis
            vectors = np.vstack([vectors, linalg.null_space(vectors).T])
        return values, vectors[:k], float((singular**2).sum())


# ---- rows of a block -------------------------------------------------------------------------------------------------


def augment(pivot: Array, X: Array, y: Array | None = None, weight: Array | None = None) -> Array:
    """The rows √w·(1, x − pivot), followed by y − its pivot where there is one, in this thread's scratch array."""
    n, d = X.shape
    Z = scratch(n, 1 + len(pivot))
    Z[:, 0] = 1.0
    np.subtract(X, pivot[:d], out=Z[:, 1 : 1 + d])
    if y is not None:
        np.subtract(y.reshape(n, -1), pivot[d:], out=Z[:, 1 + d :])
    if weight is not None:
        Z *= np.sqrt(weight)[:, None]
    return Z


def grams_of_each(Z: Array, weights: Array) -> Array:
    """Σ w z zᵀ under each of several weights: products of pairs of columns are made once for all, of some rows at a time."""
    left, right = np.triu_indices(Z.shape[1])
    totals, step = np.zeros((len(weights), len(left))), max(32, CELLS_OF_PRODUCTS // len(left))
    for start in range(0, len(Z), step):
        some = Z[start : start + step]
        totals += weights[:, start : start + step].astype(np.float64) @ (some[:, left] * some[:, right])
    grams = np.empty((len(weights), Z.shape[1], Z.shape[1]))
    grams[:, left, right] = grams[:, right, left] = totals
    return grams


def count_rows(block: Block) -> int:
    """Rows that count."""
    return len(block) if block.weight is None else int(np.count_nonzero(block.weight))


def triangular(rows: Array) -> Array:
    """R of rows = Q·R."""
    return np.asarray(np.linalg.qr(rows, mode="r"))


def reduce_rows(rows: Array, features: int) -> Array:
    """As few rows with the same RᵀR and nothing below the first entry of the first column: a triangle, or, where there are no
    more rows than features, the rows themselves after one reflection x ↦ x − u·(2uᵀx/uᵀu), u = first column ± its norm."""
    n = len(rows)
    if n > features:
        return triangular(rows)
    if n == 0:
        return rows.copy()
    u = rows[:, 0].copy()
    u[0] += np.copysign(np.linalg.norm(u), u[0])
    square = float(u @ u)
    if square == 0:
        return rows.copy()
    R = rows - np.outer(u * (2.0 / square), u @ rows)
    R[1:, 0] = 0.0
    return R
