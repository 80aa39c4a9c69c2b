"""Some of the training rows as a basis: the kernel between other rows and them, and the features that follow.

    k(x) = (K(x, c_1), …, K(x, c_m)),     z(x) = R·k(x)                                                       (1)

with a symmetric matrix R. The kernel takes what it needs from the rows c_j alone, so that they are all there is to store. Of a
Gram matrix that was computed elsewhere, the basis is a set of columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.features.far_cells import refuse_far
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.symmetric import refuse_asymmetric
from aprendiz.kernel.kernels import Precomputed

TILE = 512  # rows whose kernel values stay in the cache of the processor


@dataclass(frozen=True)
class Basis:
    """Rows of a basis, as points of a kernel."""

    kernel: Kernel
    points: Any
    X: Any
    numbers: Array

    @classmethod
    def of(cls, kernel: Kernel, X: Any, numbers: Array, columns: int) -> Self:
        """The basis of rows X, which have these numbers in a table of so many columns."""
        if isinstance(kernel, Precomputed):
            return cls(kernel, kernel.training_points(columns).take(numbers), X, numbers)
        with np.errstate(over="ignore", invalid="ignore"):
            ready = kernel.on(X)
            return cls(ready, finite_points(ready.points(X), X), X, numbers)

    def gram(self) -> Array:
        """K between the rows of the basis."""
        if isinstance(self.kernel, Precomputed):
            K = self.gram_of(self.X, self.numbers)
            refuse_asymmetric(K, "the precomputed matrix")
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                K = gram_matrix(self.kernel, self.points)
        if not np.isfinite(K).all():
            refuse_far(self.X, "kernel values")
        return K

    def gram_of(self, X: Any, numbers: Array) -> Array:
        """K between other training rows, which have these numbers."""
        if isinstance(self.kernel, Precomputed):
            columns = self.kernel.training_points(self.points.columns).take(numbers)
            return self.kernel.block(self.kernel.points(X, self.points), columns)
        return gram_matrix(self.kernel, self.points_of(X))

    def values(self, X: Any) -> Array:
        """k(x) of some rows."""
        return self.kernel.block(self.points_of(X), self.points)

    def points_of(self, X: Any) -> Any:
        """Other rows as points of the kernel."""
        with np.errstate(over="ignore", invalid="ignore"):
            return finite_points(self.kernel.points(X, self.points), X)

    def rounding(self, X: Any) -> float:
        """A bound on the error of the values of the kernel of some rows, relative to the largest K(x, x)."""
        return float(self.kernel.rounding(self.points_of(X), float(np.finfo(float).eps)))

    def features(self, X: Any, root: Array, dtype: type) -> Array:
        """z(x) of some rows: (1), tile by tile."""
        Q, n = self.points_of(X), X.shape[0]
        found, step = np.empty((n, len(root)), dtype), TILE if self.kernel.in_tiles else max(n, 1)
        held = np.empty((min(step, n), len(root)))
        for at in range(0, n, step):
            rows = slice(at, min(at + step, n))
            with np.errstate(over="ignore", invalid="ignore"):
                K = self.kernel.block(Q.take(rows), self.points, held[: rows.stop - at])
            if not np.isfinite(K).all():
                refuse_far(X, "kernel values")
            if dtype is np.float64:
                np.matmul(K, root, out=found[rows])
            else:
                found[rows] = K @ root
        return found


def finite_points(P: Any, X: Any) -> Any:
    """Points whose squares are numbers."""
    if not np.isfinite(getattr(P, "squares", 0.0)).all():
        refuse_far(X, "squares")
    return P
