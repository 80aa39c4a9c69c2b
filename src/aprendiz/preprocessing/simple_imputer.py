"""Imputation column by column: a missing cell gets a typical value of its column.

    mean            Σ w x / Σ w over the known cells                     numbers
    median          the exact one, also from files (summaries/quantiles.py)   numbers
    most_frequent   the value with most weight, the smallest of several  numbers and words
    constant        a given value                                        numbers and words
    auto            the mean of numbers, the most frequent word          each column by its kind

A filled cell looks like a known one to whatever follows. Where the absence itself may say something, `add_indicator` adds a
column of zeros and ones for each column that had missing cells. The statistics belong to the training rows: fit the imputer
inside the folds of a cross-validation, with a pipeline. `drop_missing` leaves out the rows with missing cells instead.

Cost: one pass, O(n·d); the median takes three passes, the most frequent value O(n·d·log n) and memory for the distinct values.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.impute import MissingIndicator
from sklearn.utils.validation import check_is_fitted

from aprendiz.compilation.compiled import compiled
from aprendiz.core.cells import Cells, cells_of
from aprendiz.core.certificate import Certificate
from aprendiz.core.frames import as_frame, is_missing
from aprendiz.core.inputs import features, holds_words, is_read_in_blocks, note_columns
from aprendiz.core.learner import Passes, Transformer
from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import Spread, Sums, find_pivot
from aprendiz.core.tables import first_bad_cell, refuse_bad_block, refuse_cell
from aprendiz.core.targets import weights
from aprendiz.preprocessing.shared.missing_cells import filled_words, gap, objects_of, refuse_gaps, refuse_other_kind, without
from aprendiz.preprocessing.shared.most_frequent_values import most_frequent
from aprendiz.summaries.quantiles import quantiles, sorted_quantiles

Strategy = Literal["mean", "median", "most_frequent", "constant", "auto"]


class SimpleImputer(Transformer, Passes):
    """Fill missing cells with a statistic of their column (drop-in for scikit-learn's; words and numbers side by side).

    Parameters
    ----------
    missing_values : number, str, NaN, None or pandas.NA, default=NaN
        What stands for a missing cell. The last three mean the same.
    strategy : {"mean", "median", "most_frequent", "constant", "auto"} or function, default="mean"
        See above. A function is called with the known cells of a column, in memory.
    fill_value : number or str, optional
        The value of "constant"; by default 0, and "missing_value" in a table with words.
    copy : bool, default=True
        No effect: the data passed in are never changed.
    add_indicator : bool, default=False
        Whether to add columns that say which cells were missing.
    keep_empty_features : bool, default=False
        Whether a column without any known cell is filled with 0 (or `fill_value`) rather than left out.

    Attributes
    ----------
    statistics_ : ndarray of shape (n_features,)
        What each column is filled with; NaN for a column that is left out.
    indicator_ : sklearn.impute.MissingIndicator or None
    certificate_ : Certificate
        The number of missing cells, the largest share of them in a column, and which column that is.
    """

    allows = frozenset({"sparse", "missing"})
    differences = {"copy": "no effect: the data passed in are never changed"}
    exceptions = {"shift": "the filled table moves with its columns"}

    def __init__(
        self,
        *,
        missing_values: Any = np.nan,
        strategy: Strategy | Callable[..., Any] = "mean",
        fill_value: Any = None,
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
    ):
        self.missing_values = missing_values
        self.strategy = strategy
        self.fill_value = fill_value
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features

    # ---- fit -----------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find what each column is filled with. Returns the learner itself."""
        if not self.has_words(X):
            return super().fit(X, y, sample_weight)
        self.refuse_parameters()
        frame = as_frame(X)
        names = None if frame is None else list(frame.columns)
        columns = self.cells(X)
        weight = weights(sample_weight, len(columns[0]))
        noted = note_columns(self, X, len(columns), names, reset=True)
        counts = np.ones(len(columns[0]), bool) if weight is None else weight > 0
        gaps = Gaps(int(counts.sum()), np.array([int(np.sum(gap(c) & counts)) for c in columns]))
        statistics = np.empty(len(columns), object)
        statistics[:] = [self.of_words(c, weight) for c in columns]
        return self.settle({**noted, **self.answer(statistics, gaps)})

    def refuse_parameters(self) -> None:
        """What stands for a missing cell, or fills one, must be a single value."""
        check_parameters(self)
        for name in ("missing_values", "fill_value"):
            if not np.isscalar(getattr(self, name)) and not is_missing(getattr(self, name)):
                raise ParameterError(f"{name} of SimpleImputer must be a number, a word or None, got {getattr(self, name)!r}.")

    def learned(self, rows: Rows) -> dict[str, Any]:
        known = rows.sum(Gaps.of)
        statistics = self.of_numbers(rows)
        empty = known.missing == known.rows
        if self.strategy != "constant":
            statistics = np.where(empty, 0.0 if self.keep_empty_features else np.nan, statistics)
        elif not self.keep_empty_features:
            statistics = np.where(empty, np.nan, statistics)
        return self.answer(statistics, known)

    def answer(self, statistics: Array, gaps: Gaps) -> dict[str, Any]:
        """The attributes that follow from the statistics."""
        indicator = None
        if self.add_indicator:
            pattern = np.where(gaps.missing > 0, np.nan, 0.0)[None, :]
            indicator = MissingIndicator(error_on_new=False).fit(pattern)
        return {"statistics_": statistics, "indicator_": indicator, "certificate_": gaps.certificate()}

    def of_numbers(self, rows: Rows) -> Array:
        """The statistic of each column of numbers."""
        if self.strategy == "constant":
            return np.full(rows.columns, self.filling(0, "numbers"), dtype=np.float64)
        if self.strategy == "median":
            return quantiles(rows, [0.5])[0]
        if self.strategy == "most_frequent":
            return most_frequent(rows)
        if callable(self.strategy):
            return self.by_function(rows)
        return rows.sum(Spread.of, find_pivot(rows)).mean

    def by_function(self, rows: Rows) -> Array:
        if not in_memory(rows):
            raise TypeError("A function as strategy needs whole columns in memory: choose a strategy by its name.")
        self.refuse_weights(rows.weight)
        table = rows.X if rows.dense else rows.X.toarray()
        known = (column[~np.isnan(column)] for column in table.T)
        return np.array([self.strategy(cells) if len(cells) else np.nan for cells in known])  # type: ignore[operator]

    def of_words(self, column: Cells, weight: Array | None) -> Any:
        """The statistic of a column in a table with words."""
        counts = ~gap(column) if weight is None else ~gap(column) & (weight > 0)
        known, weight = column.values[counts], None if weight is None else weight[counts]
        if column.are_numbers:
            column.numbers()  # refuses infinite ones
        if self.strategy == "constant":
            keep = len(known) or self.keep_empty_features
            return self.filling("missing_value", "words") if keep else np.nan
        if not len(known):
            return 0 if self.keep_empty_features else np.nan
        if callable(self.strategy):
            self.refuse_weights(weight)
            return self.strategy(known)
        if self.strategy == "most_frequent" or (self.strategy == "auto" and not column.are_numbers):
            values, number = np.unique(known, return_inverse=True)
            return values[np.argmax(np.bincount(number, weight))]
        if not column.are_numbers:
            raise ValueError(
                f"Cannot use {self.strategy} strategy with non-numeric data: column {column.name!r} holds {known[0]!r}. "
                'Choose "most_frequent", "constant" or "auto".'
            )
        if self.strategy == "median":
            return float(sorted_quantiles(known, weight, np.array([0.5]))[0])
        return float(np.average(known, weights=weight))

    @staticmethod
    def refuse_weights(weight: Array | None) -> None:
        if weight is not None:
            raise ValueError("sample_weight cannot be given to a function as strategy: choose a strategy by its name.")

    def filling(self, usual: Any, kind: str) -> Any:
        value = usual if self.fill_value is None else self.fill_value
        if kind == "numbers" and isinstance(value, str):
            raise ValueError(f"fill_value={value!r} is a word, but every column holds numbers: give a number.")
        return value

    # ---- what is missing -----------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        self.refuse_parameters()
        return self.mark_missing(super().open(X, y, sample_weight, reset=reset))

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        return self.mark_missing(super().new_rows(X, sample_weight))

    def mark_missing(self, rows: Rows) -> Rows:
        """Rows whose missing cells are NaN, whatever stood for them."""
        if is_missing(self.missing_values):
            return rows
        if isinstance(self.missing_values, str):
            raise ValueError(f"missing_values={self.missing_values!r} is a word, but every column holds numbers.")
        if not in_memory(rows):
            return rows.changed(lambda block: replace(block, X=read_only(self.hide_missing(refuse_bad_block(block).X))))
        if not rows.dense and self.missing_values == 0:
            raise ValueError("Imputation not possible when missing_values == 0 and input is sparse: use X.toarray().")
        for block in rows.blocks():
            refuse_bad_block(block)
        if rows.dense:
            return rows.like(X=self.hide_missing(rows.X))
        table = rows.X.copy()
        table.data = self.hide_missing(table.data)
        return rows.like(X=table)

    def hide_missing(self, X: Array) -> Array:
        return np.where(self.missing_values == X, X.dtype.type(np.nan), X)

    def has_words(self, X: Any) -> bool:
        if isinstance(X, np.ndarray) and X.dtype.kind in "US":
            raise ValueError(
                f"SimpleImputer does not support data with dtype {X.dtype}: in an array of words NaN is the word 'nan'. "
                "Give an array of objects (dtype=object), or a data frame."
            )
        return not is_read_in_blocks(X) and holds_words(X, as_frame(X))

    def cells(self, X: Any) -> list[Cells]:
        """The columns of a table with words, None or NaN where a cell is missing."""
        hide = self.missing_values
        if is_missing(hide):
            return list(cells_of(X))
        if not isinstance(hide, str) and as_frame(X) is None:  # a number that may stand among words
            table = np.asarray(X, dtype=object)
            for j in range(table.shape[1]):
                refuse_gaps(np.frompyfunc(is_missing, 1, 1)(table[:, j]).astype(bool), j, hide)
            return list(cells_of(np.where(table == hide, objects_of([None]), table)))
        columns = list(cells_of(X))
        for column in columns:
            refuse_gaps(gap(column), column.name, hide)
        return [replace(column, values=without(column, hide)) for column in columns]

    def warn_of_left_out(self) -> None:
        """Say which columns are left out."""
        if self.kept.all():
            return
        left_out = np.flatnonzero(~self.kept)
        names = getattr(self, "feature_names_in_", None)
        shown = left_out if names is None else names[left_out]
        warnings.warn(
            f"Skipping features without any observed values: {shown}. Give keep_empty_features=True to keep them.",
            UserWarning,
            stacklevel=3,
        )

    # ---- transform -----------------------------------------------------------------------------------------------------

    @property
    def kept(self) -> Array:
        """Which columns are not left out."""
        if self.statistics_.dtype != object:
            return ~np.isnan(self.statistics_)
        return np.array([not is_missing(value) for value in self.statistics_])

    def change(self, X: Array) -> Array:
        missing = np.isnan(X)
        filled = np.where(missing, self.statistics_.astype(X.dtype), X)
        if not self.kept.all():
            filled = filled[:, self.kept]
        if not self.add_indicator:
            return filled
        return np.hstack([filled, missing[:, self.indicator_.features_].astype(X.dtype)])

    def transform(self, X: Any) -> Any:
        """The rows with their missing cells filled, and the columns of the indicator if asked for."""
        check_is_fitted(self)
        self.warn_of_left_out()
        if sparse.issparse(X):
            return self.filled_sparse(X)
        if self.statistics_.dtype != object:  # every column of the fit held numbers
            return super().transform(X)
        frame = as_frame(X)
        columns = self.cells(X)
        note_columns(self, X, len(columns), None if frame is None else list(frame.columns), reset=False)
        if self.strategy != "constant":
            for column, value in zip(columns, self.statistics_, strict=True):
                refuse_other_kind(column, value)
        filled = [filled_words(c, value) for c, value in zip(columns, self.statistics_, strict=True) if not is_missing(value)]
        if self.add_indicator:
            filled += [objects_of(gap(columns[j])) for j in self.indicator_.features_]
        return np.column_stack(filled) if filled else np.empty((len(columns[0]), 0), object)

    def filled_sparse(self, X: Any) -> Any:
        """A sparse matrix with its stored missing cells filled."""
        table, _ = features(self, X, reset=False)
        rows = self.mark_missing(ArrayRows(table))
        table = rows.X.copy() if in_memory(rows) else table
        missing = np.isnan(table.data)
        cells = (missing.astype(table.dtype), table.indices.copy(), table.indptr.copy())
        mask = sparse.csr_matrix(cells, shape=table.shape)
        mask.eliminate_zeros()
        table.data[missing] = self.statistics_[table.indices[missing]]
        table = table[:, np.flatnonzero(self.kept)]
        return sparse.hstack([table, mask[:, self.indicator_.features_]], format="csr") if self.add_indicator else table

    def inverse_transform(self, X: Any) -> Array:
        """Back to the table before: cells that the indicator marks are missing again (needs `add_indicator`)."""
        check_is_fitted(self)
        if not self.add_indicator:
            raise ValueError("'inverse_transform' works only when 'SimpleImputer' is made with add_indicator=True.")
        table, marks = np.asarray(X), len(self.indicator_.features_)
        if table.ndim != 2 or table.shape[1] != self.kept.sum() + marks:
            wanted = f"{self.kept.sum() + marks} are needed, {marks} of them of the indicator"
            raise ValueError(f"X has {table.shape[-1]} features, but {wanted}: give what transform gave.")
        if table.dtype.kind == "f" and (bad := first_bad_cell(table, missing_is_fine=True)):
            refuse_cell(*bad, None)
        nothing = self.missing_values
        if is_missing(nothing):
            nothing = None if table.dtype == object else np.nan
        original = np.full((len(table), len(self.statistics_)), nothing, table.dtype)
        original[:, self.kept] = table[:, : table.shape[1] - marks]
        where = np.zeros(original.shape, bool)
        where[:, self.indicator_.features_] = table[:, table.shape[1] - marks :].astype(bool)
        original[where] = nothing
        return original

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The names of the columns that are kept, then those of the indicator."""
        check_is_fitted(self)
        given = input_features if input_features is not None else getattr(self, "feature_names_in_", None)
        names = np.array([f"x{j}" for j in range(self.n_features_in_)] if given is None else given, dtype=object)
        if len(names) != self.n_features_in_ or (
            hasattr(self, "feature_names_in_") and list(names) != list(self.feature_names_in_)
        ):
            raise ValueError("input_features is not equal to feature_names_in_: give the names of the fit, or none.")
        if not self.add_indicator:
            return names[self.kept]
        return np.concatenate([names[self.kept], [f"missingindicator_{names[j]}" for j in self.indicator_.features_]])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = is_missing(self.missing_values)
        tags.input_tags.string = True
        return tags


# ---- statistics --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gaps(Sums):
    """Rows that count, and how many cells of each column are missing in them."""

    rows: int
    missing: Array

    @classmethod
    def of(cls, block: Block) -> Self:
        missing = np.zeros(block.X.shape[1], np.int64)
        return cls(count_missing(block.X, block.weights, missing), missing)

    def certificate(self) -> Certificate:
        """That every column has at least one known cell in a row that counts."""
        share = self.missing / max(self.rows, 1)
        worst = int(np.argmax(share))
        known = {"missing": int(self.missing.sum()), "share": float(share[worst]), "column": worst}
        return Certificate("every column has known cells to fill the others from", bool(share[worst] < 1), known)


@compiled
def count_missing(X: Array, w: Array, missing: Array) -> int:
    """Count the missing cells of each column in the rows that count; how many rows those are."""
    rows = 0
    for i in range(X.shape[0]):
        if w[i] > 0.0:
            rows += 1
            for j in range(X.shape[1]):
                missing[j] += X[i, j] != X[i, j]
    return rows
