"""Nyström's method: features from the kernel between a row and m rows of the table, whose inner products come near to it.

With the components c_1 … c_m, drawn at random, K_m their Gram matrix and k(x) = (K(x, c_1), …, K(x, c_m)),

    z(x) = K_m^(−1/2)·k(x)                                                                                    (1)
    z(x)ᵀz(y) = k(x)ᵀ·K_m⁻¹·k(y)                                                                              (2)

is the inner product of the projections of φ(x) and φ(y) on the span of φ(c_1) … φ(c_m). On the components it is K itself;
elsewhere the rest is the Gram matrix of what the projection leaves, so that

    K(x, x) − ‖z(x)‖² ≥ 0     and     |K(x, y) − z(x)ᵀz(y)|² ≤ (K(x, x) − ‖z(x)‖²)·(K(y, y) − ‖z(y)‖²)         (3)

A linear learner on z is a kernel learner whose cost grows with n, in memory, from files and on a cluster.

Cost: one pass to draw the components, m²·d + m³ to fit, m·d + m² a row to transform.
References: Williams & Seeger, "Using the Nyström method to speed up kernel machines", NIPS 2000; Drineas & Mahoney, "On the
Nyström method for approximating a Gram matrix", JMLR 6, 2005.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.callback import with_callbacks

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import Count, Factor, ParameterError, Seed, Within, check_parameters
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.kernel.features.basis import Basis
from aprendiz.kernel.features.inverse_root import inverse_root
from aprendiz.kernel.features.row_sample import draw_rows
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.shared.kept_rows import refuse_other_rows
from aprendiz.kernel.shared.kernel_choice import kernel_of

CHECKED = 64  # rows beside the components that the certificate looks at
DIGITS = 1e-7  # of the largest K(x, x): what rounding and τ may change


class Nystroem(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Features of a kernel by Nyström's method (drop-in for scikit-learn's; also block by block from files and Dask).

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        A name of scikit-learn's, a kernel such as `RBF(sigma=2.0)`, a function of two rows, or "precomputed".
    gamma, coef0, degree : default=None
        Parameters of the kernels by name. None: 1/(number of columns) (1 for "chi2"), 1 and 3. gamma may also be "scale" or
        "auto"; what a kernel takes from the rows it takes from the components.
    kernel_params : dict, optional
        More arguments of a function.
    n_components : int, default=100
        The number m of components; all rows if there are fewer, and the features then give the kernel itself.
    random_state : int, RandomState or None
        The seed of the draw.
    n_jobs
        No effect.

    Attributes
    ----------
    components_ : array or CSR matrix of shape (n_components, n_features)
        The rows that were drawn.
    component_indices_ : ndarray of shape (n_components,)
        Their numbers.
    normalization_ : ndarray of shape (n_components, n_components)
        K_m^(−1/2).
    certificate_ : Certificate
        That (2) is K on the components and (3) holds for rows beside them, with the largest error on pairs of those.

    Examples
    --------
    >>> from aprendiz import RBF
    >>> X = [[0.0], [0.5], [1.0], [2.0]]
    >>> Z = Nystroem(gamma=0.5, n_components=3, random_state=0).fit_transform(X)
    >>> Z.shape
    (4, 3)
    >>> bool(np.abs(Z @ Z.T - RBF(gamma=0.5)(X)).max() < 0.05)
    True
    """

    allows = frozenset({"sparse"})
    differences = {
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
        "degree": "another form: whole numbers, since (γ·xᵀz + c) to a broken power is no kernel",
        "kernel": "another form: a function of two rows is called for each pair twice, as K(x, z) and K(z, x)",
        "n_components": "another form: with fewer rows all of them are components, without a warning",
        "normalization_": "another form: float64 for float32 data too",
    }
    exceptions = {
        "scaling": "gamma is in the units of the columns",
        "row order": "rows are drawn by their number: another order, other components",
        "same answer": "rows are drawn in another way: tests/kernel/test_nystroem.py compares the features of the same ones",
    }

    def __init__(
        self,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        *,
        gamma: Factor | Literal["scale", "auto"] | None = None,
        coef0: float | None = None,
        degree: Annotated[float, Within(1)] | None = None,
        kernel_params: dict[str, Any] | None = None,
        n_components: Count = 100,
        random_state: Seed = None,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.random_state = random_state
        self.n_jobs = n_jobs

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the components among the rows of X. Returns the learner itself."""
        check_parameters(self)
        self.refuse_contradictions()
        self.chosen_kernel()
        rows = self.open(X)
        with reporting(self, X, y, None), single_blas():
            return self.settle({**rows.noted, **self.learned(rows)})

    def refuse_contradictions(self) -> None:
        """Parameters that the kernel would not look at."""
        given = [name for name in ("gamma", "coef0", "degree") if getattr(self, name) is not None]
        if given and (callable(self.kernel) or self.kernel == "precomputed"):
            raise ParameterError(
                f"Don't pass gamma, coef0 or degree to Nystroem if using a callable or precomputed kernel: {given[0]} would "
                "have no effect. Give parameters to the kernel itself, or in kernel_params."
            )

    def learned(self, rows: Rows) -> dict[str, Any]:
        """Components and normalization of (1)."""
        m = int(self.n_components)
        numbers, X = draw_rows(rows, m + CHECKED, draw_seed(self.random_state))
        basis = Basis.of(self.chosen_kernel(), X[:m], numbers[:m], rows.columns)
        normalization = inverse_root(basis.gram())
        known = Certificate.later(lambda: projection_error(basis, normalization, X[m:], numbers[m:]))
        found = {"components_": X[:m], "component_indices_": numbers[:m], "normalization_": normalization}
        return {**found, "certificate_": known}

    def chosen_kernel(self) -> Kernel:
        coef0, degree = 1.0 if self.coef0 is None else self.coef0, 3 if self.degree is None else self.degree
        given = {"gamma": self.gamma, "degree": degree, "coef0": coef0, "params": self.kernel_params}
        kernel = kernel_of(self.kernel, **given, of_pairs=True)
        refuse_other_rows(kernel, "Nystroem")
        return kernel

    @property
    def _n_features_out(self) -> int:
        return len(self.component_indices_)

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        """New data as checked rows; sparse ones stay sparse."""
        rows = super().new_rows(X, sample_weight)
        return rows.like(thin=True) if in_memory(rows) and rows.sparse else rows

    def change(self, X: Array) -> Array:
        """(1)."""
        basis = Basis.of(self.chosen_kernel(), self.components_, self.component_indices_, self.n_features_in_)
        single = X.dtype == np.float32 and self.components_.dtype == np.float32
        return basis.features(X, self.normalization_, np.float32 if single else np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def projection_error(basis: Basis, normalization: Array, X: Any, numbers: Array) -> Certificate:
    """That (2) is K for all pairs of components, and the first of (3) for rows X beside them, both to 10⁻⁷ of the largest
    K(x, x); and the largest error for pairs of which at least one is such a row. Where values of the kernel have fewer digits,
    nothing is claimed."""
    K, Z = basis.gram(), basis.features(basis.X, normalization, np.float64)
    on_components, size = np.abs(Z @ Z.T - K).max(), np.abs(np.diagonal(K)).max()
    error = rest = share = least = 0.0
    lost = basis.rounding(basis.X)
    if len(numbers):
        own, other = basis.gram_of(X, numbers), basis.features(X, normalization, np.float64)
        left = np.diagonal(own) - np.einsum("ij,ij->i", other, other)
        error = max(np.abs(own - other @ other.T).max(), np.abs(basis.values(X) - other @ Z.T).max())
        lost = max(lost, basis.rounding(X))
        size, least, rest = max(size, np.diagonal(own).max()), left.min(), left.sum()
        share = rest / max(float(np.trace(own)), 1e-300)
    return Certificate(
        "the features give the kernel itself on the components, and never more than K(x, x) beside them",
        bool(size > 1e-280 and lost <= DIGITS and on_components <= DIGITS * size and least >= -DIGITS * size),
        {
            "error": float(error),
            "share": float(share),
            "rows": len(numbers),
            "on_components": float(on_components),
            "least_rest": float(least),
            "rounding": lost,
        },
    )
