"""Picture of the regions of a classifier: the class it gives to every point of a plane, with the rows in it.

Two columns of the table span the plane; if there are more, the others are held at their medians, so that the picture is a
slice. Where the classifier gives probabilities, the colour is the stronger the more probable the class is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.plots.plane.plane_grid import STEPS, PlaneGrid
from aprendiz.plots.plane.regions import FAINT, PLAIN, STRONG, class_legend, labels_of_rows, mark_rows, paint
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class RegionsDisplay(Display):
    """The regions of a fitted classifier over two columns.

    Parameters
    ----------
    model : fitted classifier
        Of this library or of scikit-learn, or a pipeline that ends in one.
    X : table of shape (n_rows, n_columns)
        The rows; its columns are those of the fit.
    y : array-like of shape (n_rows,), optional
        Their classes, shown as marks.
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    grid : PlaneGrid
        Places along the two columns.
    classes : ndarray of shape (n_classes,)
    regions : ndarray of shape (n_places, n_places)
        The number of the class at each place, y upwards.
    probability : ndarray of shape (n_places, n_places) or None
        Of that class.
    chosen : ndarray
        Numbers of the rows that are drawn, in ascending order.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, model: Any, X: Any, y: Any = None, *, columns: Sequence[Any] | None = None, seed: int = 0) -> None:
        if not is_classifier(model):
            raise TypeError(f"{type(model).__name__} predicts no classes: give a classifier.")
        check_is_fitted(model)
        self.grid = PlaneGrid.of(X, columns, STEPS)
        self.classes = np.asarray(model.classes_)
        self.regions = self.grid.on_grid(np.searchsorted(self.classes, model.predict(self.grid.rows)))
        self.probability: Array | None = None
        if hasattr(model, "predict_proba"):
            self.probability = self.grid.on_grid(np.max(model.predict_proba(self.grid.rows), axis=1))
        self.y = labels_of_rows(y, len(self.grid.points))
        self.chosen = drawn_rows(len(self.grid.points), seed)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
        name: str = "",
        ax: Axes | None = None,
    ) -> Self:
        """Ask the classifier about the plane, and draw."""
        return cls(model, X, y, columns=columns, seed=seed).plot(ax, name=name)

    def plot(self, ax: Axes | None = None, *, name: str = "") -> Self:
        """Draw the regions and the rows; `name` says what the classes are."""
        ax = self.open_axes(ax, 5.6, 5.0)
        tidy(ax, x=self.grid.names[0], y=self.grid.names[1], title=self.title())
        paint(ax, self.grid, self.regions, self.opacity(), len(self.classes))
        mark_rows(ax, self.grid.points[self.chosen], None if self.y is None else self.y[self.chosen], self.classes)
        class_legend(ax, name)
        return self

    def opacity(self) -> Array:
        """How strong the colour is at each place."""
        if self.probability is None:
            return np.full(self.regions.shape, PLAIN)
        least = 1.0 / len(self.classes)
        return FAINT + (STRONG - FAINT) * np.clip((self.probability - least) / (1.0 - least), 0.0, 1.0)

    def title(self) -> str:
        """What is held fixed, and what the strength of a colour means."""
        parts = []
        if self.grid.others:
            parts.append(_("other columns at their medians"))
        if self.probability is not None:
            parts.append(_("stronger colour: more probable"))
        return "; ".join(parts)
