"""What linear classifiers share: t_k = b_k + xᵀw_k, one plane for two classes, else one for each class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.learner import Classifier
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array
from aprendiz.linear.shared.sparse_coefficients import sparse_coefficients


class LinearClassifier(Classifier):
    """Predicts the class whose t is largest; of two classes the second where t is positive."""

    classes_: Array
    coef_: Any
    intercept_: Array

    def decision_function(self, X: Any) -> Array:
        """t of each row: one column for each class, a vector for two classes."""
        return self.of_scores(lambda t: t[:, 0] if len(self.classes_) == 2 else t, X)

    def of_scores(self, function: Callable[[Array], Array], X: Any) -> Array:
        """A function of t (rows × planes), which is double, for each row, in the precision of X and of the coefficients."""
        rows = self.new_rows(X)
        W = double(self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_).T
        b = double(self.intercept_)
        return rows.each(lambda block: in_dtype_of(function(block.X @ W + b), block.X, self.coef_))

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        t = self.decision_function(X)
        return self.classes_[self.above(t).astype(np.intp) if t.ndim == 1 else t.argmax(axis=1)]

    @staticmethod
    def above(t: Array) -> Array:
        """On which side of the plane a row is."""
        return t > 0

    def sparsify(self) -> Self:
        """Keep the coefficients as a sparse matrix."""
        self.coef_ = sparse_coefficients(self.coef_)
        return self

    def densify(self) -> Self:
        """Keep the coefficients as an array."""
        if sparse.issparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self
