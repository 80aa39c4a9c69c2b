"""L-BFGS: a Newton step without the matrix, from the last few steps and the changes of the gradient along them.

With s = θ' − θ and y = g' − g of the last m steps (newest last), H⁻¹ is built up from a diagonal by

    H⁻¹ ← (I − ρ s yᵀ) H⁻¹ (I − ρ y sᵀ) + ρ s sᵀ,      ρ = 1/(yᵀs)                                             (1)

and H⁻¹g is computed by two loops over the pairs, in O(m·p), without ever forming it. What (1) starts from is a guess at H⁻¹,
scaled by the newest pair: a bound on the curvature of each parameter, with which columns of different scales are no trouble,
or, for K classes and few columns d, what H would be if the classes of a row did not depend on its columns,

    H ≈ A ⊗ G + αI,     A = Σ ω (diag p − p pᵀ),  G = Σ ω z zᵀ / Σ ω                                            (2)

whose inverse takes the eigenvectors of a K×K and a (d+1)×(d+1) matrix: then columns may depend on each other as they like.
With no pair but the newest, for the scale alone (`memory=0`), the step is that of gradient descent with the step size of
Barzilai and Borwein.

Reference: Nocedal & Wright, "Numerical optimization", 2nd ed., algorithm 7.4;
Barzilai & Borwein, IMA J. Numerical Analysis 8, 1988.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.summaries.moments import augment

REMEMBERED = 10  # pairs


def remember(pairs: Array, step: Array, change: Array) -> Array:
    """The pairs (of shape (m, 2, …)) with one more, if it curves upwards as a convex function must."""
    if not np.vdot(step, change) > 1e-14 * np.sqrt(np.vdot(step, step) * np.vdot(change, change)):
        return pairs
    return np.concatenate([pairs, np.stack([step, change])[None]])[-REMEMBERED:]


def quasi_newton_step(gradient: Array, pairs: Array, guess: Callable[[Array], Array], memory: int = REMEMBERED) -> Array:
    """H⁻¹g by the two loops of (1) over the newest pairs, starting from a guess at the product with H⁻¹."""
    q, weights = gradient.copy(), []
    recent = pairs[max(0, len(pairs) - memory) :]
    for s, y in recent[::-1]:
        curvature = np.vdot(s, y)
        weight = np.vdot(s, q) / curvature
        q -= weight * y
        weights.append((weight, curvature))
    q = guess(q)
    if len(pairs):
        s, y = pairs[-1]
        q *= np.vdot(s, y) / np.vdot(y, guess(y))
    for (s, y), (weight, curvature) in zip(recent, reversed(weights), strict=True):
        q += s * (weight - np.vdot(y, q) / curvature)
    return q


@dataclass(frozen=True)
class Products(Sums):
    """Σ ω z zᵀ, z = (1, x)."""

    second: Array

    @classmethod
    def of(cls, block: Block) -> Products:
        Z = augment(np.zeros(block.X.shape[1]), block.X)
        return cls(Z.T @ (Z * block.weights[:, None]) if block.weight is not None else Z.T @ Z)


@dataclass(frozen=True)
class ColumnCurvature:
    """G of (2) as eigenvalues and eigenvectors."""

    values: Array
    vectors: Array

    @classmethod
    def of(cls, G: Array, intercept: bool) -> ColumnCurvature:
        if not intercept:
            G = linalg.block_diag(1.0, G[1:, 1:])
        values, vectors = linalg.eigh(G, check_finite=False)
        return cls(np.maximum(values, 0.0), vectors)

    def with_classes(self, A: Array, alpha: float) -> Callable[[Array], Array]:
        """The product with the inverse of (2); directions without curvature are left alone."""
        values, vectors = linalg.eigh(A, check_finite=False)
        curvature = np.outer(np.maximum(values, 0.0), self.values) + alpha
        inverse = np.divide(1.0, curvature, out=np.zeros_like(curvature), where=curvature > 1e-12 * curvature.max())

        def guess(q: Array) -> Array:
            return np.asarray(vectors @ (inverse * (vectors.T @ q @ self.vectors)) @ self.vectors.T)

        return guess
