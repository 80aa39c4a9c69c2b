"""What the learners that complete tables share: known cells at the door, factors as attributes, and filled rows.

With B the factors of the columns and o the known cells of a row x,

    m(x) = B (B_oᵀB_o + λI)⁻¹ B_oᵀx_o                                                                         (1)

is what stands in its unknown cells, and for a training row this is its row of M. Known cells stay as they are.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.stored import Check, has_shape
from aprendiz.decomposition.completion.duality_gap import evidence
from aprendiz.decomposition.completion.factor_search import Problem, triplets_of
from aprendiz.decomposition.completion.known_cells import Biases, CompletionRows, HoledRows, KnownCells, Units, cells_of
from aprendiz.decomposition.completion.ridge_rows import ridge_rows
from aprendiz.locale import _


def factors_fit_columns(held: Mapping[str, Any]) -> bool:
    """Are there the factors, the mean and the scale of each column?"""
    d = held.get("n_features_in_")
    means = has_shape(held, "column_means_", d) and has_shape(held, "column_scales_", d)
    return means and has_shape(held, "column_factors_", d, held.get("rank_"))


FACTORS = Check(factors_fit_columns, "column_factors_, rank_ and n_features_in_ do not go together; fit it again")


class Completer(OneToOneFeatureMixin, Transformer, Iterative):
    """What SoftImpute and SoftImputeCV share."""

    biases: Biases | None
    scale: bool
    tol: float
    max_iter: int
    keep_empty_features: bool

    stored_check = FACTORS
    allows = frozenset({"sparse", "missing"})
    frames = 4

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
        refuse_far_cells(found)
        return found

    def problem(self, cells: KnownCells, units: Units, penalty: float, most: int | None, seed: int) -> Problem:
        """The problem for a penalty in the units of the table."""
        reduced, least = float(np.ldexp(penalty, -units.unit)), min(cells.shape)
        if not 1e-290 < reduced < np.inf:
            raise ParameterError(f"penalty={penalty} is lost beside cells of this size: give another, or scale the table.")
        return Problem(cells, reduced, min(most or least, least), float(self.tol), seed)

    def factors(self, problem: Problem, rows: CompletionRows, V: Array) -> dict[str, Any]:
        """The fitted attributes that follow from column factors. Row factors are those of (1), to the bit."""
        units = rows.units
        balanced = triplets_of(ridge_rows(rows.cells.by_rows, V, problem.penalty)[0], V)
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
        """(1) in the cells that are missing."""
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
        """The rows with their missing cells filled by (1): an array, or opened rows that are changed as they are read."""
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


def refuse_far_cells(rows: CompletionRows) -> None:
    """Cells so large that a singular value of the table may be no number."""
    cells = cells_of(rows.X)
    largest = float(max(cells.values.max(), -cells.values.min()))
    if largest < 2.0**900 or np.linalg.norm(cells.values / largest) * (largest / 2.0**1023) < 1.99:
        return
    column = int(cells.places[np.abs(cells.values).argmax()])
    name = column if rows.names is None else repr(rows.names[column])
    raise ValueError(
        f"Input X holds values too large to be squared and added: {largest:.3g} in column {name}. Scale the column."
    )


def refuse_outside(name: str, numbers: Array, length: int) -> None:
    """Numbers of rows or columns that there are not."""
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"The {name} numbers must be whole numbers, got {numbers.dtype}.")
    outside = (numbers < 0) | (numbers >= length)
    if outside.any():
        raise ValueError(f"There is no {name} {numbers[outside].flat[0]}: the training table has {length}, counted from 0.")
