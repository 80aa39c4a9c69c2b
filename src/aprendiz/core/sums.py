"""Statistics that add: frozen records of arrays with `+`.

Whatever a learner needs to know of its rows, it asks for as a sum over them, `rows.sum(statistic, *parameters)`. A
statistic is a function of parameters and a block that returns one of these records:

    Sums        arrays that add field by field; the base of all others, and of the learners' own
    Moments     Σ w z zᵀ with z = (1, x − pivot): weight, mean and scatter in one matrix, one for each class if asked
    Triangle    R with RᵀR = the same matrix, by orthogonal rotations: twice the digits, four times the work
    Spread      weight, mean and variance column by column, missing cells left out
    Extremes    smallest and largest known cell of each column
    Counts      contingency tables of any order; the one record that also subtracts
    Gradients   loss, gradient and curvature of an objective at the current parameters

Numerical rule: nothing is accumulated around zero. Moments are taken around a pivot inside the data; records that agreed
on their pivot add plainly, others by Chan's formula, which adds what is positive and subtracts nothing:

    S = S₁ + S₂ + (n₁n₂/n)·δδᵀ,   δ = m₂ − m₁,   m = m₁ + (n₂/n)·δ                                            (1)

Reference: Chan, Golub & LeVeque, "Algorithms for computing the sample variance", The American Statistician 37, 1983.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from scipy import linalg

from aprendiz.core.compiled import compiled
from aprendiz.core.engines.threads import ordered_map, scratch
from aprendiz.core.rows import Array, Block, Rows, fold


@dataclass(frozen=True)
class Sums:
    """Numbers and arrays that add field by field."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def finite(self) -> bool:
        """Has nothing overflowed?"""
        values = (getattr(self, f.name) for f in fields(self))
        return all(np.isfinite(value).all() for value in values if isinstance(value, (float, np.ndarray)))


# ---- moments ---------------------------------------------------------------------------------------------------------


