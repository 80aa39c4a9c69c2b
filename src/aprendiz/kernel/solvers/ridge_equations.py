"""The equations of kernel ridge regression, primal or dual, and what is known of their solution.

With weights ω the rows are multiplied by √ω: (√ωK√ω + αI) u = √ωy, a = √ωu. Rows of weight 0 are left out, a = 0.

    ‖u − u*‖ ≤ ‖r‖/α                  if K is positive semi-definite, u* the exact solution, r the residual       (1)
    [(K + αI)⁻¹]_ii                   as the squared length of a column of L⁻¹                                    (2)
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.shared.kept_rows import gram_of_training_rows
from aprendiz.kernel.solvers.conjugate_gradients import EPS
from aprendiz.kernel.solvers.primal_system import explicit_features, solve_primal
from aprendiz.kernel.solvers.shifted_systems import GOOD, inverse_diagonal, solve_shifted
from aprendiz.kernel.solvers.tiles import multiply, norm
from aprendiz.locale import _

SMALL_RESIDUAL = 1e-8  # beside the size of the terms of the system


@dataclass(frozen=True)
class RidgeFit:
    """a and w as columns, one for each target; w is None in the dual form."""

    dual: Array
    primal: Array | None
    alphas: Array
    certificate: Certificate


@dataclass
class RidgeEquations:
    """K or its features F, of the rows that count, multiplied by the roots of their weights; and the targets as columns."""

    kernel: Kernel
    F: Any
    K: Array | None
    Y: Array
    root: Array | None
    weight: Array | None
    counted: Any
    rows: Any
    rounding: float  # of an entry of K, relative to the largest of its diagonal
    flat: bool
    error: float = 0.0  # the same as a number

    @classmethod
    def of(cls, kernel: Kernel, X: Any, y: Array, weight: Array | None, *, dual: bool = False) -> Self:
        """The equations of some rows; in the primal form where that is smaller, unless the dual one is asked for."""
        counted: Any = slice(None) if weight is None or (weight > 0).all() else np.flatnonzero(weight)
        if weight is not None and not weight.any():
            raise ValueError("sample_weight: all weights are zero; at least one must be positive.")
        ready = kernel.on(X)
        some = X if isinstance(counted, slice) else submatrix(X, counted, ready.compares == "matrix")
        Y = np.asarray(y, np.float64).reshape(X.shape[0], -1)[counted]
        root = None if weight is None else np.sqrt(weight[counted])
        F = None if dual else explicit_features(ready, some)
        made = cls(ready, F, None, Y, root, weight, counted, some, 0.0, np.ndim(y) == 1)
        if root is not None:
            made.Y = root[:, None] * Y
            if F is not None:
                made.F = sparse.csr_array(F.multiply(root[:, None])) if sparse.issparse(F) else F * root[:, None]
        return made

    def solve(self, alphas: Array) -> RidgeFit:
        """One penalty for each target."""
        return self.fits(self.Y, alphas, [slice(None)])[0]

    def solve_all(self, alphas: Array) -> list[RidgeFit]:
        """All targets for each penalty."""
        targets = self.Y.shape[1]
        groups = [slice(j * targets, (j + 1) * targets) for j in range(len(alphas))]
        return self.fits(np.tile(self.Y, (1, len(alphas))), np.repeat(alphas, targets), groups)

    def fits(self, Y: Array, shifts: Array, groups: list[slice]) -> list[RidgeFit]:
        """The solution of each column of Y, with the penalty of its place, and a fit from each group of columns."""
        U, W, known = self.solved(Y, shifts)
        A = np.zeros((len(U) if self.weight is None else len(self.weight), U.shape[1]))
        A[self.counted] = U if self.root is None else self.root[:, None] * U
        return [
            RidgeFit(A[:, some], None if W is None else W[:, some], shifts[some], known.certificate(some)) for some in groups
        ]

    def solved(self, Y: Array, shifts: Array) -> tuple[Array, Array | None, Accuracy]:
        """u and w as columns, and what is known of them."""
        lengths = column_lengths(Y)
        if self.F is not None and (shifts > 0).all():
            found = solve_primal(self.F, shifts, Y)
            if found is not None and (found[1].residuals <= GOOD).all():
                W, solution, size = found
                share = float((abs(self.F) ** 2).sum()) / size if size > 0 else 1.0
                rounding = EPS * (sum(self.F.shape) + 8) * max(share, 1.0)
                return solution.columns, W, Accuracy.of(solution, shifts, lengths, size, rounding, True)
        K = self.gram()
        size = norm(K)
        middle = float(multiply(K, np.ones((len(K), 1))).sum()) / len(K)
        dual = solve_shifted(K, shifts, Y, max(middle, float(K.diagonal().max()), 0.0))
        if dual.smallest is not None:
            warn_of_singular(dual.smallest, float(shifts.min()))
        error = self.rounding * float(np.abs(K.diagonal()).max()) if np.isfinite(self.rounding) else self.error
        rounding = error * len(K) / (size or 1.0) + EPS * (len(K) + 8)
        return dual.columns, None, Accuracy.of(dual, shifts, lengths, size, rounding, self.kernel.psd)

    def gram(self) -> Array:
        """√ωK√ω, made when it is needed."""
        if self.K is None:
            kernel, P, K = gram_of_training_rows(self.kernel, self.rows)
            self.rounding, self.error = float(kernel.rounding(P, EPS)), float(kernel.entry_error(P, EPS))
            if self.root is not None:
                K *= self.root[:, None]
                K *= self.root
                self.error *= float(self.root.max()) ** 2
            self.K = K
        return self.K

    def left_one_out(self, dual: Array, alphas: Array) -> Array:
        """The errors of rows that are left out; NaN for rows without weight."""
        errors = np.full(dual.shape, np.nan)
        found, K = np.empty((len(self.Y), dual.shape[1])), self.gram()
        distinct, which = np.unique(alphas, return_inverse=True)
        diagonals = inverse_diagonal(K, distinct)
        for column in range(dual.shape[1]):
            found[:, column] = dual[self.counted, column] / diagonals[which[column]]
        errors[self.counted] = found if self.root is None else found / self.root[:, None] ** 2
        return errors

    def left_one_out_of_all(self, alphas: Array) -> Array:
        """The errors of rows that are left out, penalties × rows × targets."""
        fits, diagonals = self.solve_all(alphas), inverse_diagonal(self.gram(), alphas)
        errors = np.full((len(alphas), *fits[0].dual.shape), np.nan)
        for found, fit, diagonal in zip(errors, fits, diagonals, strict=True):
            omega = 1.0 if self.weight is None else self.weight[self.counted, None]
            found[self.counted] = fit.dual[self.counted] / diagonal[:, None] / omega
        return errors


def submatrix(X: Any, counted: Array, square: bool) -> Any:
    """Some of the rows, and the same columns of a Gram matrix."""
    return X[counted][:, counted] if square else X[counted]


def column_lengths(X: Array) -> Array:
    """‖x‖ of each column, whatever its size."""
    largest = np.abs(X).max(axis=0, initial=0.0)
    return largest * np.linalg.norm(X / np.where(largest > 0, largest, 1.0), axis=0)


def warn_of_singular(smallest: float, alpha: float) -> None:
    warnings.warn(
        _(
            "Singular matrix in solving dual problem: the smallest eigenvalue of K is {smallest:.3g}, and alpha={alpha:.3g}. "
            "The least-squares solution is used instead. Raise alpha, or leave out rows that are alike."
        ).format(smallest=smallest, alpha=alpha),
        UserWarning,
        stacklevel=6,
    )


@dataclass(frozen=True)
class Accuracy:
    """Of each column: the residual beside the size of the terms, that size, ‖u‖ and α; the norm of K, and what the rounding of
    its entries may add to a residual; is K positive semi-definite?"""

    residuals: Array
    terms: Array
    lengths: Array
    alphas: Array
    size: float
    rounding: float
    psd: bool

    @classmethod
    def of(cls, solution: Any, shifts: Array, lengths: Array, size: float, rounding: float, psd: bool) -> Self:
        own = column_lengths(solution.columns)
        return cls(solution.residuals, (size + shifts) * own + lengths, own, shifts, size, rounding, psd)

    def certificate(self, some: slice) -> Certificate:
        """That ‖(K + αI)u − √ωy‖ ≤ 10⁻⁸·(‖K‖·‖u‖ + ‖√ωy‖) for each target, and by (1) how many digits of u that leaves."""
        residuals, alphas, lengths = self.residuals[some], self.alphas[some], self.lengths[some]
        off, condition, digits = residuals + self.rounding, float("inf"), 0.0
        if self.psd and (alphas > 0).all():
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                condition = float(((self.size + alphas) / alphas).max())
                errors = off * self.terms[some] / (alphas * lengths)
                errors = np.where(self.terms[some] > 0, errors, 0.0)  # a target of zeros
                worst = float(errors.max(initial=1e-17))
                digits = max(0.0, min(16.0, -float(np.log10(worst)))) if np.isfinite(condition) and worst < 1 else 0.0
        values = {"residual": float(residuals.max(initial=0.0)), "rounding": self.rounding, "condition": condition}
        return Certificate(
            "the coefficients solve their system up to 10⁻⁸ of its terms",
            bool(off.max(initial=0.0) <= SMALL_RESIDUAL),
            {**values, "digits": digits},
        )
