"""What all linear regressors share: ŷ = b + xᵀw."""

from __future__ import annotations

from typing import Any

from aprendiz.core.learner import Regressor
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import find_pivot


class LinearRegressor(Regressor):
    """Predicts b + xᵀw, for one target or several."""

    fit_intercept: bool
    coef_: Array
    intercept_: Any

    def pivot(self, rows: Rows) -> Array:
        """A point inside the data to sum around; without an intercept nothing may be shifted."""
        pivot = find_pivot(rows, target=True)
        return pivot if self.fit_intercept else 0.0 * pivot

    def line(self, W: Array, b: Array, target: tuple[int, ...] | None) -> dict[str, Any]:
        """The attributes of w (features × targets) and b, in the shape of the targets."""
        flat = target == ()
        return {
            "coef_": W[:, 0] if flat else W.T,
            "intercept_": 0.0 if not self.fit_intercept else b[0] if flat else b,
        }

    def flat_line(self, W: Array, b: Array, target: tuple[int, ...] | None) -> dict[str, Any]:
        """The same, but one target in a column has a vector of coefficients, as scikit-learn's ridge regressions have it."""
        found = self.line(W, b, target)
        return {**found, "coef_": W[:, 0]} if target == (1,) else found

    def predict(self, X: Any) -> Array:
        """b + xᵀw of each row."""
        rows = self.new_rows(X)
        W, b = double(self.coef_).T, double(self.intercept_)
        return rows.each(lambda block: in_dtype_of(block.X @ W + b, block.X, self.coef_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
