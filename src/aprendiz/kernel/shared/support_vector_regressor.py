"""What support vector regressors share: one problem, numbers as targets, and f(x) = Σβ_i K(x_i, x) + b."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.learner import Regressor
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.dual.problem import DualProblem
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.shared.kernel_machine import KernelMachine, Training
from aprendiz.kernel.shared.one_sum import answer_of_rows, plane_of


class SupportVectorRegressor(Regressor, KernelMachine):
    """Support vector machines for numbers."""

    centred_intercept_: Array

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data with one target; a column is taken as a vector, with a warning as in scikit-learn."""
        if getattr(y, "ndim", 1) == 2 and y.shape[1] == 1:
            told = "A column-vector y was passed when a 1d array was expected: give y.ravel()."
            warnings.warn(told, DataConversionWarning, stacklevel=5)
            y = np.asarray(y).ravel()
        elif getattr(y, "ndim", 1) == 2:
            raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
        return super().open(X, y, sample_weight, reset=reset)

    @abstractmethod
    def coefficients(self, problem: DualProblem, one: DualState) -> tuple[Array, float]:
        """β of each row and b."""

    def conclude(self, training: Training, parts: list[DualState], evidence: list[Any], rows: Rows) -> dict[str, Any]:
        beta, b = self.coefficients(training.problems[0], parts[0])
        return answer_of_rows(training, beta, b, parts[0])

    def predict(self, X: Any) -> Array:
        """f(x) of each row."""
        check_is_fitted(self)
        dual = self.dual_coef_.toarray() if sparse.issparse(self.dual_coef_) else self.dual_coef_
        return self.sums_over_support(X, np.ascontiguousarray(dual[0])) + self.centred_intercept_[0]

    def plot(self, X: Any, y: Any, *, ax: Any = None) -> Picture:
        """f and its tube over the training rows of one column: a `TubeDisplay`. Needs matplotlib."""
        return display("TubeDisplay")(self, X, y).plot(ax)

    @property
    def coef_(self) -> Any:
        """The plane of the linear kernel."""
        return plane_of(self)