def find_pivot(rows: Rows, *, target: bool = False) -> Array:
    """A point inside the data, column by column: the median of about a hundred rows of the first block."""
    some = rows.first(about_a_hundred_rows, target)
    known = np.isfinite(some)
    if known.all():
        return np.sort(some, axis=0)[len(some) // 2]
    return np.array([np.median(column[ok]) if ok.any() else 0.0 for column, ok in zip(some.T, known.T, strict=True)])


def about_a_hundred_rows(target: bool, block: Block) -> Array:
    """About a hundred rows of a block, their targets beside them if asked."""
    stride = max(1, len(block) // 100)
    some = block.X[::stride].astype(np.float64)
    return np.column_stack([some, block.y[::stride].astype(np.float64)]) if target else some


def augmented(pivot: Array, X: Array, y: Array | None = None, weight: Array | None = None) -> Array:
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


def counted(block: Block) -> int:
    """Rows that count."""
    return len(block) if block.weight is None else int(np.count_nonzero(block.weight))


def triangular(rows: Array) -> Array:
    """R of rows = Q·R."""
    return np.asarray(np.linalg.qr(rows, mode="r"))


def products_of_rows(Z: Array) -> Array:
    """Z Zᵀ, added up over runs of columns by several threads; the runs are the same for any number of them."""
    width = 1024
    if Z.shape[1] <= width:
        return np.asarray(Z @ Z.T)
    runs = (Z[:, start : start + width] for start in range(0, Z.shape[1], width))
    with closing(ordered_map(lambda part: part @ part.T, runs)) as parts:
        return fold(parts)


def times_columns(A: Array, Z: Array) -> Array:
    """A Z, runs of columns at a time by several threads."""
    width = 1024
    if Z.shape[1] <= width:
        return np.asarray(A @ Z)
    runs = (Z[:, start : start + width] for start in range(0, Z.shape[1], width))
    return np.concatenate(list(ordered_map(lambda part: A @ part, runs)), axis=1)


def reduced(rows: Array, features: int) -> Array:
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
        Z = augmented(pivot, block.X, None, block.weight)
        return cls(Z.T @ Z, pivot, None, counted(block))

    @classmethod
    def joint(cls, pivot: Array, block: Block) -> Self:
        """Of the features followed by the targets."""
        Z = augmented(pivot, block.X, block.y, block.weight)
        return cls(Z.T @ Z, pivot, block.y.shape[1:], counted(block))

    @classmethod
    def by_class(cls, pivot: Array, classes: int, block: Block) -> Self:
        """Of the features, one matrix for each class; `block.y` holds class numbers."""
        assert block.y is not None
        Z = augmented(pivot, block.X, None, block.weight)
        gram = np.zeros((classes, Z.shape[1], Z.shape[1]))
        for k in np.unique(block.y):
            gram[k] = (part := Z[block.y == k]).T @ part
        return cls(gram, pivot, None, counted(block))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Triangle):
            return self.triangle() + other
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

    def pooled(self) -> Array:
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
        return Triangle(triangular(R), self.pivot, self.target, self.rows)


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

    @classmethod
    def of(cls, pivot: Array, block: Block) -> Self:
        """Of the features."""
        rows = augmented(pivot, block.X, None, block.weight)
        return cls(reduced(rows, len(pivot)), pivot, None, counted(block))

    @classmethod
    def joint(cls, pivot: Array, block: Block) -> Self:
        """Of the features followed by the targets."""
        rows = augmented(pivot, block.X, block.y, block.weight)
        return cls(reduced(rows, block.X.shape[1]), pivot, block.y.shape[1:], counted(block))

    def __add__(self, other: Triangle | Moments) -> Triangle:
        if isinstance(other, Moments):
            return self + other.triangle()
        R = np.vstack([self.R, other.around(self.pivot).R])
        return Triangle(reduced(R, self.columns), self.pivot, self.target, self.rows + other.rows)

    def around(self, pivot: Array) -> Triangle:
        """The same rows around another pivot."""
        if self.pivot is pivot or np.array_equal(self.pivot, pivot):
            return self
        R = self.R.copy()
        R[:, 1:] += R[:, :1] * (self.pivot - pivot)
        return Triangle(R, pivot, self.target, self.rows)

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


@dataclass(frozen=True)
class Spread(Sums):
    """Column by column: weight of the known cells, Σ w (x − pivot), Σ w (x − pivot)², and rows seen."""

    weight: Array
    first: Array
    second: Array
    known: Array
    pivot: Array

    @classmethod
    def of(cls, pivot: Array, block: Block) -> Self:
        (n, d), w = block.X.shape, block.weight
        Z = np.subtract(block.X, pivot, out=scratch(n, d))
        if np.isfinite(Z.sum()):
            weight = np.full(d, float(n) if w is None else w.sum())
            first = Z.sum(axis=0) if w is None else w @ Z
            Z *= Z
            second = Z.sum(axis=0) if w is None else w @ Z
            return cls(weight, first, second, np.full(d, n), pivot)
        weight, first, second = np.zeros((3, d))
        known = np.zeros(d, np.int64)
        spread_of_known(block.X, block.weights, pivot, weight, first, second, known)
        return cls(weight, first, second, known, pivot)

    def __add__(self, other: Self) -> Self:
        if self.pivot is other.pivot or np.array_equal(self.pivot, other.pivot):
            first, second = self.first + other.first, self.second + other.second
            return type(self)(self.weight + other.weight, first, second, self.known + other.known, self.pivot)
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        delta = (other.pivot - self.pivot) + (other.offset - self.offset)  # of the means, without their common part
        scatter = self.scatter + other.scatter + self.weight * share * delta**2  # (1), each column alone
        offset = self.offset + share * delta
        pivot = self.pivot + offset
        first = weight * (offset - (pivot - self.pivot))
        second = scatter + np.divide(first**2, weight, out=np.zeros_like(weight), where=weight > 0)
        return type(self)(weight, first, second, self.known + other.known, pivot)

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.pivot)

    @property
    def offset(self) -> Array:
        """mean − pivot; 0 where no cell is known."""
        return np.divide(self.first, self.weight, out=np.zeros_like(self.first), where=self.weight > 0)

    @property
    def mean(self) -> Array:
        """Mean of the known cells; the pivot where there is none."""
        return self.pivot + self.offset

    @property
    def scatter(self) -> Array:
        """Σ w (x − mean)²."""
        shift = np.divide(self.first**2, self.weight, out=np.zeros_like(self.first), where=self.weight > 0)
        return np.maximum(self.second - shift, 0.0)

    @property
    def digits(self) -> Array:
        """Digits of each standard deviation that survive the distance between pivot and mean."""
        variance = np.divide(self.scatter, self.weight, out=np.zeros_like(self.first), where=self.weight > 0)
        ratio = np.divide(self.offset**2, variance, out=np.zeros_like(self.first), where=variance > 0)
        return 15.95 - np.log10(1.0 + ratio)


