"""The principal components of some rows in the space of a kernel, and what is known of them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.kernels import Linear
from aprendiz.kernel.shared.kept_rows import dense, gram_of_training_rows
from aprendiz.kernel.solvers.centred_spectrum import by_features, centre, eigenpairs, upright, without_rounding
from aprendiz.kernel.solvers.conjugate_gradients import EPS
from aprendiz.kernel.solvers.primal_system import explicit_features
from aprendiz.kernel.solvers.ridge_equations import RidgeEquations
from aprendiz.kernel.solvers.tiles import multiply
from aprendiz.locale import _

SMALL_RESIDUAL, SMALL_ANGLE = 1e-8, 1e-9
SMALLEST = 1e-280  # a square that has all its digits
NEGATIVE = 1e-5  # of the largest eigenvalue, as in scikit-learn


@dataclass(frozen=True)
class PrincipalSpace:
    """Eigenvalues, descending, and eigenvectors as columns. In terms of features: those of the first row and the means less
    these, and the directions as columns; else the means of the rows of K, and None."""

    kernel: Kernel
    values: Array
    vectors: Array
    means: Array
    axes: Array | None
    method: str
    settled: bool
    certificate: Certificate

    @classmethod
    def of(
        cls, kernel: Kernel, X: Any, count: int | None, *, dense: bool, tolerance: float, steps: int | None, seed: int
    ) -> Self:
        """As many components as asked for, or as there are rows."""
        n = X.shape[0]
        ready, wanted = kernel.on(X), n if count is None else min(count, n)
        F = None if dense or sparse.issparse(X) else explicit_features(ready, X)
        if F is not None:
            with np.errstate(over="ignore", invalid="ignore"):
                squares = float((F**2).sum())
            if np.isfinite(squares):
                return cls.of_features(ready, F, wanted if count is not None else min(wanted, F.shape[1]))
        ready, P, K = gram_of_training_rows(kernel, X)
        with single_blas(float(n) * n):
            size = ready.largest_entry(P) if ready.psd else max(float(K.max()), -float(K.min()))
            means, _mean = centre(K)
        pairs = eigenpairs(K, wanted, dense=dense, tolerance=tolerance, steps=steps, seed=seed)
        values, vectors = without_rounding(pairs.values), upright(pairs.vectors)
        lost = np.inf if size < SMALLEST else (ready.entry_error(P, EPS) + 4 * EPS * size) * n
        warn_of_negative(pairs.values)
        with single_blas(float(n) * n):
            known = certificate(multiply(K, vectors) - vectors * values, values, vectors, float(np.trace(K)), lost)
        return cls(ready, values, vectors, means, None, pairs.method, pairs.settled, known)

    @classmethod
    def of_features(cls, kernel: Kernel, F: Array, count: int) -> Self:
        """From the centred features: less those of the first row, then less the means, so that an offset takes no digits."""
        moved = F - F[0]
        means = np.stack([F[0], moved.mean(axis=0)])
        inexact = moved if isinstance(kernel, Linear) else F  # products of columns are rounded before they are moved
        error = (getattr(kernel, "degree", 1) + 3) * EPS * float(np.linalg.norm(inexact))
        F = moved - means[1]
        pairs, axes = by_features(F, count)
        values, vectors = without_rounding(pairs.values), upright(pairs.vectors)
        signs = np.sign((vectors * pairs.vectors).sum(axis=0))[: axes.shape[1]]
        axes = np.column_stack(
            [axes * np.where(values[: len(signs)] > 0, signs, 0.0), np.zeros((len(axes), count - len(signs)))]
        )
        length = float(np.linalg.norm(F))
        lost = np.inf if moved.any() and length**2 < SMALLEST else 0.0  # squares that vanished
        lost += EPS * (sum(F.shape) + 4) * length**2 + 2.0 * error * (length + error)
        known = certificate(F @ (F.T @ vectors) - vectors * values, values, vectors, length**2, lost)
        return cls(kernel, values, vectors, means, axes, pairs.method, True, known)

    @staticmethod
    def features(kernel: Kernel, X: Any, means: Array) -> Array:
        """The centred features of new rows."""
        return (dense(explicit_features(kernel, X, always=True)) - means[0]) - means[1]

    def without_zeros(self) -> Self:
        """The components whose eigenvalue is above 0."""
        kept = self.values > 0
        axes = None if self.axes is None else self.axes[:, kept]
        return replace(self, values=self.values[kept], vectors=self.vectors[:, kept], axes=axes)


def warn_of_negative(values: Array) -> None:
    """An eigenvalue below 0 by more than rounding: the kernel is no inner product."""
    largest, smallest = float(values.max(initial=0.0)), float(values.min(initial=0.0))
    if smallest < -NEGATIVE * max(largest, -smallest):
        warnings.warn(
            _(
                "The centred Gram matrix has the negative eigenvalue {smallest:.3g} (the largest is {largest:.3g}), so the "
                "kernel is no inner product. Such components count as 0. Choose another kernel, or fewer components."
            ).format(smallest=smallest, largest=largest),
            UserWarning,
            stacklevel=6,
        )


def certificate(off: Array, values: Array, vectors: Array, total: float, lost: float) -> Certificate:
    """That ‖K_c v − λv‖ ≤ 10⁻⁸·λ₁ and |vᵀw − (v = w)| ≤ 10⁻⁹ for all eigenvectors v and w; λ₁ is the largest eigenvalue, and
    `lost` what the rounding of the kernel may change in K_c."""
    largest = float(values.max(initial=0.0))
    residual = float(np.linalg.norm(off, axis=0).max(initial=0.0))
    angle = float(np.abs(vectors.T @ vectors - np.eye(len(values))).max(initial=0.0))
    share = float(values.sum()) / total if total > 0 else 1.0
    return Certificate(
        "the components are eigenvectors of the centred Gram matrix, at right angles to each other",
        bool(residual + lost <= SMALL_RESIDUAL * largest and angle <= SMALL_ANGLE),
        {
            "residual": residual / largest if largest > 0 else residual,
            "rounding": lost / largest if largest > 0 else lost,
            "orthogonality": angle,
            "share": share,
        },
    )


def ridge_inverse(kernel: Kernel, T: Array, X: Any, alpha: float) -> Array:
    """(K(T, T) + αI)⁻¹X: the coefficients of kernel ridge regression from coordinates back to rows."""
    with single_blas(float(len(T)) ** 3):
        equations = RidgeEquations.of(kernel, T, np.asarray(dense(X), np.float64), None)
        return equations.solve(np.full(X.shape[1], alpha)).dual
