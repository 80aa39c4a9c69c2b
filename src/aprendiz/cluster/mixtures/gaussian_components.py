"""The Gaussians of a mixture, the sums that a pass takes over the rows, and what the sums make of the Gaussians.

k components with weights π, means μ and covariances Σ. Of each row, the responsibilities and the log density

    r_k = π_k N(x; μ_k, Σ_k) / p(x),      ln p(x) = ln Σ_k π_k N(x; μ_k, Σ_k)                                  (1)

and over all rows, with weights w, the sums around the present means

    n_k = Σ w r_k,     s_k = Σ w r_k (x − μ_k),     S_k = Σ w r_k (x − μ_k)(x − μ_k)ᵀ,     ℓ = Σ w ln p(x)       (2)

from which the new parameters follow, whatever the offset of the columns, without the loss of a digit:

    π_k = n_k / Σ n,     μ_k ← μ_k + δ_k,     δ_k = s_k / n_k                                                   (3)
    full       Σ_k = S_k/n_k − δ_k δ_kᵀ + εI                tied    Σ = Σ_k (S_k − n_k δ_k δ_kᵀ)/Σ n + εI       (4)
    diag       the diagonals of the full ones            spherical  the means of these diagonals                 (5)

with ε = reg_covar. Full and tied: y = L⁻¹(x − μ) of all components is one product, and (2) is Σ w r (1, y)(1, y)ᵀ, another,
on runs of rows that stay in the cache. Diagonal and spherical: two loops. Missing cells are integrated out, by patterns
(missing_patterns.py) or, where columns are independent, cell by cell.

Cost: O(n·k·d²) a pass for full and tied, O(n·k·d) for diagonal and spherical.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self

import numpy as np
from scipy import linalg

from aprendiz.cluster.mixtures.missing_patterns import LOG_2_PI, KnownPart, inverse_triangles, patterns
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.core.threads import scratch

Kind = Literal["full", "tied", "diag", "spherical"]
RUN = 2**16  # numbers y of a run of rows: half a megabyte


@dataclass(frozen=True)
class MixtureSums(Sums):
    """(2): n, s, S (its diagonal where only that is needed) and ℓ."""

    weight: Array
    shift: Array
    scatter: Array
    log_likelihood: float


@dataclass(frozen=True)
class GaussianComponents:
    """Weights, means and covariances, the last of the shape that `kind` asks for."""

    weights: Array
    means: Array
    covariances: Array
    kind: Kind

    @property
    def correlated(self) -> bool:
        """Has a component more than variances?"""
        return self.kind in ("full", "tied")

    @cached_property
    def spread(self) -> Array:
        """The covariances of all components (k, d, d), or their variances (k, d)."""
        k, d = self.means.shape
        shapes = {"full": (k, d, d), "tied": (k, d, d), "diag": (k, d), "spherical": (k, d)}
        wide = self.covariances[:, None] if self.kind == "spherical" else self.covariances
        return np.ascontiguousarray(np.broadcast_to(wide, shapes[self.kind]))

    @cached_property
    def triangles(self) -> Array:
        """L with L Lᵀ = Σ, of full and tied covariances, one for each of them."""
        tables = self.covariances.reshape(-1, *self.covariances.shape[-2:])
        return np.stack([triangle(table, self.owner(j)) for j, table in enumerate(tables)])

    def owner(self, j: int) -> str:
        """Whose covariance it is, in words."""
        return "The common covariance" if self.kind == "tied" else f"Component {j} (weight {self.weights[j]:.3g})"

    @cached_property
    def precision_triangles(self) -> Array:
        """P with P Pᵀ = Σ⁻¹ in the shape of the covariances; standard deviations' inverses where there are only variances."""
        if not self.correlated:
            return np.asarray(1.0 / np.sqrt(self.covariances))
        return np.swapaxes(inverse_triangles(self.triangles), -1, -2).reshape(self.covariances.shape)

    @property
    def precisions(self) -> Array:
        """Σ⁻¹ in the shape of the covariances."""
        P = self.precision_triangles
        return np.asarray(P @ np.swapaxes(P, -1, -2) if self.correlated else P**2)

    @property
    def traces(self) -> Array:
        """tr Σ_k⁻¹ of each component."""
        k, d = self.means.shape
        P = self.precision_triangles
        squares = P**2 * d if self.kind == "spherical" else (P**2).reshape(*P.shape[: P.ndim - self.correlated - 1], -1).sum(-1)
        return np.broadcast_to(squares, (k,))

    @property
    def column_variances(self) -> Array:
        """The variance of each column of rows of all components together: Σ_k π_k [σ²_kj + (μ_kj − μ_j)²]."""
        within = np.diagonal(self.spread, axis1=1, axis2=2) if self.correlated else self.spread
        return np.asarray(self.weights @ (within + (self.means - self.pivot) ** 2))

    @cached_property
    def pivot(self) -> Array:
        """A point among the means, around which rows are taken."""
        return np.asarray(self.weights @ self.means)

    @cached_property
    def log_weights(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.weights)

    @cached_property
    def all_known(self) -> KnownPart:
        """How rows without missing cells are seen."""
        L = np.broadcast_to(self.triangles, (*self.means.shape, self.means.shape[1]))
        return KnownPart.all_cells(self.log_weights, self.means - self.pivot, self.pivot, L)

    def known_part(self, known: Array) -> KnownPart:
        """How rows with these known cells are seen."""
        if known.all():
            return self.all_known
        return KnownPart.marginal(self.log_weights, self.means - self.pivot, self.pivot, self.spread, known)

    @cached_property
    def variance_front(self) -> Array:
        """−½ ln 2πσ² of each component and column, where columns are independent."""
        refuse_flat(self)
        return np.asarray(-0.5 * (np.log(self.spread) + LOG_2_PI))

    def ready(self) -> Self:
        """The same components, with what all blocks need computed; a refusal where one has collapsed."""
        _ = self.all_known if self.correlated else self.variance_front
        return self

    # ---- the new parameters ------------------------------------------------------------------------------------------

    def m_step(self, sums: MixtureSums, floor: float, *, equal: bool = False, fixed: bool = False) -> Self:
        """(3) to (5). A component without rows stays where it is, with weight 0. `equal` weights and `fixed` covariances
        do not change."""
        taken = sums.weight > 0
        n = np.where(taken, sums.weight, 1.0)
        step = sums.shift / n[:, None]
        weights = self.weights if equal else sums.weight / sums.weight.sum()
        moved = replace(self, weights=weights, means=self.means + step)
        return moved if fixed else replace(moved, covariances=self.covariances_of(sums, n, step, taken, floor))

    def covariances_of(self, sums: MixtureSums, n: Array, step: Array, taken: Array, floor: float) -> Array:
        """(4) and (5)."""
        k, d = step.shape
        square = step[:, :, None] * step[:, None, :] if self.correlated else step**2
        flat = n.reshape(k, *(1,) * (sums.scatter.ndim - 1))
        if self.kind == "tied":
            total = (sums.scatter - sums.weight[:, None, None] * square).sum(axis=0) / sums.weight.sum()
            return np.asarray((total + total.T) / 2 + floor * np.eye(d))
        found = sums.scatter / flat - square
        if self.kind == "full":
            found = (found + found.transpose(0, 2, 1)) / 2 + floor * np.eye(d)
        else:
            found = np.maximum(found, 0.0) + floor
        if self.kind == "spherical":
            found = found.mean(axis=1)
        return np.where(taken.reshape(k, *(1,) * (found.ndim - 1)), found, self.covariances)


