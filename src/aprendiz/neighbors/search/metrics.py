"""The metrics by name, and how a search computes with them.

    euclidean    √Σ δ²          l2                     minkowski     (Σ w |δ|ᵖ)^(1/p)
    sqeuclidean  Σ δ²                                  seuclidean    √Σ δ²/V                                   (1)
    manhattan    Σ |δ|          l1, cityblock          mahalanobis   √δᵀ V⁻¹ δ
    chebyshev    max |δ|        infinity               cosine        1 − xᵀq / ‖x‖‖q‖
    hamming      share of the columns with δ ≠ 0       haversine     2·arcsin(½‖x − q‖) on the unit sphere

with δ = x − q. A search works with five kinds of sums, in the codes below, on coordinates in which (1) is one of them:

    weighted columns     w^(1/p)·x            one by one
    Mahalanobis          L⁻¹(x − pivot)       V = L Lᵀ (or V⁻¹ = L Lᵀ and Lᵀ(x − pivot)), then Euclidean           (2)
    cosine               u = x / ‖x‖          1 − uᵀv = ½‖u − v‖², without cancellation for nearly equal directions
    haversine            (cos φ cos λ, cos φ sin λ, sin φ) of latitude φ and longitude λ in radians: the chord ‖x − q‖ and
                         the arc grow together, and a tree of points in space serves the sphere

The pivot, a row inside the data, keeps the digits of (2) at any offset. A row of zeros has no direction: it is at distance 1
from all others and 0 from its like (an extra column tells them apart). Sums run over the columns in their order, in double
precision without rearrangement, in every search: all of them give the same bits, and find the same ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cholesky, eigh, solve_triangular

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

SQUARES, ABSOLUTES, LARGEST, POWERS, DIFFERENT = range(5)  # Σ δ², Σ |δ|, max |δ|, Σ |δ|ᵖ, the number of δ ≠ 0

SAME = {"l2": "euclidean", "l1": "manhattan", "cityblock": "manhattan", "infinity": "chebyshev", "p": "minkowski"}
CODES = {
    "euclidean": SQUARES,
    "sqeuclidean": SQUARES,
    "manhattan": ABSOLUTES,
    "chebyshev": LARGEST,
    "minkowski": POWERS,
    "seuclidean": SQUARES,
    "mahalanobis": SQUARES,
    "cosine": SQUARES,
    "hamming": DIFFERENT,
    "haversine": SQUARES,
}
NO_SIZE = 1e-10  # of the largest eigenvalue: one of this size is a rounding of 0
POWER = 1000  # numbers lie between 2 to this power and its inverse
DIGITS = 10  # binary ones of a difference that its p-th power must show
NAMES = (*CODES, *SAME, "gower")
LARGEST_ROOT = 1e100  # of columns to the power 1/p, beyond which distances leave the range of numbers
PARAMETERS = {"minkowski": ("p", "w"), "seuclidean": ("V",), "mahalanobis": ("V", "VI")}

Function = Callable[[Array, Array], float]


@dataclass(frozen=True)
class NeighborMetric:
    """A metric of (1): the kind of its sum, and the way from rows to coordinates and from sums to distances."""

    name: str
    code: int
    p: float = 2.0
    pivot: Array | None = None
    factor: Array | None = None  # one for each column, or a matrix

    def coordinates(self, X: Array) -> Array:
        """(2): the rows as the search compares them, C-contiguous."""
        if self.name == "cosine":
            return directions(np.ascontiguousarray(X))
        if self.name == "haversine":
            return on_the_sphere(np.asarray(X, np.float64))
        if self.factor is None:
            return np.ascontiguousarray(X)
        if self.pivot is None:
            return np.ascontiguousarray(X * self.factor, dtype=np.float64)
        return scale_rows(np.ascontiguousarray(X), self.pivot, self.factor)

    def distances(self, sums: Array, columns: int) -> Array:
        """The distances (1) of sums."""
        if self.name == "cosine":
            return 0.5 * sums
        if self.name == "haversine":
            return np.asarray(2.0 * np.arcsin(np.minimum(0.5 * np.sqrt(sums), 1.0)))
        if self.code == SQUARES and self.name != "sqeuclidean":
            return np.asarray(np.sqrt(sums))
        if self.code == POWERS:
            return np.asarray(sums ** (1 / self.p))
        return sums / columns if self.code == DIFFERENT else sums

    def limit(self, radius: float, columns: int) -> float:
        """The largest sum whose distance is not above a radius."""

        def inside(total: float) -> bool:
            return bool(self.distances(np.float64(total), columns) <= radius)  # type: ignore[arg-type]  # of one sum

        if self.code == DIFFERENT:  # a whole number
            return float(max(count for count in range(columns + 1) if count / columns <= radius))
        total = self.guess(radius)
        if inside(math.inf):
            return math.inf
        low, high = 0.0, math.inf  # inside, and not: numbers of a sign are in the order of their bits
        for near in (total, math.nextafter(total, 0.0), math.nextafter(total, math.inf)):
            low, high = (max(low, near), high) if inside(near) else (low, min(high, near))
        below, above = (int(np.float64(bound).view(np.int64)) for bound in (low, high))
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if inside(float(np.int64(middle).view(np.float64))) else (below, middle)
        return float(np.int64(below).view(np.float64))

    def distance_of_sum(self, columns: int) -> tuple[float, float]:
        """(scale, root) of the distance scale·sumʳᵒᵒᵗ, for kernels; the root 0 says that it is an arc."""
        if self.name == "haversine":
            return 1.0, 0.0
        if self.code == SQUARES and self.name not in ("sqeuclidean", "cosine"):
            return 1.0, 0.5
        scale = 0.5 if self.name == "cosine" else 1.0 / columns if self.code == DIFFERENT else 1.0
        return scale, 1.0 / self.p if self.code == POWERS else 1.0

    def guess(self, radius: float) -> float:
        """The sum of a radius, up to rounding."""
        if self.name == "cosine":
            return 2 * radius
        if self.name == "haversine":
            return 4 * math.sin(0.5 * min(radius, math.pi)) ** 2
        if self.code == POWERS:
            with np.errstate(over="ignore"):
                return float(np.float64(radius) ** self.p)
        return radius * radius if self.code == SQUARES and self.name != "sqeuclidean" else radius


def metric_of(X: Array, metric: str, p: float = 2, parameters: Mapping[str, Any] | None = None) -> NeighborMetric:
    """The metric of a name, for these rows: what it does not get as a parameter, it takes from them."""
    name, given = canonical_name(metric), dict(parameters or {})
    if unknown := [one for one in given if one not in PARAMETERS.get(name, ())]:
        allowed = ", ".join(PARAMETERS.get(name, ())) or "none"
        raise ValueError(f"metric_params: the metric {name!r} has no parameter {unknown[0]!r}; it has: {allowed}.")
    if name == "minkowski":
        found = minkowski(given.get("p", p), given.get("w"), X.shape[1])
        refuse_power(found, X)
        return found
    if name == "seuclidean":
        return standardised_euclidean(X, given.get("V"))
    if name == "mahalanobis":
        return mahalanobis(X, given.get("V"), given.get("VI"))
    if name == "haversine" and X.shape[1] != 2:
        raise ValueError(
            "Haversine distance only valid in 2 dimensions: give latitude and longitude in radians as the two columns of X, "
            f"which has {X.shape[1]}."
        )
    return NeighborMetric(name, CODES[name])


def canonical_name(metric: str, others: tuple[str, ...] = ()) -> str:
    """The name under which a metric stands in (1); a refusal lists other names too that would do."""
    name = SAME.get(metric, metric)
    if name not in CODES:
        known = ", ".join(sorted({*NAMES, *others}))
        raise ValueError(f"metric must be a function of two rows or one of {known}; got {metric!r}.")
    return name


def minkowski(p: float, w: Any, columns: int) -> NeighborMetric:
    """Minkowski's distance; for p = 1, 2 and ∞ by its simpler names, which cost less. From 2⁶⁰ on the root of a sum is its
    largest term, to the last digit."""
    if not p > 0:
        raise ValueError(f"p must be above 0, got {p}.")
    if p < (smallest := max(0.01, math.log(columns) / math.log(LARGEST_ROOT))):
        raise ValueError(
            f"p = {p} is too small: with {columns} columns the root of the sum is no number; use {smallest:.2g} or more."
        )
    special = {
        1: NeighborMetric("manhattan", ABSOLUTES),
        2: NeighborMetric("euclidean", SQUARES),
        math.inf: NeighborMetric("chebyshev", LARGEST),
    }
    base = special[math.inf] if p >= 2**60 else special.get(p, NeighborMetric("minkowski", POWERS, float(p)))
    if w is None:
        return base
    if p == math.inf:
        raise ValueError("metric_params: weights w have no meaning for p = inf; scale the columns instead.")
    weights = per_column(w, columns, "w")
    if (bad := np.flatnonzero(~(weights >= 0))).size:
        raise ValueError(f"metric_params: w[{bad[0]}] is {weights[bad[0]]}; weights must be at least 0.")
    return NeighborMetric(base.name, base.code, base.p, factor=weights ** (1 / p))


def refuse_power(metric: NeighborMetric, X: Any) -> None:
    """Stop where p-th powers of the differences between rows, down to a thousandth of the largest, are not all numbers."""
    if metric.code != POWERS or not isinstance(X, np.ndarray) or not len(X):
        return
    with np.errstate(over="ignore"):
        spread = (X.max(axis=0).astype(np.float64) - X.min(axis=0)) * (1.0 if metric.factor is None else metric.factor)
    largest = float(spread.max(initial=0.0))
    if largest == 0.0:
        return
    power = math.log2(largest) if largest < math.inf else math.inf
    if metric.p * power + math.log2(X.shape[1]) > POWER or metric.p * (power - DIGITS) < -POWER:
        raise ValueError(
            f"p={metric.p:g}: powers of the differences between rows, the largest of which is {largest:.3g}, leave the range "
            "of numbers. Use a smaller p, or metric='chebyshev', the limit for large p; or scale the columns."
        )


def standardised_euclidean(X: Array, V: Any) -> NeighborMetric:
    """Euclidean distance after division by the standard deviations, those of X unless given."""
    if V is None:
        centred = np.asarray(X, np.float64) - X[0]
        V = np.var(centred, axis=0, ddof=1) if len(X) > 1 else np.ones(X.shape[1])
    variances = per_column(V, X.shape[1], "V")
    if (bad := np.flatnonzero(~(variances > 0))).size:
        raise ValueError(
            f"seuclidean: the variance of column {bad[0]} is {variances[bad[0]]}; leave the column out, or give V."
        )
    return NeighborMetric("seuclidean", SQUARES, pivot=np.asarray(X[0], np.float64), factor=np.diag(1 / np.sqrt(variances)))


def per_column(values: Any, columns: int, name: str) -> Array:
    found = np.asarray(values, np.float64)
    if found.shape != (columns,):
        raise ValueError(f"metric_params: {name} must have one number for each of the {columns} columns, got {found.shape}.")
    return found


def mahalanobis(X: Array, V: Any, VI: Any) -> NeighborMetric:
    """(2) from a covariance matrix, from its inverse, or from the covariance of the rows."""
    if V is not None and VI is not None:
        raise ValueError("metric_params: give V, the covariance matrix, or VI, its inverse; not both.")
    columns = X.shape[1]
    given = "VI" if VI is not None else "V"
    matrix = VI if VI is not None else V if V is not None else covariance(X)
    square = np.asarray(matrix, np.float64)
    if square.shape != (columns, columns):
        raise ValueError(f"metric_params: {given} must be {columns} × {columns}, one row for each column; got {square.shape}.")
    if not np.allclose(square, square.T, rtol=1e-8, atol=0):
        raise ValueError(f"metric_params: {given} must be symmetric.")
    try:
        lower = cholesky(square, lower=True)
    except LinAlgError:
        if VI is not None and (root := square_root(square)) is not None:
            return NeighborMetric("mahalanobis", SQUARES, pivot=np.asarray(X[0], np.float64), factor=root)
        raise ValueError(
            f"mahalanobis: {given} is not positive {'semi-' if VI is not None else ''}definite, so there is no distance; "
            "leave out columns that follow from others, or give V."
        ) from None
    factor = lower if VI is not None else solve_triangular(lower, np.eye(columns), lower=True).T
    return NeighborMetric("mahalanobis", SQUARES, pivot=np.asarray(X[0], np.float64), factor=np.ascontiguousarray(factor))


def square_root(matrix: Array) -> Array | None:
    """L of L Lᵀ for a matrix without a negative eigenvalue: rows that differ may then be at distance 0."""
    values, vectors = eigh(matrix)
    if not values[0] >= -NO_SIZE * values[-1]:
        return None
    return np.ascontiguousarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def covariance(X: Array) -> Array:
    if len(X) < 2:
        raise ValueError("mahalanobis: the covariance of a single row is not defined; give V.")
    return np.atleast_2d(np.cov(np.asarray(X, np.float64) - X[0], rowvar=False))


def on_the_sphere(X: Array) -> Array:
    """Latitude and longitude in radians as points in space."""
    latitude, longitude = X[:, 0], X[:, 1]
    circle = np.cos(latitude)
    return np.stack([circle * np.cos(longitude), circle * np.sin(longitude), np.sin(latitude)], axis=1)


# ---- kernels: a row gives the same bits whatever stands beside it ------------------------------------------------------


@compiled(exact=True)
def scale_rows(X: Array, pivot: Array, factor: Array) -> Array:
    """(x − pivot) · factor."""
    n, d = X.shape
    out = np.zeros((n, factor.shape[1]))
    for i in range(n):
        for t in range(d):
            u = X[i, t] - pivot[t]
            for j in range(factor.shape[1]):
                out[i, j] += u * factor[t, j]
    return out


@compiled(exact=True)
def directions(X: Array) -> Array:
    """x / ‖x‖ and 0; zeros and 1 where x = 0. Divided by its largest cell first: squares neither overflow nor vanish."""
    n, d = X.shape
    out = np.zeros((n, d + 1))
    for i in range(n):
        largest, total = 0.0, 0.0
        for t in range(d):
            largest = max(largest, abs(np.float64(X[i, t])))
        if largest == 0.0:
            out[i, d] = 1.0
            continue
        for t in range(d):
            u = X[i, t] / largest
            total += u * u
        size = np.sqrt(total)
        for t in range(d):
            out[i, t] = X[i, t] / largest / size
    return out
