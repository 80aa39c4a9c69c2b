"""Kernel ridge regression: a penalised sum of squares in the space of the kernel, solved with the Gram matrix alone.

    min over w of Σ ω (y − wᵀφ(x))² + α‖w‖²                                                                   (1)
    w = Σ_i a_i φ(x_i),     f(x) = Σ_i a_i K(x, x_i)                                                          (2)

a maximises aᵀy − ½aᵀKa − ½α‖a‖², whose gradient −αa − Ka + y is zero where

    (K + αI) a = y               dual: as many unknowns as rows                                               (3)
    (ΦᵀΦ + αI) w = Φᵀy           primal: as many unknowns as features, where φ is known and has fewer         (4)

With weights, K and y are multiplied by √ω from each side. There is no intercept, as in scikit-learn: a constant added to the
kernel has that effect. Leaving a row out changes (3) by a border, so that the error there follows from the fit itself:

    y_i − f₋ᵢ(x_i) = a_i / [(K + αI)⁻¹]_ii                                                                    (5)

Cost: an entry of the kernel for each pair of rows, n³/3 multiplications and additions in single precision and a few products
with K to get all digits back (solvers/shifted_systems.py); for a path of penalties 4n³/3 once. Memory: K in both precisions.
References: Saunders, Gammerman & Vovk, "Ridge regression learning algorithm in dual variables", ICML 1998; Rasmussen &
Williams, "Gaussian processes for machine learning", section 5.4.2, for (5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from aprendiz.core.blas import single_blas
from aprendiz.core.parameters import ArrayLike, NonNegative, ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.shared.kept_rows import gather
from aprendiz.kernel.shared.kernel_regressor import EXCEPTIONS, KernelRegressor
from aprendiz.kernel.solvers.ridge_equations import RidgeEquations


class KernelRidge(KernelRegressor):
    """Kernel ridge regression (drop-in for scikit-learn's).

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        α of (1), one for each target if several are given.
    kernel : str, Kernel or callable, default="linear"
        A name of scikit-learn's ("linear", "rbf", "poly", …), a kernel such as `RBF(sigma=2.0) + Linear()`, a function of two
        rows, or "precomputed": X is the Gram matrix then.
    gamma, degree, coef0 : default=None, 3, 1
        Parameters of the kernels by name. gamma=None: 1/(number of columns).
    kernel_params : dict, optional
        More arguments of a function.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        a of (2).
    X_fit_ : table of shape (n_samples, n_features)
        The training rows; with a precomputed kernel their Gram matrix.
    form_ : {"primal", "dual"}
        Which system was solved, (4) or (3).
    primal_coef_ : ndarray of shape (n_mapped,) or (n_mapped, n_targets), or None
        w of (4), an entry for each feature of φ; None in the dual form.
    kernel_ : Kernel
        The kernel with its numbers filled in.
    certificate_ : Certificate
        The residual of (3), a bound on its condition number, and the digits of the coefficients that follow.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 4.0, 9.0]
    >>> model = KernelRidge(alpha=0.01, kernel="poly", degree=2).fit(X, y)
    >>> model.predict([[1.5]]).round(2)
    array([2.25])
    >>> model.form_, model.leave_one_out().round(2)
    ('dual', array([ 0.04, -0.01, -0.01,  0.05]))
    """

    differences = {
        "dual_coef_": "another form: float64 for float32 data too",
        "degree": "another form: whole numbers, since (γ·xᵀz + c) to a broken power is no kernel",
        "coef0": "another form: at least 0 for the polynomial kernel, which is none with a negative constant",
        "kernel": "another form: also kernel objects; a matrix that is not symmetric is refused",
    }
    exceptions = EXCEPTIONS
    tuning = {"alpha": (0.01, 0.1, 1.0, 10.0), "kernel": ("linear", "rbf")}

    def __init__(
        self,
        alpha: NonNegative | ArrayLike = 1,
        *,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: NonNegative | str | None = None,
        degree: NonNegative = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
    ):
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params

    def learned(self, rows: Rows) -> dict[str, Any]:
        X, y, weight = gather(rows)
        alphas = self.penalties(y)
        with single_blas(float(X.shape[0]) ** 3):
            equations = RidgeEquations.of(self.chosen_kernel(), X, y, weight)
            return self.attributes(X, equations, equations.solve(alphas))

    def path(self, X: Any, y: Any, alphas: Any, sample_weight: Any = None) -> list[Self]:
        """A fitted copy of this learner for each penalty, from one Gram matrix and one reduction of it to a band."""
        penalties = np.asarray(alphas, dtype=float).ravel()
        if not (len(penalties) and np.isfinite(penalties).all() and (penalties >= 0).all()):
            raise ParameterError(f"alphas must be numbers of at least 0, one or more, got {alphas!r}.")
        models = [clone(self).set_params(alpha=float(alpha)) for alpha in penalties]
        rows = models[0].open(X, y, sample_weight)
        table, target, weight = gather(rows)
        with single_blas(float(table.shape[0]) ** 3):
            equations = RidgeEquations.of(self.chosen_kernel(), table, target, weight)
            fits = equations.solve_all(penalties)
            return [
                model.settle({**rows.noted, **model.attributes(table, equations, fit)})
                for model, fit in zip(models, fits, strict=True)
            ]

    def penalties(self, y: Array) -> Array:
        """α for each target."""
        alpha, targets = np.atleast_1d(np.asarray(self.alpha, dtype=float)).ravel(), 1 if y.ndim == 1 else y.shape[1]
        if len(alpha) not in (1, targets):
            raise ParameterError(f"alpha has {len(alpha)} entries for {targets} targets: give one number, or one for each.")
        if not (np.isfinite(alpha).all() and (alpha >= 0).all()):
            raise ParameterError(f"alpha of KernelRidge must be a number of at least 0, got {self.alpha!r}.")
        return np.broadcast_to(alpha, targets).copy()