def parameter_count(kind: Kind, k: int, d: int, *, equal: bool = False, fixed: bool = False) -> int:
    """Numbers that can be chosen freely: weights, means and covariances."""
    sizes = {"full": k * d * (d + 1) // 2, "tied": d * (d + 1) // 2, "diag": k * d, "spherical": k}
    return k * d + (0 if equal else k - 1) + (0 if fixed else sizes[kind])


# ---- refusals --------------------------------------------------------------------------------------------------------


def triangle(table: Array, owner: str) -> Array:
    """L of a covariance, tried in units of its own deviations; or a refusal that names the column without variance."""
    units = np.sqrt(np.maximum(table.diagonal(), 0.0))
    flat = np.flatnonzero(~(units > 0))
    if not len(flat):
        L, info = linalg.lapack.dpotrf(table / np.outer(units, units), lower=1, clean=1)
        reached = L.diagonal()[: info - 1 if info else None]
        flat = np.flatnonzero(reached**2 <= 8 * len(table) * np.finfo(float).eps)
        if not info and not len(flat):
            return np.asarray(units[:, None] * L)
        flat = flat if len(flat) else np.array([info - 1])
    raise ValueError(collapse_message(owner, int(flat[0])))


def refuse_flat(components: GaussianComponents) -> None:
    """A component of weight above 0 without variance in a column."""
    if not (bad := ~(components.spread > 0)).any():
        return
    j, column = (int(i) for i in np.argwhere(bad)[0])
    raise ValueError(collapse_message(components.owner(j), column))


def collapse_message(owner: str, column: int) -> str:
    return (
        f"{owner} has collapsed: its rows do not vary in column {column}, or only as the columns before it. "
        "Raise reg_covar, use fewer components, or scale the column."
    )


# ---- statistics ------------------------------------------------------------------------------------------------------


def mixture_sums(components: GaussianComponents, block: Block) -> MixtureSums:
    """(2) for a block."""
    X, w = block.X, block.weights
    if not components.correlated:
        return independent_sums(components, X, w)
    if is_complete(X):
        return MixtureSums(*sums_of_part(components.all_known, X, w))
    k, d = components.means.shape
    total = MixtureSums(np.zeros(k), np.zeros((k, d)), np.zeros((k, d, d)), 0.0)
    for rows, known in patterns(X):
        total += MixtureSums(*sums_of_part(components.known_part(known), X[rows][:, known], w[rows]))
    return total


def is_complete(X: Array) -> bool:
    """Is no cell missing?"""
    return not np.isnan(np.add.reduce(X, axis=None)) or not np.isnan(X).any()


def sums_of_part(part: KnownPart, X: Array, w: Array) -> tuple[Array, Array, Array, float]:
    """(2) for rows that know the same cells: Σ w r (1, y)(1, y)ᵀ, lifted to all columns."""
    gram, total = np.zeros(part.maps.shape), 0.0
    for run in runs(len(X), part.front.size * part.maps.shape[1]):
        Y, logs = coordinates(part, X[run])
        density, share = responsibilities(logs)
        total += float(density @ w[run])
        share *= w[run]
        Y *= np.sqrt(share, out=share)[:, None, :]
        gram += Y @ Y.transpose(0, 2, 1)
    return *part.complete_sums(gram), total


def runs(rows: int, numbers: int) -> list[slice]:
    """Rows in runs that stay in the cache, if each row takes so many numbers."""
    size = max(64, RUN // numbers // 64 * 64)
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]


def coordinates(part: KnownPart, X: Array) -> tuple[Array, Array]:
    """(1, y) of each component (k, 1 + p, rows), in this thread's scratch array, and ln π N(x) (k, rows)."""
    k, p, n = *part.maps.shape[:2], len(X)
    Z = np.empty((p, n))
    Z[0] = 1.0
    np.subtract(X.T, part.pivot[:, None], out=Z[1:])
    Y = np.matmul(part.maps.reshape(k * p, p), Z, out=scratch(k * p, n)).reshape(k, p, n)
    logs = np.empty((k, n))
    log_densities(Y, part.front, logs)
    return Y, logs


def responsibilities(logs: Array) -> tuple[Array, Array]:
    """(1): ln p(x) of each row, and the responsibilities in place of `logs`. Where no component reaches, they share alike."""
    top = logs.max(axis=0)
    if np.isneginf(top).any():
        logs[:, np.isneginf(top)] = 0.0
    logs -= np.where(np.isneginf(top), 0.0, top)
    np.exp(logs, out=logs)
    total = logs.sum(axis=0)
    logs /= total
    return top + np.log(total), logs


def independent_sums(components: GaussianComponents, X: Array, w: Array) -> MixtureSums:
    """(2) where columns are independent: a missing cell has the mean 0 and the variance of its column."""
    k, d = components.means.shape
    scale = np.sqrt(components.spread)
    weight, shift, scatter, total = np.zeros(k), np.zeros((k, d)), np.zeros((k, d)), 0.0
    for run in runs(len(X), 2 * d):
        Z, logs = independent_logs(components, X[run])
        density, share = responsibilities(logs)
        total += float(density @ w[run])
        share *= w[run]
        weight += share.sum(axis=1)
        independent_moments(Z, components.means - components.pivot, 1.0 / scale, share, shift, scatter)
    return MixtureSums(weight, shift * scale, scatter * components.spread, total)


def independent_logs(components: GaussianComponents, X: Array) -> tuple[Array, Array]:
    """The rows around the pivot, as columns, and ln π N(x) (k, rows)."""
    Z = np.empty(X.shape[::-1])
    np.subtract(X.T, components.pivot[:, None], out=Z)
    logs = np.empty((len(components.means), len(X)))
    logs[:] = components.log_weights[:, None]
    offsets, scale = components.means - components.pivot, 1.0 / np.sqrt(components.spread)
    add_independent_logs(Z, offsets, scale, components.variance_front, logs)
    return Z, logs


def log_joint(components: GaussianComponents, block: Block) -> Array:
    """ln π_k N(x; μ_k, Σ_k) of each row and component."""
    X = block.X
    found = np.empty((len(X), len(components.means)))
    if components.correlated and not is_complete(X):
        for rows, known in patterns(X):
            found[rows] = part_logs(components.known_part(known), X[rows][:, known])
        return found
    if components.correlated:
        return part_logs(components.all_known, X)
    for run in runs(len(X), 2 * X.shape[1]):
        found[run] = independent_logs(components, X[run])[1].T
    return found


def part_logs(part: KnownPart, X: Array) -> Array:
    found = np.empty((len(X), part.front.size))
    for run in runs(len(X), part.front.size * part.maps.shape[1]):
        found[run] = coordinates(part, X[run])[1].T
    return found


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def log_densities(Y: Array, front: Array, out: Array) -> None:
    """out[k, i] = front[k] − ‖y‖²/2 of row i in the coordinates of component k."""
    k, p, n = Y.shape
    for c in range(k):
        for i in range(n):
            out[c, i] = front[c]
        for j in range(1, p):
            for i in range(n):
                out[c, i] -= 0.5 * Y[c, j, i] * Y[c, j, i]


@compiled
def add_independent_logs(Z: Array, offsets: Array, scale: Array, front: Array, out: Array) -> None:
    """out[k, i] += Σ over the known cells of front − ((z − offset)·scale)²/2."""
    d, n = Z.shape
    for c in range(out.shape[0]):
        for j in range(d):
            middle, unit, constant = offsets[c, j], scale[c, j], front[c, j]
            for i in range(n):
                y = (Z[j, i] - middle) * unit
                out[c, i] += constant - 0.5 * y * y if y == y else 0.0


@compiled
def independent_moments(Z: Array, offsets: Array, scale: Array, share: Array, first: Array, second: Array) -> None:
    """Add Σ r y and Σ r y² of each component and column, y = (z − offset)·scale; a missing cell counts as y = 0, y² = 1."""
    d, n = Z.shape
    for c in range(share.shape[0]):
        for j in range(d):
            middle, unit = offsets[c, j], scale[c, j]
            one, two = 0.0, 0.0
            for i in range(n):
                y = (Z[j, i] - middle) * unit
                there = y == y
                y = y if there else 0.0
                one += share[c, i] * y
                two += share[c, i] * (y * y if there else 1.0)
            first[c, j] += one
            second[c, j] += two
