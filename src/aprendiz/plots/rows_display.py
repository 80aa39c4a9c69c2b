"""Picture of the rows: each a mark in the plane of the first two principal components of the standardised columns.

Missing cells take the mean of their column. Components and their shares of the variance are those of all rows; at most 2000
rows, chosen at random, are drawn. The colour is the class, or a number. What lies apart in this plane lies apart in the
table; what overlaps here may still be separated by the other components, whose share of the variance is the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.pipeline import make_pipeline

from aprendiz.core.frames import as_frame, holds_numbers
from aprendiz.core.rows import Array
from aprendiz.decomposition.pca import PCA
from aprendiz.evaluation.folds.predictions import take
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.points_display import PointsDisplay, component_names, target_of
from aprendiz.plots.shared.style import tidy
from aprendiz.preprocessing.simple_imputer import SimpleImputer
from aprendiz.preprocessing.standard_scaler import StandardScaler

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class RowsDisplay(PointsDisplay):
    """The rows of a table as marks in the plane of two principal components.

    Parameters
    ----------
    X : table of numbers of shape (n_rows, n_columns)
        At least two rows and two columns; cells may be missing.
    y : array-like of shape (n_rows,), optional
        A class or a number for each row, shown as its colour.
    as_numbers : bool, optional
        Whether y holds numbers rather than classes. By default text, booleans and up to 10 different whole numbers are classes.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    chosen : ndarray of shape (n_drawn,)
        Numbers of the rows that are drawn, in ascending order.
    points : ndarray of shape (n_drawn, 2)
        Their coordinates.
    shares : ndarray of shape (2,)
        Of the variance, along each component.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    colour_bar_ : matplotlib Colorbar or None
        The scale of the numbers.
    """

    def __init__(self, X: Any, y: Any = None, *, as_numbers: bool | None = None, seed: int = 0) -> None:
        self.rows = rows_of_a_plane(X)
        self.y = None if y is None else target_of(y, self.rows, as_numbers)
        self.name = y.name if isinstance(getattr(y, "name", None), str) else ""
        plane = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), PCA(2)).fit(X)
        self.shares: Array = plane[-1].explained_variance_ratio_
        self.chosen = drawn_rows(self.rows, seed)
        self.points = np.asarray(plane.transform(take(X, self.chosen)))

    @classmethod
    def from_table(
        cls,
        X: Any,
        y: Any = None,
        *,
        as_numbers: bool | None = None,
        seed: int = 0,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Find the plane and draw."""
        return cls(X, y, as_numbers=as_numbers, seed=seed).plot(ax, name=name)

    def plot(self, ax: Axes | None = None, *, name: str | None = None) -> Self:
        """Draw the rows; `name` says what the colours are, by default the name of the series y."""
        ax = self.open_axes(ax, 5.6, 5.4)
        x, y = component_names(self.shares)
        tidy(ax, x=x, y=y, title=self.count_text())
        self.draw_rows(ax, name)
        return self


def rows_of_a_plane(X: Any) -> int:
    """The number of rows of a table that has a plane: of numbers, with two rows and two columns at least."""
    frame = as_frame(X)
    for column in [] if frame is None else frame.iter_columns():
        if not holds_numbers(column):
            raise ValueError(f"Column {column.name!r} of X holds no numbers: leave it out or encode it, a plane needs numbers.")
    shape = np.shape(X)
    if len(shape) != 2 or min(shape) < 2:
        raise ValueError(f"X has shape {shape}: a plane needs at least 2 rows and 2 columns.")
    return int(shape[0])
