"""What regressors of a kernel share: f(x) = Σ_i a_i K(x, x_i), or wᵀφ(x) where the features are few."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.learner import Passes, Regressor
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.shared.kept_rows import KEPT_IN_MEMORY, answer_rows, kernel_sums, refuse_other_rows
from aprendiz.kernel.shared.kernel_choice import kernel_of
from aprendiz.kernel.solvers.primal_system import explicit_features
from aprendiz.kernel.solvers.ridge_equations import RidgeEquations, RidgeFit

EXCEPTIONS = {
    "memory": KEPT_IN_MEMORY,
    "scaling": "the penalty and the kernels are in the units of the columns",
    "shift": "linear kernels depend on where the origin is, and there is no intercept",
}


class KernelRegressor(Regressor, Passes):
    """Keeps the training rows and a coefficient for each."""

    allows = frozenset({"sparse"})
    kernel: Any
    gamma: Any
    degree: Any
    coef0: Any
    kernel_params: Any
    dual_coef_: Array
    primal_coef_: Array | None
    kernel_: Kernel
    X_fit_: Any
    _weight: Array | None
    _alphas: Array

    def chosen_kernel(self) -> Kernel:
        kernel = kernel_of(
            self.kernel, gamma=self.gamma, degree=self.degree, coef0=self.coef0, params=self.kernel_params, of_pairs=True
        )
        refuse_other_rows(kernel, type(self).__name__)
        return kernel

    def attributes(self, X: Any, equations: RidgeEquations, fit: RidgeFit) -> dict[str, Any]:
        """What is kept of a solution."""
        flat = equations.flat
        return {
            "dual_coef_": np.array(fit.dual[:, 0] if flat else fit.dual, order="C"),
            "primal_coef_": None if fit.primal is None else np.array(fit.primal[:, 0] if flat else fit.primal, order="C"),
            "form_": "dual" if fit.primal is None else "primal",
            "X_fit_": X,
            "kernel_": equations.kernel,
            "_weight": equations.weight,
            "_alphas": fit.alphas,
            "certificate_": fit.certificate,
        }

    def predict(self, X: Any) -> Array:
        """f(x) of each row, and each target if there are several."""
        rows = self.new_rows(X)
        kernel, W = self.kernel_, self.primal_coef_
        flat, A = self.dual_coef_.ndim == 1, self.dual_coef_.reshape(len(self.dual_coef_), -1)
        P = kernel.points(self.X_fit_) if W is None else None

        def answer(table: Any) -> Array:
            if W is None:
                found = kernel_sums(kernel, kernel.points(table, P), P, A)
            else:
                found = explicit_features(kernel, table, always=True) @ W.reshape(len(W), -1)
            return found[:, 0] if flat else found

        return answer_rows(rows, answer)

    def leave_one_out(self) -> Array:
        """The error y − f(x) of each training row, f being fitted to the others: a_i / [(K + αI)⁻¹]_ii. NaN for rows of
        weight 0."""
        check_is_fitted(self)
        n = self.X_fit_.shape[0]
        with single_blas(float(n) ** 3):
            equations = RidgeEquations.of(self.kernel_, self.X_fit_, np.zeros(n), self._weight, dual=True)
            errors = equations.left_one_out(self.dual_coef_.reshape(n, -1), self._alphas)
        return errors[:, 0] if self.dual_coef_.ndim == 1 else errors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
