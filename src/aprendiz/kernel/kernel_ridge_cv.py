"""Kernel ridge regression with its penalty chosen by leave-one-out, from one decomposition of the Gram matrix.

With (K + αI) a = y, the error at a row that is left out follows from the fit to all rows,

    e_i(α) = y_i − f₋ᵢ(x_i) = a_i(α) / [(K + αI)⁻¹]_ii                                                        (1)
    score(α) = −Σ ω e(α)² / Σ ω                                                                               (2)

K is reduced to a band matrix once (solvers/band_form.py); a and the diagonal of (1) are then cheap for each penalty. Nothing is
refitted.

Cost: 8n³/3 multiplications and additions once, and 4n²·b for each penalty, b ≈ 100. Memory: four matrices of the size of K.
Reference: Golub, Heath & Wahba, "Generalized cross-validation …", Technometrics 21, 1979; Rasmussen & Williams, "Gaussian
processes for machine learning", section 5.4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ArrayLike, NonNegative, ParameterError, Positive, refuse_words
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.shared.kept_rows import gather
from aprendiz.kernel.shared.kernel_regressor import EXCEPTIONS, KernelRegressor
from aprendiz.kernel.solvers.ridge_equations import RidgeEquations

ONE_BY_ONE = "leaving a row out takes all its weight with it: two rows of weight 1 are left out one by one"


class KernelRidgeCV(KernelRegressor):
    """Kernel ridge regression with its penalty chosen by leave-one-out, in closed form.

    Parameters
    ----------
    alphas : array of floats, default=(0.1, 1.0, 10.0)
        Penalties to try, above 0.
    kernel, gamma, degree, coef0, kernel_params
        As of `KernelRidge`; by default "rbf".
    alpha_per_target : bool, default=False
        Whether each target gets its own penalty.
    store_cv_results : bool, default=False
        Whether to keep the errors of every row and penalty.

    Attributes
    ----------
    alpha_ : float or ndarray of shape (n_targets,)
        The penalty with the best score.
    best_score_ : float or ndarray of shape (n_targets,)
        Its score (2).
    scores_ : ndarray of shape (n_alphas,), or (n_targets, n_alphas) with `alpha_per_target`
        (2) of each penalty.
    cv_results_ : ndarray of shape (n_samples, n_alphas) or (n_samples, n_targets, n_alphas)
        (1), if `store_cv_results`; NaN for rows of weight 0.
    dual_coef_, primal_coef_, form_, X_fit_, kernel_ : as of `KernelRidge`, fitted to all rows with that penalty.
    certificate_ : Certificate
        Whether the best penalty lies inside the grid, and what is known of its solution, as of `KernelRidge`.

    Examples
    --------
    >>> X = np.linspace(0.0, 6.0, 30)[:, None]
    >>> y = np.sin(X[:, 0]) + 0.1 * np.cos(40.0 * X[:, 0])
    >>> model = KernelRidgeCV(alphas=[1e-4, 1e-3, 1e-2, 1e-1, 1.0]).fit(X, y)
    >>> model.alpha_, round(model.best_score_, 4)
    (0.1, -0.0095)
    """

    exceptions = {
        **EXCEPTIONS,
        "weights": ONE_BY_ONE,
        "check_sample_weight_equivalence_on_dense_data": ONE_BY_ONE,
        "check_sample_weight_equivalence_on_sparse_data": ONE_BY_ONE,
    }

    def __init__(
        self,
        alphas: Positive | ArrayLike | tuple[float, ...] = (0.1, 1.0, 10.0),
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: NonNegative | str | None = None,
        degree: NonNegative = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha_per_target: bool = False,
        store_cv_results: bool = False,
    ):
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha_per_target = alpha_per_target
        self.store_cv_results = store_cv_results

    def learned(self, rows: Rows) -> dict[str, Any]:
        alphas = self.penalties()
        X, y, weight = gather(rows)
        if X.shape[0] < 2 or (weight is not None and np.count_nonzero(weight) < 2):
            raise ValueError("Leave-one-out needs at least two rows that count, got n_samples=1: give more rows.")
        with single_blas(float(X.shape[0]) ** 3):
            equations = RidgeEquations.of(self.chosen_kernel(), X, y, weight, dual=True)
            errors = equations.left_one_out_of_all(alphas)  # penalties × rows × targets
            scores = self.scores(errors, weight)
            best = np.broadcast_to(scores.argmax(axis=-1), errors.shape[2])
            fit = RidgeEquations.of(self.chosen_kernel(), X, y, weight).solve(alphas[best])
        several = self.alpha_per_target and y.ndim == 2
        left_out = np.moveaxis(errors, 0, -1)
        return {
            **self.attributes(X, equations, fit),
            "alpha_": alphas[best] if several else float(alphas[best[0]]),
            "best_score_": scores.max(axis=-1) if several else float(scores.max()),
            "scores_": scores if several else scores.reshape(-1),
            **({"cv_results_": left_out[:, 0] if y.ndim == 1 else left_out} if self.store_cv_results else {}),
            "certificate_": inside_the_grid(fit.certificate, alphas, alphas[best]),
        }

    def scores(self, errors: Array, weight: Array | None) -> Array:
        """(2): of each target, or of all together."""
        counted = slice(None) if weight is None else np.flatnonzero(weight)
        omega = np.ones(errors.shape[1]) if weight is None else weight
        each = -np.einsum("i,ait->ta", omega[counted] / omega[counted].sum(), errors[:, counted] ** 2)
        return each if self.alpha_per_target else each.mean(axis=0)

    def penalties(self) -> Array:
        """The penalties to try."""
        refuse_words("alphas", self.alphas)
        alphas = np.atleast_1d(np.asarray(self.alphas, dtype=float)).ravel()
        if not (len(alphas) and np.isfinite(alphas).all() and (alphas > 0).all()):
            raise ParameterError(f"alphas of KernelRidgeCV must be numbers above 0, one or more, got {self.alphas!r}.")
        return alphas


def inside_the_grid(known: Certificate, alphas: Array, chosen: Array) -> Certificate:
    """What is known of the solution, and whether every chosen penalty has a smaller and a larger neighbour in the grid."""
    inside = bool(((alphas.min() < chosen) & (chosen < alphas.max())).all())
    return Certificate(
        "the best penalty lies inside the grid, and the coefficients solve their system up to 10⁻⁸ of its terms",
        inside and known.holds,
        {"inside": inside, **known.values},
    )