@dataclass(frozen=True)
class Extremes(Sums):
    """Smallest and largest known cell of each column (∞ and −∞ where there is none), rows and weight."""

    low: Array
    high: Array
    rows: int
    weight: float

    @classmethod
    def of(cls, block: Block) -> Self:
        X = block.X if block.weight is None else block.X[block.weight > 0]
        if not len(X):
            none = np.full(X.shape[1], np.inf)
            return cls(none, -none, 0, 0.0)
        low, high = X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
        if np.isnan(low).any():
            low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
            low, high = np.where(np.isnan(low), np.inf, low), np.where(np.isnan(high), -np.inf, high)
        return cls(low.astype(np.float64), high.astype(np.float64), len(X), float(block.weights.sum()))

    def __add__(self, other: Self) -> Self:
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return type(self)(low, high, self.rows + other.rows, self.weight + other.weight)

    @property
    def columns(self) -> int:
        """Number of features."""
        return len(self.low)

    @property
    def finite(self) -> bool:
        """Nothing is squared, so nothing overflows."""
        return True


@compiled
def spread_of_known(X: Array, w: Array, pivot: Array, weight: Array, first: Array, second: Array, known: Array) -> None:
    """Add weight, Σ w (x − pivot), Σ w (x − pivot)² and the number of the known cells of each column."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            z = X[i, j] - pivot[j]
            there = z == z
            z = z if there else 0.0
            weight[j] += w[i] if there else 0.0
            first[j] += w[i] * z
            second[j] += w[i] * z * z
            known[j] += there


# ---- counts, gradients -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts(Sums):
    """A contingency table: `table[i, j, …]` rows (or weight) with codes i, j, …"""

    table: Array

    @classmethod
    def of(cls, shape: tuple[int, ...], columns: tuple[int, ...], block: Block) -> Self:
        """Cross the given columns of codes; column −1 is the target."""
        return cls.cross(shape, *(block.y if j < 0 else block.X[:, j] for j in columns), weight=block.weight)

    @classmethod
    def cross(cls, shape: tuple[int, ...], *codes: Array, weight: Array | None = None) -> Self:
        """The table of some vectors of codes 0 … shape − 1: whole numbers, unless the rows have weights."""
        cell = np.ravel_multi_index(tuple(np.asarray(c).astype(np.intp) for c in codes), shape)
        return cls(np.bincount(cell, weight, minlength=int(np.prod(shape))).reshape(shape))

    def __sub__(self, other: Self) -> Self:
        """The rest of the rows. Whole numbers only: subtracting weights would lose digits to a heavy row."""
        if not (np.issubdtype(self.table.dtype, np.integer) and np.issubdtype(other.table.dtype, np.integer)):
            raise TypeError("Weighted counts are not subtracted (digits would be lost): add the other folds instead.")
        return type(self)(self.table - other.table)

    def marginal(self, *axes: int) -> Array:
        """The table of some of its variables."""
        return self.table.sum(axis=tuple(a for a in range(self.table.ndim) if a not in axes))


@dataclass(frozen=True)
class Gradients(Sums):
    """Loss, gradient and curvature (matrix of second derivatives, or a product with it) at the current parameters."""

    loss: float
    gradient: Array
    curvature: Array
