"""Selectors: transformers that keep some columns as they are, and leave out the others.

    (x₁ … x_d) ↦ (x_j : j ∈ S)                                                                                (1)

A leaf settles `support_`, the mask of S. A choice of no column is refused when it is made (`refuse_nothing`): whatever follows
would stop at an empty matrix that says nothing of why.

Tables keep their form: arrays their dtype, sparse matrices stay sparse, opened rows are cut as they are read, and of a table
with words the same kind of frame is handed out.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.frames import as_frame
from aprendiz.core.inputs import features, note_columns
from aprendiz.core.learner import Transformer
from aprendiz.core.rows import Array, Rows
from aprendiz.core.tables import first_bad_cell, refuse_cell
from aprendiz.locale import _

IN_MEMORY = "learners are fitted to many sets of rows or columns: the table is kept in memory"  # why some read no files


class Selector(SelectorMixin, Transformer):
    """Keeps the columns of `support_`."""

    exceptions: ClassVar[Mapping[str, str]] = {"shift": "the kept cells move with their columns"}
    support_: Array

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_

    def change(self, X: Array) -> Array:
        """(1)."""
        return X[:, self.get_support(indices=True)]

    def transform(self, X: Any) -> Any:
        """The chosen columns of X: a table at once, opened rows as they are read, a lazy collection when it is computed."""
        check_is_fitted(self)
        if not self.get_support().any():  # as it was asked for
            self.warn_of_nothing()
        if isinstance(X, Rows):
            return self.new_rows(X).map(self.change, self.chosen_names(X))
        if getattr(self, "columns_", None) is not None:
            return self.of_words(X)
        if sparse.issparse(X):
            return features(self, X, reset=False)[0][:, self.get_support(indices=True)]
        return Transformer.transform(self, X)

    def warn_of_nothing(self) -> None:
        """Say that the table that is handed out has no columns."""
        warnings.warn(_("No features were selected: k or percentile is 0."), UserWarning, stacklevel=3)

    def inverse_transform(self, X: Any) -> Any:
        """Back to the columns of the fit: those that were left out are zeros."""
        table, count = X if sparse.issparse(X) else np.asarray(X), int(self.get_support().sum())
        if table.ndim == 2 and table.shape[1] != count:
            raise ValueError(f"X has {table.shape[1]} columns, but {count} were chosen: give what transform gave.")
        missing = "missing" in self.allows
        if not sparse.issparse(X) and table.dtype.kind == "f" and (bad := first_bad_cell(table, missing_is_fine=missing)):
            refuse_cell(*bad, None)
        return SelectorMixin.inverse_transform(self, X)

    def chosen_names(self, rows: Rows) -> list[Any] | None:
        """The names of the chosen columns, where the rows have names."""
        return None if rows.names is None else [rows.names[j] for j in self.get_support(indices=True)]

    def of_words(self, X: Any) -> Any:
        """The chosen columns of a table with words, as they are."""
        frame, chosen = as_frame(X), self.get_support(indices=True)
        if frame is not None:
            note_columns(self, X, len(frame.columns), list(frame.columns), reset=False)
            return frame[:, chosen.tolist()].to_native()
        table = np.asarray(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
        if table.ndim != 2:
            raise ValueError(f"Expected 2D array, got {table.ndim}D array instead: give a table of rows and columns.")
        note_columns(self, X, table.shape[1], None, reset=False)
        return table[:, chosen]


def refuse_nothing(support: Array, why: str) -> None:
    """Stop where no column is chosen. `why` says which bound none of them met, how near the best came, and what to do."""
    if not support.any():
        raise ValueError(f"No column is chosen: {why}")
