"""Picture of a map of rows: principal components, multidimensional scaling, Isomap, t-SNE, or any other two columns.

One unit is as long across as upwards. Where the axes have names, they have numbers too; most maps have neither, since only how
near rows are to each other counts. Of more than 20 000 rows so many are drawn, chosen at random. With more than twelve classes,
each is named where its rows lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.evaluation.inputs.labels_and_numbers import measurements
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.points_display import PointsDisplay, component_names, target_of
from aprendiz.plots.shared.style import GREY, THIN, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DRAWN = 20_000  # rows at most


class EmbeddingDisplay(PointsDisplay):
    """A map of rows as marks, with a class or a number as their colour.

    Parameters
    ----------
    points : array-like of shape (n_rows, n_components)
        Where the rows lie; two of the columns are drawn.
    y : array-like of shape (n_rows,), optional
        A class or a number for each row, shown as its colour.
    as_numbers : bool, optional
        Whether y holds numbers rather than classes. By default text, booleans and up to 10 different whole numbers are classes.
    columns : pair of int, default=(0, 1)
        Which columns of the map.
    axes : pair of str, optional
        Names of the axes, which then have numbers.
    note : str, default=""
        What is known of the map, written beside the number of rows.
    most : int, default=20000
        How many rows are drawn at most.
    seed : int, default=0
        Which rows, if there are more.
    rows : int, optional
        How many rows there are, if the map is one of some of them.

    Attributes
    ----------
    chosen : ndarray of shape (n_drawn,)
        Numbers of the rows that are drawn, in ascending order.
    points : ndarray of shape (n_drawn, 2)
        Where they lie.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    colour_bar_ : matplotlib Colorbar or None
        The scale of the numbers.
    """

    names_in_place = True

    def __init__(
        self,
        points: Any,
        y: Any = None,
        *,
        as_numbers: bool | None = None,
        columns: tuple[int, int] = (0, 1),
        axes: tuple[str, str] | None = None,
        note: str = "",
        most: int = DRAWN,
        seed: int = 0,
        rows: int | None = None,
    ) -> None:
        places = plane_of(points, columns)
        self.rows, self.axes, self.note = len(places) if rows is None else rows, axes, note
        self.y = None if y is None else target_of(y, len(places), as_numbers)
        self.name = y.name if isinstance(getattr(y, "name", None), str) else ""
        self.chosen = drawn_rows(len(places), seed, most)
        self.points = places[self.chosen]

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any = None, y: Any = None, *, name: str | None = None, ax: Axes | None = None, **how: Any
    ) -> Self:
        """Draw the map of a fitted learner: that of its own rows (`embedding_`), or of the rows of X. Principal components
        have names."""
        check_is_fitted(model)
        if X is None and not hasattr(model, "embedding_"):
            raise ValueError(f"{type(model).__name__} keeps no map of the rows of its fit (embedding_): give X.")
        points = model.embedding_ if X is None else model.transform(X)
        if "axes" not in how and hasattr(model, "explained_variance_ratio_"):
            how["axes"] = component_names(model.explained_variance_ratio_, how.get("columns", (0, 1)))
        return cls(points, y, **how).plot(ax, name=name)

    def plot(self, ax: Axes | None = None, *, name: str | None = None) -> Self:
        """Draw the map; `name` says what the colours are, by default the name of the series y."""
        ax = self.open_axes(ax, 5.6, 5.4)
        x, y = self.axes or ("", "")
        tidy(ax, x=x, y=y, title=f"{self.count_text()}, {self.note}" if self.note else self.count_text())
        if self.axes is None:
            ax.set(xticks=[], yticks=[])
            for spine in ax.spines.values():
                spine.set(visible=True, linewidth=THIN, edgecolor=GREY, alpha=0.5)
        self.draw_rows(ax, name)
        return self


def plane_of(points: Any, columns: tuple[int, int]) -> Array:
    """Two columns of a map of numbers."""
    places = measurements("points", points)
    if places.ndim != 2 or places.shape[1] < 2 or not len(places):
        raise ValueError(f"points has shape {places.shape}: a picture needs rows with two columns at least.")
    if not all(-places.shape[1] <= column < places.shape[1] for column in columns):
        raise ValueError(f"columns={columns!r}: the map has the columns 0 to {places.shape[1] - 1}.")
    return np.ascontiguousarray(places[:, list(columns)])
