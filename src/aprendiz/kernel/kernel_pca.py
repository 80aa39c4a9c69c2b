"""Kernel principal component analysis: the directions of largest variance in the space of a kernel.

With K_c the Gram matrix of the rows centred in that space (solvers/centred_spectrum.py),

    K_c v_k = λ_k v_k,     u_k = Σ_i v_ik/√λ_k · φ_c(x_i)          directions of length 1                      (1)
    t_k(x) = u_kᵀφ_c(x) = Σ_i v_ik/√λ_k · K_c(x, x_i)              coordinates of any row                      (2)
    t_k(x_i) = √λ_k·v_ik                                           those of the training rows                  (3)

The directions need never be written down. With a linear kernel they are those of PCA. Back from coordinates to rows, where it
is asked for: kernel ridge regression of the rows on their coordinates, for any kernel,

    A = (K(T, T) + αI)⁻¹X,     x(t) = Σ_i A_i K(t, t_i)                                                        (4)

or, for a Gaussian kernel, the row whose image is nearest (pre_images/fixed_point.py).

Cost: an entry of the kernel for each pair of rows, then some tens of products with K for few components, n³ for all. Memory: K.
References: Schölkopf, Smola & Müller, "Nonlinear component analysis as a kernel eigenvalue problem", Neural Computation 10,
1998; Bakır, Weston & Schölkopf, "Learning to find pre-images", NIPS 2003, for (4).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.callback import with_callbacks
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.inputs import features
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import Count, Finite, NonNegative, ParameterError, Seed, Whole
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.kernels import RBF
from aprendiz.kernel.pre_images.fixed_point import coefficients, fixed_points
from aprendiz.kernel.shared.kept_rows import KEPT_IN_MEMORY, answer_rows, dense, gather, kernel_sums, refuse_other_rows
from aprendiz.kernel.shared.kernel_choice import kernel_of
from aprendiz.kernel.solvers.principal_space import PrincipalSpace, ridge_inverse
from aprendiz.locale import _


class KernelPCA(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Kernel principal component analysis (drop-in for scikit-learn's).

    Parameters
    ----------
    n_components : int, optional
        How many components; None for all with an eigenvalue above 0.
    kernel : str, Kernel or callable, default="linear"
        A name of scikit-learn's ("linear", "rbf", "poly", …), a kernel such as `RBF(sigma=2.0) + Linear()`, a function of two
        rows, or "precomputed": X is the Gram matrix then.
    gamma, degree, coef0 : default=None, 3, 1
        Parameters of the kernels by name. gamma=None: 1/(number of columns).
    kernel_params : dict, optional
        More arguments of a function.
    alpha : float, default=1.0
        α of (4).
    fit_inverse_transform : bool, default=False
        Whether to learn the way back.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        "dense" for LAPACK; with the others the method follows from the size.
    tol : float, default=0
        Residual of an eigenvector beside the largest eigenvalue; 0 for 10⁻¹³.
    max_iter : int, optional
        Steps of block Lanczos; 200 by default.
    iterated_power, n_jobs
        No effect.
    copy_X : bool, default=True
        Whether `X_fit_` is a copy of the rows, so that they may be changed after the fit.
    remove_zero_eig : bool, default=False
        Whether to leave out components whose eigenvalue is 0; they are left out anyway if n_components is None.
    random_state : int, RandomState or None
        The seed of the block that Lanczos begins with.
    pre_image : {"ridge", "fixed_point"}, default="ridge"
        The way back: (4), or the row whose image is nearest, for a Gaussian kernel.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        λ_k, descending.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        v_k as columns, the entry of largest size positive.
    dual_coef_ : ndarray of shape (n_samples, n_features)
        A of (4), if `fit_inverse_transform` with pre_image="ridge".
    X_transformed_fit_ : ndarray of shape (n_samples, n_components)
        (3), if `fit_inverse_transform`.
    X_fit_ : table of shape (n_samples, n_features)
        The training rows; with a precomputed kernel their Gram matrix.
    gamma_ : float
        gamma, or 1/(number of columns).
    kernel_ : Kernel
        The kernel with its numbers filled in.
    method_ : {"features", "lanczos", "dense"}
        How the eigenvectors were found (solvers/centred_spectrum.py).
    certificate_ : Certificate
        The residuals of (1), how far the eigenvectors are from right angles, and the share of the variance in the components.

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 3.0]]
    >>> KernelPCA(n_components=1).fit_transform(X).round(4).ravel().tolist()
    [-1.2884, -1.2024, 0.7042, 1.7865]
    >>> KernelPCA(n_components=3, kernel="rbf").fit(X).eigenvalues_.round(4)
    array([1.3765, 0.6293, 0.3894])
    """

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"eigenvalues_", "eigenvectors_", "dual_coef_", "X_transformed_fit_"})
    not_iterative = "block Lanczos is a matter of some tens of products; `max_iter` bounds them"
    differences = {
        "degree": "another form: whole numbers, since (γ·xᵀz + c) to a broken power is no kernel",
        "coef0": "another form: at least 0 for the polynomial kernel, which is none with a negative constant",
        "kernel": "another form: also kernel objects; a matrix that is not symmetric is refused, and one with negative "
        "eigenvalues is warned of, not refused",
        "eigen_solver": "another form: dense is LAPACK; with the others the method follows from the size, and is as exact",
        "tol": "another form: the residual of an eigenvector beside the largest eigenvalue",
        "max_iter": "another form: steps of block Lanczos",
        "iterated_power": "no effect: nothing is approximated",
        "fit_inverse_transform": "another form: also for sparse rows, which come back dense",
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
    }
    exceptions = {
        "memory": KEPT_IN_MEMORY,
        "scaling": "kernels are in the units of the columns",
    }

    def __init__(
        self,
        n_components: Count | None = None,
        *,
        kernel: str | Kernel | Callable[..., Any] = "linear",
        gamma: NonNegative | str | None = None,
        degree: NonNegative = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: Finite = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: Literal["auto", "dense", "arpack", "randomized"] = "auto",
        tol: NonNegative = 0,
        max_iter: Count | None = None,
        iterated_power: Whole | Literal["auto"] = "auto",
        remove_zero_eig: bool = False,
        random_state: Seed = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        pre_image: Literal["ridge", "fixed_point"] = "ridge",
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.pre_image = pre_image

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components of the rows of X. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None):
            return self.settle({**rows.noted, **self.learned(gather(rows)[0])})

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the coordinates (3) of the rows."""
        return self.fit(X).eigenvectors_ * np.sqrt(self.eigenvalues_)

    def learned(self, X: Any) -> dict[str, Any]:
        """The fitted attributes, from a table in memory."""
        kernel = self.chosen_kernel()
        self.refuse_way_back(kernel)
        space = PrincipalSpace.of(
            kernel,
            X,
            self.n_components,
            dense=self.eigen_solver == "dense",
            tolerance=float(self.tol),
            steps=self.max_iter,
            seed=draw_seed(self.random_state),
        )
        if not space.settled:
            said = _("The eigenvectors are not yet exact (see certificate_): raise max_iter, or tol.")
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        if self.remove_zero_eig or self.n_components is None:
            space = space.without_zeros()
        return {
            "eigenvalues_": space.values,
            "eigenvectors_": space.vectors,
            "X_fit_": X.copy() if self.copy_X else X,
            "gamma_": 1.0 / X.shape[1] if self.gamma is None else self.gamma,
            "kernel_": space.kernel,
            "method_": space.method,
            "_means": space.means,
            "_axes": space.axes,
            "certificate_": space.certificate,
            **self.way_back(space, X),
        }

    def chosen_kernel(self) -> Kernel:
        kernel = kernel_of(
            self.kernel, gamma=self.gamma, degree=self.degree, coef0=self.coef0, params=self.kernel_params, of_pairs=True
        )
        refuse_other_rows(kernel, type(self).__name__)
        return kernel

    # ---- coordinates ---------------------------------------------------------------------------------------------------

    def scaled_vectors(self) -> Array:
        """v_k/√λ_k as columns, zeros where λ_k is 0."""
        values = double(self.eigenvalues_)
        return double(self.eigenvectors_) * np.where(values > 0, 1.0 / np.sqrt(np.where(values > 0, values, 1.0)), 0.0)

    def change(self, X: Array) -> Array:
        """(2); centring moves from the kernel to the coefficients: Σ_i (c_i − c̄)·(K(x, x_i) − m_i)."""
        if self._axes is not None:
            found = PrincipalSpace.features(self.kernel_, X, self._means) @ self._axes
        else:
            C = self.scaled_vectors()
            C -= C.mean(axis=0)
            P = self.kernel_.points(self.X_fit_)
            found = kernel_sums(self.kernel_, self.kernel_.points(X, P), P, C) - self._means @ C
        return in_dtype_of(found, X, self.eigenvectors_)

    def transform(self, X: Any) -> Any:
        """The coordinates of each row: an array, or opened rows that are changed as they are read."""
        rows = self.new_rows(X)
        return rows.map(self.change) if isinstance(X, Rows) else answer_rows(rows, self.change)

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    # ---- the way back --------------------------------------------------------------------------------------------------

    def refuse_way_back(self, kernel: Kernel) -> None:
        """Where it cannot be learned."""
        if not self.fit_inverse_transform:
            return
        if kernel.compares == "matrix":
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel: there are no rows to come back to.")
        if self.pre_image == "fixed_point" and not isinstance(kernel, RBF):
            raise ParameterError(f'pre_image="fixed_point" needs a Gaussian kernel, got {kernel!r}: use pre_image="ridge".')

    def way_back(self, space: PrincipalSpace, X: Any) -> dict[str, Any]:
        """What the inverse transform needs."""
        if not self.fit_inverse_transform:
            return {}
        if not len(space.values):
            raise ValueError(
                "There is no component with an eigenvalue above 0, and so no way back: the rows are alike in every column, or "
                "differ too little to be squared. Give rows that differ, scale the columns, or set fit_inverse_transform=False."
            )
        T = space.vectors * np.sqrt(space.values)
        if self.pre_image == "fixed_point":
            return {"X_transformed_fit_": T}
        return {"X_transformed_fit_": T, "dual_coef_": ridge_inverse(space.kernel, T, X, float(self.alpha))}

    def inverse_transform(self, X: Any) -> Array:
        """Rows of the original space for coordinates: by (4), or the nearest images."""
        if not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and hence the inverse transform is "
                "not available: set it, and fit again."
            )
        check_is_fitted(self)
        T, _noted = features(self, X, reset=True)
        if T.shape[1] != len(self.eigenvalues_):
            needed = f"{len(self.eigenvalues_)} components need as many coordinates"
            raise ValueError(f"X has {T.shape[1]} features, but {needed}: give one for each.")
        known = double(self.X_transformed_fit_)
        if self.pre_image == "ridge":
            P = self.kernel_.points(known)
            found = kernel_sums(self.kernel_, self.kernel_.points(T, P), P, double(self.dual_coef_))
        else:
            table, wanted = np.asarray(dense(self.X_fit_), np.float64), np.asarray(T, np.float64)
            with single_blas(float(T.size) * len(known)):
                away = (known**2).sum(axis=1) - 2.0 * wanted @ known.T
            found = fixed_points(self.kernel_, table, coefficients(wanted, self.scaled_vectors()), table[away.argmin(axis=1)])
        return in_dtype_of(found, T, self.eigenvectors_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
