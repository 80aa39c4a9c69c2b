"""Truncated singular value decomposition: the matrix of rank k that is nearest to the table.

    A = Σ_i σ_i u_i v_iᵀ,     σ₁ ≥ σ₂ ≥ … ≥ 0,     u_i and v_i orthonormal                                      (1)
    A_k = Σ_{i≤k} σ_i u_i v_iᵀ = A V Vᵀ                                                                        (2)
    ‖A − A_k‖₂ = σ_{k+1},     ‖A − A_k‖²_F = Σ_{i>k} σ_i²,   and no matrix of rank k is nearer (Eckart, Young)  (3)
    t = x V                                               coordinates of a row                                 (4)

Nothing is centred, so zeros stay zeros and sparse rows stay sparse. The route follows from the shape (`method_`):

    triangle   few columns or few rows: exact, from one pass                          (svd/by_triangle.py)
    krylov     the others: products of a few columns with A and Aᵀ, row by row        (svd/by_krylov.py)

Cost: triangle 4·n·d·min(n, d); krylov some ten passes, 4·(k + oversamples) multiplications in each for each stored cell.
References: Eckart & Young, "The approximation of one matrix by another of lower rank", Psychometrika 1, 1936; Halko, Martinsson
& Tropp, "Finding structure with randomness", SIAM Review 53, 2011.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.inputs import features
from aprendiz.core.learner import Passes, Transformer
from aprendiz.core.parameters import Count, NonNegative, Seed, Whole
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.decomposition.randomized.products import project, thin, times
from aprendiz.decomposition.randomized.range_finder import PRECISE, krylov_steps
from aprendiz.decomposition.randomized.stored_components import COMPONENTS
from aprendiz.decomposition.svd.as_taught import Explanation, explain
from aprendiz.decomposition.svd.by_krylov import by_krylov
from aprendiz.decomposition.svd.by_triangle import by_triangle
from aprendiz.decomposition.svd.compression import Compression
from aprendiz.decomposition.svd.singular_space import SingularSpace
from aprendiz.locale import _

FEW = 128  # columns, or rows, of which the triangle is small
MOST_CELLS = 1_000_000  # of a table that is explained
WIDTHS = 4  # blocks that must fit into a table, or else its triangle is small
NARROW, FEWEST = 5, 8  # what part of a block is one of "arpack", and its fewest columns
MOST_STEPS = 500  # of "arpack", which goes on until the residuals are small


class TruncatedSVD(ClassNamePrefixFeaturesOutMixin, Transformer, Passes):
    """Truncated singular value decomposition (drop-in for scikit-learn's; also from files and Dask).

    Parameters
    ----------
    n_components : int, default=2
        How many components.
    algorithm : {"randomized", "arpack"}, default="randomized"
        For large tables: as many steps as `n_iter` says, or until the residuals are below `tol`. Small tables are exact.
    n_iter : int, default=5
        Power iterations whose precision is wanted; 2 + 2/5 as many steps of a block Krylov space have it.
    n_oversamples : int, default=10
        Columns of a block beside those that are wanted.
    power_iteration_normalizer : default="auto"
        No effect.
    random_state : int, RandomState or None
        The seed of the first block.
    tol : float, default=0
        For "arpack": residual of an eigenvector of AᵀA beside the largest eigenvalue; 0 for what rounding allows.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        v_i of (1) as rows, the entry of largest size positive.
    singular_values_ : ndarray of shape (n_components,)
        σ_i.
    explained_variance_, explained_variance_ratio_ : ndarray of shape (n_components,)
        The variance of the coordinates (4), and its share of that of all columns.
    method_ : {"triangle", "krylov"}
        How they were found.
    compression_ : Compression
        Numbers that (2) takes to store, k·(1 + n + d), beside n·d, and the rank at which they break even.
    certificate_ : Certificate
        Upper bounds on ‖A − A_k‖ in both norms, and how far the triplets are from singular (svd/singular_space.py).

    Examples
    --------
    >>> model = TruncatedSVD(1).fit([[3.0, 0.0], [4.0, 5.0]])
    >>> model.singular_values_.round(4), model.components_.round(4)
    (array([6.7082]), array([[0.7071, 0.7071]]))
    >>> print(model.compression_)
    rank 1: 5 numbers of 4 (125 %), break-even 0
    """

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"components_", "singular_values_", "explained_variance_", "explained_variance_ratio_"})
    differences = {
        "n_components": "another form: at most the number of rows too, since there are no more singular values",
        "algorithm": "another form: small tables are exact either way; of large ones it says when to stop",
        "n_iter": "another form: fewer steps of a Krylov space, which come at least as near",
        "power_iteration_normalizer": "no effect: every block is made orthonormal",
        "tol": "another form: the residual of an eigenvector beside the largest eigenvalue",
    }
    stored_check = COMPONENTS
    exceptions = {
        "shift": "nothing is centred: the first component follows the offset",
        "memory": "some tens of columns are kept beside the sums",
    }

    def __init__(
        self,
        n_components: Count = 2,
        *,
        algorithm: Literal["arpack", "randomized"] = "randomized",
        n_iter: Whole = 5,
        n_oversamples: Count = 10,
        power_iteration_normalizer: Literal["auto", "QR", "LU", "none"] = "auto",
        random_state: Seed = None,
        tol: NonNegative = 0.0,
    ):
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

    def learned(self, rows: Rows) -> dict[str, Any]:
        count = rows.count if rows.count is not None else rows.sum(len)
        self.refuse_too_many(count, rows.columns)
        space = self.singular_space(rows, count)
        if self.algorithm == "arpack" and not space.settled:
            said = _("The singular vectors are not yet exact (see certificate_): raise n_oversamples, or tol.")
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        total = space.total_variance
        return {
            "components_": space.vectors,
            "singular_values_": space.values,
            "explained_variance_": space.variances,
            "explained_variance_ratio_": space.variances / total if total > 0 else np.zeros_like(space.variances),
            "method_": space.method,
            "compression_": Compression(count, rows.columns, len(space.values)),
            "certificate_": space.certificate(),
        }

    def singular_space(self, rows: Rows, count: int) -> SingularSpace:
        """By the route that suits the shape."""
        k, small = int(self.n_components), min(count, rows.columns)
        width = min(k + int(self.n_oversamples), small)
        if small <= max(FEW, WIDTHS * width):
            return by_triangle(rows, k)
        seed = draw_seed(self.random_state)
        if self.algorithm == "arpack":
            narrow, tolerance = max(width // NARROW, FEWEST), max(float(self.tol), PRECISE)
            return by_krylov(rows, k, width=narrow, steps=MOST_STEPS, tolerance=tolerance, seed=seed)
        steps = krylov_steps(int(self.n_iter))
        return by_krylov(rows, k, width=width, steps=steps, tolerance=PRECISE, seed=seed)

    def refuse_too_many(self, count: int, columns: int) -> None:
        """More components than there are singular values, or than scikit-learn's "arpack" takes."""
        k = self.n_components
        if k > columns:
            raise ValueError(f"n_components({k}) must be <= n_features({columns}): rows have no more directions than columns.")
        if k > count:
            raise ValueError(f"n_components({k}) must be <= n_samples({count}): there are no more singular values.")
        if self.algorithm == "arpack" and k == columns:
            raise ValueError(f'n_components({k}) must be < n_features({columns}) with algorithm="arpack": use "randomized".')

    # ---- coordinates ---------------------------------------------------------------------------------------------------

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        """New data as checked rows; sparse ones stay sparse."""
        return thin(super().new_rows(X, sample_weight))

    def change(self, X: Array) -> Array:
        return in_dtype_of(times(X, double(self.components_).T), X, self.components_)  # (4)

    def transform(self, X: Any) -> Any:
        """The coordinates of each row: an array, or opened rows that are changed as they are read."""
        return project(self.new_rows(X), self.components_, lazily=isinstance(X, Rows))

    def explain(self, X: Any) -> Explanation:
        """The decomposition of a small matrix as it is taught, by the eigenvectors of XᵀX, beside the stable one, and the
        digits that squaring has lost (svd/as_taught.py)."""
        rows = clone(self).open(X)
        if not in_memory(rows) or rows.X.shape[0] * rows.X.shape[1] > MOST_CELLS:
            raise ValueError(f"explain is for small tables in memory, of at most {MOST_CELLS} cells: give some of the rows.")
        A = rows.X.toarray() if sparse.issparse(rows.X) else rows.X
        with single_blas():
            return explain(np.asarray(A, np.float64))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def inverse_transform(self, X: Any) -> Array:
        """Rows of the original space with the given coordinates."""
        check_is_fitted(self)
        T, _noted = features(self, X, reset=True)
        if T.shape[1] != len(self.components_):
            needed = f"{len(self.components_)} components need as many coordinates"
            raise ValueError(f"X has {T.shape[1]} features, but {needed}: give one for each.")
        with single_blas(float(T.shape[0]) * self.components_.size):
            return in_dtype_of(np.asarray(T @ double(self.components_)), T, self.components_)
