"""Scalers of the form z = (x − m)/s: what they share once m and s are known.

Dense rows are shifted and scaled; sparse ones can only be scaled, since a shift would fill their zeros.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.inputs import features
from aprendiz.core.learner import Transformer
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory

NO_CENTRE = "Cannot center sparse matrices: pass {option}=False, or dense data."


def as_given(found: Any, X: Any) -> Any:
    """Scaled cells in half precision where X has it; computed in double precision all the same."""
    return found.astype(np.float16) if isinstance(X, np.ndarray) and X.dtype == np.float16 else found


class Affine(OneToOneFeatureMixin, Transformer):
    """z = (x − m)/s, each part of it only if wanted."""

    centring: str  # name of the parameter that asks for m

    @abstractmethod
    def centre_and_unit(self) -> tuple[Array | None, Array | None]:
        """m and s, None where they are not wanted."""

    def refuse_sparse(self, rows: Rows) -> None:
        """Sparse rows cannot be centred."""
        if getattr(self, self.centring) and in_memory(rows) and rows.sparse:
            raise ValueError(NO_CENTRE.format(option=self.centring))

    def change(self, X: Array) -> Array:
        m, s = self.centre_and_unit()
        Z = X.astype(np.float64) if m is None else X - m
        if s is not None:
            Z /= s
        return Z.astype(X.dtype, copy=False)

    def back(self, Z: Array) -> Array:
        """x = z·s + m."""
        m, s = self.centre_and_unit()
        X = Z.astype(np.float64) if s is None else Z * s
        return (X if m is None else X + m).astype(Z.dtype, copy=False)

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """z, for arrays, frames, sparse matrices (without centring) or opened rows."""
        return self.scale_sparse(X, forward=True) if sparse.issparse(X) else as_given(super().transform(X), X)

    def inverse_transform(self, X: Any, copy: bool | None = None) -> Any:
        """Back to the original units."""
        if sparse.issparse(X):
            return self.scale_sparse(X, forward=False)
        return as_given(self.new_rows(X).each(lambda block: self.back(block.X)), X)

    def scale_sparse(self, X: Any, *, forward: bool) -> Any:
        """A sparse matrix with its columns divided by s, or multiplied."""
        check_is_fitted(self)
        table, _ = features(self, X, reset=False)
        m, s = self.centre_and_unit()
        if m is not None:
            raise ValueError(NO_CENTRE.format(option=self.centring))
        if s is None:
            return table.copy()
        return table.multiply(1.0 / s if forward else s).tocsr().astype(table.dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not getattr(self, self.centring)
        return tags
