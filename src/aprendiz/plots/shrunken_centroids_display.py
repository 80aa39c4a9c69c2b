"""Picture of shrunken centroids: in which columns each class differs from all rows, and to which side.

A bar to the right (blue) says that the class is above the mean of all rows in that column, one to the left (vermilion) that
it is below; its length is what the threshold left of the difference, in standard errors. A column without a bar in any class
has dropped out and is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.models.coefficients import fitted_last_step, names_of, rows_of_numbers
from aprendiz.plots.shared.bars import draw_bars, name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import column_names, entries_for
from aprendiz.plots.shared.style import tidy
from aprendiz.plots.shared.words import quote, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_COLUMNS = 25  # columns
BAR, MARGIN, WIDTH, NAMES = 0.22, 1.1, 1.9, 1.2  # inches


class ShrunkenCentroidsDisplay(Display):
    """The differences that are left, as bars, beside each other for the classes.

    Parameters
    ----------
    differences : array-like of shape (n_classes, n_columns)
        What is left of the difference between each class and all rows.
    names : sequence of str, optional
        Of the columns; by default x0, x1, …
    classes : sequence of label, optional
        Of the classes; by default 0, 1, …

    Attributes
    ----------
    ax_ : ndarray of matplotlib Axes
        One for each class.
    figure_ : matplotlib Figure
    shown_ : ndarray of int
        The columns, from top to bottom: the largest difference first.
    """

    shown_: Any

    def __init__(self, differences: Any, names: Sequence[Any] | None = None, classes: Sequence[Any] | None = None) -> None:
        self.differences = rows_of_numbers(differences)
        count, columns = self.differences.shape
        self.names = entries_for("names", names, column_names(columns), "columns")
        self.classes = entries_for("classes", classes, range(count), "rows of differences")

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, names: Sequence[Any] | None = None, most: int = MOST_COLUMNS, ax: Any = None
    ) -> Self:
        """Draw a fitted NearestShrunkenCentroids or NearestCentroid, or a pipeline that ends in one."""
        model = fitted_last_step(estimator)
        left = getattr(model, "shrunken_", getattr(model, "deviations_", None))
        if left is None:
            raise TypeError(f"{type(model).__name__} has no shrunken centroids: give a NearestShrunkenCentroids.")
        return cls(left, names_of(estimator) if names is None else names, list(model.classes_)).plot(ax, most=most)

    def plot(self, ax: Any = None, *, most: int = MOST_COLUMNS) -> Self:
        """Draw the `most` columns with the largest differences; one axes for each class."""
        if most < 1:
            raise ValueError(f"most = {most!r} must be a whole number of at least 1: {MOST_COLUMNS} is usual.")
        largest, count = np.abs(self.differences).max(axis=0), len(self.differences)
        left = int(np.count_nonzero(largest))
        if not left:
            raise ValueError("No column is left, so there is nothing to draw: fit with a smaller threshold.")
        self.shown_ = np.argsort(-largest, kind="stable")[: min(most, left)]
        size = {"width": NAMES + count * WIDTH, "height": len(self.shown_) * BAR + MARGIN}
        axes = self.open_panels(ax, 1, count, count=count, **size)
        for number, one in enumerate(axes):
            self.draw(one, number, 1.05 * float(largest.max()), left)
        if len({one.get_position().y0 for one in axes}) == 1:  # beside each other: the names stand once
            for one in axes[1:]:
                one.set_yticklabels([])
        return self

    def draw(self, ax: Axes, number: int, widest: float, left: int) -> None:
        """Bars of one class, of as many columns as are shown of those that are left."""
        values, count = self.differences[number, self.shown_], len(self.shown_)
        draw_bars(ax, values, signed=True)
        names = short_names(self.names[j] for j in self.shown_)
        title = _("class {label}").format(label=quote(self.classes[number]))
        tidy(ax, x=self.describe(left - count), y="", title=title)
        ax.set_xlim(-widest, widest)
        name_bars(ax, names)

    def describe(self, rest: int) -> str:
        """What the bars are, and how many columns are not shown."""
        words = _("difference in standard errors")
        if not rest:
            return words
        more = ngettext("{count} more column is left", "{count} more columns are left", rest)
        return f"{words} ({more.format(count=format_whole(rest))})"
