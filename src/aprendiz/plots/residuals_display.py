"""Pictures of a regression: predictions against targets, and residuals against predictions or a column.

On the left a perfect model lies on the diagonal; on the right residuals y − ŷ should scatter around 0 without a pattern:
a bend says that a term is missing, a funnel that the noise grows with the prediction. Against a column, be it one of the model
or not, a bend says in which column the missing term is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target
from aprendiz.evaluation.inputs.labels_and_numbers import measurements, same_rows
from aprendiz.evaluation.regression_errors import RegressionErrors, regression_errors
from aprendiz.locale import _, number
from aprendiz.plots.models.fold_scores import fold_predictions
from aprendiz.plots.models.responses import numbers_predicted
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, INK, VERMILION, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_ROWS = 2000  # rows from which marks become smaller and paler


class ResidualsDisplay(Display):
    """Predictions and residuals as a pair of pictures.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        Targets and predictions, of one target.
    against : array-like of shape (n_rows,), optional
        A column to draw the residuals against; by default the predictions. The name of a series is that of the axis.
    name : str, optional
        The name of that axis, where `against` is no series.
    curve : bool, default=False
        Whether to draw the parabola of least squares through the residuals: a missing square bends it.

    Attributes
    ----------
    ax_ : ndarray of two matplotlib Axes
        Predictions against targets, residuals against predictions or the column.
    figure_ : matplotlib Figure
        Where they were drawn.
    errors : RegressionErrors
        The errors of these rows.
    """

    errors: RegressionErrors

    def __init__(self, y_true: Any, y_pred: Any, *, against: Any = None, name: str | None = None, curve: bool = False) -> None:
        self.errors = regression_errors(y_true, y_pred)
        self.y_true, self.y_pred = measurements("y_true", y_true), measurements("y_pred", y_pred)
        if self.y_true.ndim != 1:
            raise ValueError(f"y_true has {self.y_true.shape[1]} targets: draw one at a time, such as y_true[:, 0].")
        self.against = self.y_pred if against is None else measurements("against", against)
        self.column = None if against is None else str(name or getattr(against, "name", None) or "")
        self.curve = curve
        same_rows("y_true", self.y_true, "against", self.against)
        if self.against.ndim != 1:
            raise ValueError(f"against has {self.against.shape[1]} columns: draw against one at a time, such as X[:, 0].")

    @classmethod
    def from_predictions(cls, y_true: Any, y_pred: Any, *, against: Any = None, ax: Sequence[Axes] | None = None) -> Self:
        """Compare and draw."""
        return cls(y_true, y_pred, against=against).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, against: Any = None, ax: Sequence[Axes] | None = None) -> Self:
        """Ask a fitted regressor for its predictions, compare and draw. The rows should be others than it was fitted to."""
        return cls.from_predictions(y, numbers_predicted(estimator, X), against=against, ax=ax)

    @classmethod
    def from_cv_results(
        cls, cv_results: Any, X: Any = None, y: Any = None, *, against: Any = None, ax: Sequence[Axes] | None = None
    ) -> Self:
        """Compare the predictions for the test rows of all folds, and draw: of `evaluate`, or, with X and y, of scikit-learn's
        `cross_validate(…, return_estimator=True, return_indices=True)`. `against` has a value for each row of the table."""
        rows, truth, predicted = fold_predictions(cv_results, X, y)
        column = None if against is None else as_target(against)[rows]
        found = cls(truth, predicted, against=column, name=getattr(against, "name", None))
        return found.plot(ax)

    def plot(self, ax: Sequence[Axes] | None = None) -> Self:
        """Draw both pictures, on a new figure or on a pair of axes."""
        left, right = self.open_panels(ax, 1, 2, count=2, width=9.0, height=4.2)
        self.compare(left)
        self.scatter(right, self.against, self.y_true - self.y_pred)
        if self.curve:
            self.draw_parabola(right)
        right.axhline(0.0, color=INK, zorder=3, linewidth=1, linestyle=DASHED)
        title = _("bias {bias}, RMSE {rmse}").format(bias=number(self.errors.bias), rmse=number(self.errors.rmse))
        along = _("predicted") if self.column is None else self.column or _("column")
        tidy(right, x=along, y=_("residual (observed − predicted)"), title=title)
        return self

    def draw_parabola(self, ax: Axes) -> None:
        """The parabola through the residuals; nothing where the column has fewer than three values."""
        if len(np.unique(self.against)) < 3:
            return
        fit = np.polynomial.Polynomial.fit(self.against, self.y_true - self.y_pred, 2)
        x = np.linspace(self.against.min(), self.against.max(), 200)
        ax.plot(x, fit(x), color=VERMILION, zorder=3, linewidth=1.6)

    def compare(self, ax: Axes) -> None:
        """Predictions against targets, with the same scale on both axes."""
        both = np.r_[self.y_true, self.y_pred]
        low, high = both.min(), both.max()
        room = 0.05 * (high - low) or 0.5
        self.scatter(ax, self.y_true, self.y_pred)
        ax.plot([low, high], [low, high], color=INK, zorder=3, linewidth=1, linestyle=DASHED)
        ax.set(xlim=(low - room, high + room), ylim=(low - room, high + room), aspect="equal")
        quality = f"R² {number(self.errors.r2)}, NMSE {number(self.errors.nmse)}"
        title = _("no R²: the target is constant") if np.isnan(self.errors.r2) else quality
        tidy(ax, x=_("observed"), y=_("predicted"), title=title)

    def scatter(self, ax: Axes, x: Array, y: Array) -> None:
        """Marks that let overlaps be seen, drawn as pixels where there are many."""
        crowded = len(x) > MANY_ROWS
        size, alpha = (2.0, 0.25) if crowded else (4.5, 0.6)
        ax.plot(
            x, y, linestyle="none", marker="o", markersize=size, markeredgewidth=0, color=BLUE, alpha=alpha, rasterized=crowded
        )
