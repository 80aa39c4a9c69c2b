"""Completion of a matrix with the nuclear norm: the unknown cells are those of a table of low rank that is near the known ones.

With P_Ω for the known cells and ‖M‖_* for the sum of the singular values of M,

    min over M of F(M) = ½‖P_Ω(A − M)‖² + λ‖M‖_*                                                              (1)

is convex. From λ = ‖P_Ω(A)‖, the largest singular value with zeros in the unknown cells, M = 0; below it M has the rank that λ
leaves. At a minimum M = U·diag(s)·Vᵀ,

    P_Ω(A − M) = λ(UVᵀ + W),   UᵀW = 0,   WV = 0,   ‖W‖ ≤ 1                                                    (2)

M is kept as factors, which are found by alternating ridge regressions of the known cells (completion/factor_search.py). A new
row is one more of them: with B the factors of the columns and o its known cells,

    m(x) = B (B_oᵀB_o + λI)⁻¹ B_oᵀx_o                                                                         (3)

and for a row of the fit this is its row of M. Known cells stay as they are.

Cost of a pass: r² multiplications for each known cell. Memory: the known cells, and r numbers for each row and column.
References: Mazumder, Hastie & Tibshirani, "Spectral regularization algorithms for learning large incomplete matrices", JMLR 11,
2010; Hastie, Mazumder, Lee & Zadeh, JMLR 16, 2015.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import Count, NonNegative, ParameterError, PositiveFinite, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.decomposition.completion.duality_gap import evidence
from aprendiz.decomposition.completion.factor_search import FactorState, Problem, search, strongest_penalty, triplets_of
from aprendiz.decomposition.completion.known_cells import Biases, CompletionRows, HoledRows, Units, cells_of
from aprendiz.decomposition.completion.ridge_rows import ridge_rows
from aprendiz.locale import _


class SoftImpute(OneToOneFeatureMixin, Transformer, Iterative):
    """Fill missing cells with those of a table of low rank, found with the nuclear norm.

    Parameters
    ----------
    penalty : float above 0, optional
        λ of (1), in the units of the cells (with `scale`, of the scaled ones). By default a fiftieth of the λ from which M = 0.
    max_rank : int, optional
        The largest rank of M. The problem is not convex where that is less than λ leaves.
    biases : {"columns", "both"}, optional
        What is subtracted first: the mean of the known cells of each column; "both" then the mean of what is left of each row.
    scale : bool, default=False
        Whether each column is divided by the standard deviation of its known cells.
    tol : float, default=1e-4
        The search ends when the duality gap, as it is estimated, is at most this part of the objective.
    max_iter : int, default=500
        Maximum number of passes.
    keep_empty_features : bool, default=False
        Whether a column without any known cell is filled with 0 rather than left out.
    random_state : int, RandomState or None
        The seed of the directions in which Lanczos begins. The answer is the same to `tol`.

    Attributes
    ----------
    row_factors_ : ndarray of shape (n_samples, rank)
    column_factors_ : ndarray of shape (n_features, rank)
        M is row_factors_ @ column_factors_.T: the table, without its biases, divided by `column_scales_`.
    singular_values_ : ndarray of shape (rank,)
        Those of M, descending.
    components_ : ndarray of shape (rank, n_features)
        The right singular vectors of M, the entry of largest size positive.
    rank_ : int
    penalty_ : float
        λ, as given or computed.
    objective_ : float
        F(M).
    column_means_, column_scales_ : ndarray of shape (n_features,)
        What is subtracted from the columns, and what they are divided by.
    row_means_ : ndarray of shape (n_samples,)
        What is then subtracted from the rows.
    known_counts_ : ndarray of shape (n_features,)
        How many known cells each column has.
    exponent_ : int
        Cells are divided by 2^exponent_ before anything is squared, so that none is too large or too small for that.
    n_iter_ : int
        Passes.
    stopped_ : str
        "converged", or why the fit ended earlier.
    certificate_ : Certificate
        The duality gap as a part of F(M), the spectral norm of the residuals beside λ, and the gradient in the factors.

    Examples
    --------
    >>> X = [[5, None, 4], [None, 3, 4], [4, 4, None]]
    >>> SoftImpute(penalty=0.5).fit_transform(X).round(2)
    array([[5.  , 3.8 , 4.  ],
           [3.79, 3.  , 4.  ],
           [4.  , 4.  , 3.31]])
    """

    allows = frozenset({"sparse", "missing"})
    State = FactorState
    frames = 4
    exceptions = {
        "memory": "the known cells are kept in memory: factors of rows are not a sum",
        "sparse": "what a sparse table does not store is not 0 but unknown",
        "shift": "the filled table moves with its columns",
    }

    def __init__(
        self,
        penalty: PositiveFinite | None = None,
        *,
        max_rank: Count | None = None,
        biases: Biases | None = None,
        scale: bool = False,
        tol: NonNegative = 1e-4,
        max_iter: Count = 500,
        keep_empty_features: bool = False,
        random_state: Seed = None,
    ):
        self.penalty = penalty
        self.max_rank = max_rank
        self.biases = biases
        self.scale = scale
        self.tol = tol
        self.max_iter = max_iter
        self.keep_empty_features = keep_empty_features
        self.random_state = random_state

    # ---- fit -----------------------------------------------------------------------------------------------------------

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the factors of the known cells of X: those that are no NaN; of a sparse table, those that are stored."""
        return super().fit(X)

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the completed table."""
        return self.fit(X).transform(X)

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> CompletionRows:
        """The rows in memory, with their known cells."""
        rows = super().open(X, y, sample_weight, reset=reset)
        table = rows.X if in_memory(rows) else rows.each(lambda block: block.X)
        found = CompletionRows(table, rows, self.biases, self.scale)
        if not found.has_known_cells():
            raise ValueError("X has no known cell: every one is missing. Give a table in which some are known.")
        return found

    def states(self, rows: Any, since: FactorState | None = None) -> Iterator[FactorState]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        yield from search(self.problem(rows, seed), self.max_iter, since)

    def problem(self, rows: CompletionRows, seed: int) -> Problem:
        """(1) for the known cells, in their reduced units."""
        most = min(rows.cells.shape)
        if self.penalty is None:
            penalty = strongest_penalty(rows.cells) / 50.0 or 1.0
        else:
            penalty = float(np.ldexp(self.penalty, -rows.units.unit))
        if not 1e-290 < penalty < np.inf:
            raise ParameterError(f"penalty={self.penalty} is lost beside cells of this size: give another, or scale the table.")
        return Problem(rows.cells, penalty, min(self.max_rank or most, most), float(self.tol), seed)

    def attributes(self, state: FactorState, rows: Any) -> dict[str, Any]:
        problem, units = self.problem(rows, state.seed), rows.units
        balanced = triplets_of(ridge_rows(rows.cells.by_rows, state.V, problem.penalty)[0], state.V)
        B = balanced.right * np.sqrt(balanced.sizes)
        U, squares = ridge_rows(rows.cells.by_rows, B, problem.penalty)
        M = triplets_of(U, B)
        reduced = 0.5 * float(squares.sum()) + problem.penalty * float(M.sizes.sum())
        with np.errstate(over="ignore"):  # squares of far cells may be no number; nothing else is made of them
            objective = float(np.ldexp(reduced, 2 * units.unit))
        return {
            "row_factors_": np.ldexp(U, units.unit // 2),
            "column_factors_": np.ldexp(B, units.unit // 2),
            "singular_values_": np.ldexp(M.sizes, units.unit),
            "components_": np.ascontiguousarray(M.right.T),
            "rank_": len(M.sizes),
            "penalty_": float(np.ldexp(problem.penalty, units.unit)),
            "objective_": objective,
            "column_means_": np.ldexp(units.means, units.power),
            "column_scales_": np.ldexp(units.scales, units.power - units.unit),
            "row_means_": np.ldexp(rows.cells.row_means, units.unit),
            "known_counts_": rows.cells.by_columns.counts,
            "n_iter_": state.iteration,
            "exponent_": units.power,
            "certificate_": evidence(problem, U, B, objective),
        }

    def remedy(self) -> str:
        return _("Raise max_iter, tol or penalty.")

    # ---- the completed table -------------------------------------------------------------------------------------------

    @property
    def kept(self) -> Array:
        """Which columns are not left out."""
        return (self.known_counts_ > 0) | bool(self.keep_empty_features)

    def units(self) -> Units:
        """Those of the fit."""
        power, unit = self.exponent_, 0 if self.scale else self.exponent_
        means, scales = np.ldexp(self.column_means_, -power), np.ldexp(self.column_scales_, unit - power)
        return Units(power, unit, means, scales, self.biases == "both")

    def change(self, X: Array) -> Array:
        """(3) in the cells that are missing."""
        units = self.units()
        B = np.ldexp(self.column_factors_, -(units.unit // 2))
        cells, of_rows = units.reduce(cells_of(X))
        U, _squares = ridge_rows(cells, B, float(np.ldexp(self.penalty_, -units.unit)))
        with single_blas(float(X.size) * B.shape[1]):
            fitted = U @ B.T
        filled = np.where(np.isnan(X), units.restore(fitted + of_rows[:, None]), X)
        filled[:, self.known_counts_ == 0] = 0.0
        return filled[:, self.kept].astype(X.dtype, copy=False)

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        """New data as checked rows, with NaN in the cells that a sparse table does not store."""
        rows = super().new_rows(X, sample_weight)
        return HoledRows(rows.X, rows) if in_memory(rows) and sparse.issparse(rows.X) else rows

    def transform(self, X: Any) -> Any:
        """The rows with their missing cells filled by (3): an array, or opened rows that are changed as they are read."""
        check_is_fitted(self)
        self.warn_of_left_out()
        rows = self.new_rows(X)
        if in_memory(rows):
            warn_of_empty_rows(rows)
        return rows.map(self.change) if isinstance(X, Rows) else rows.apply_transform(self.change)

    def predict_cells(self, rows: Any, columns: Any) -> Array:
        """Single cells of M, in the units of the training table: one for each number of a row and number of a column, from 0.
        In a column without known cells it is NaN, or 0 with `keep_empty_features`."""
        check_is_fitted(self)
        i, j = np.broadcast_arrays(np.asarray(rows), np.asarray(columns))
        for name, numbers, length in (("row", i, len(self.row_factors_)), ("column", j, self.n_features_in_)):
            refuse_outside(name, numbers, length)
        units = self.units()
        U, B = (np.ldexp(factors, -(units.unit // 2)) for factors in (self.row_factors_[i], self.column_factors_[j]))
        found = units.restore((U * B).sum(axis=-1) + np.ldexp(self.row_means_[i], -units.unit), j)
        return np.where(self.known_counts_[j] > 0, found, 0.0 if self.keep_empty_features else np.nan)

    def warn_of_left_out(self) -> None:
        """Say which columns are left out."""
        if self.kept.all():
            return
        names = super().get_feature_names_out()[~self.kept]
        warnings.warn(
            f"Skipping features without any observed values: {names}. Give keep_empty_features=True to keep them.",
            UserWarning,
            stacklevel=3,
        )

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The names of the columns that are kept."""
        check_is_fitted(self)
        return np.asarray(super().get_feature_names_out(input_features))[self.kept]


def warn_of_empty_rows(rows: Rows) -> None:
    """Say which rows have no known cell: nothing is known of them."""
    empty = np.flatnonzero(rows.each(lambda block: np.isnan(block.X).all(axis=1)))
    if len(empty):
        shown = f"{empty[:5].tolist()}{' …' if len(empty) > 5 else ''}"
        warnings.warn(
            f"{len(empty)} row(s) have no known cell: {shown}. They are filled with the means of the columns if `biases` are "
            "subtracted, else with 0. Leave them out if that says nothing.",
            UserWarning,
            stacklevel=3,
        )


def refuse_outside(name: str, numbers: Array, length: int) -> None:
    """Numbers of rows or columns that there are not."""
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"The {name} numbers must be whole numbers, got {numbers.dtype}.")
    outside = (numbers < 0) | (numbers >= length)
    if outside.any():
        raise ValueError(f"There is no {name} {numbers[outside].flat[0]}: the training table has {length}, counted from 0.")
