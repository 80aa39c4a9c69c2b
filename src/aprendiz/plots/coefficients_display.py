"""Picture of a linear model: its largest coefficients, with the names of their columns.

A bar to the right (blue) raises the prediction, or the score of the class; a bar to the left (vermilion) lowers it. The sizes
can be compared where the columns have a common scale (StandardScaler): otherwise they follow the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.models.coefficients import classes_of, fitted_last_step, names_of, rows_of_numbers
from aprendiz.plots.shared.bars import draw_bars, name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import column_names, entries_for
from aprendiz.plots.shared.style import room_beside, tidy
from aprendiz.plots.shared.words import quote, short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS, MOST_BARS_OF_EACH = 20, 8  # bars of one row of coefficients, and of each of several
BAR, MARGIN = 0.22, 1.0  # inches
WIDTH, ACROSS = 4.2, 3  # inches of one picture, pictures side by side


class CoefficientsDisplay(Display):
    """The largest coefficients of a linear model as bars.

    Parameters
    ----------
    coefficients : array-like of shape (n_columns,) or (n_classes, n_columns)
        Of one target or class, or of several.
    names : sequence of str, optional
        Of the columns; by default x0, x1, …
    towards : sequence of label, optional
        The class (or target) to which each row of coefficients belongs.

    Attributes
    ----------
    ax_ : matplotlib Axes, or ndarray of them if there are several rows of coefficients
        Where it was drawn.
    figure_ : matplotlib Figure
        That holds them.
    """

    def __init__(self, coefficients: Any, names: Sequence[Any] | None = None, towards: Sequence[Any] | None = None) -> None:
        self.coefficients = rows_of_numbers(coefficients)
        count, columns = self.coefficients.shape
        self.names = entries_for("names", names, column_names(columns), "coefficients")
        self.towards = None if towards is None else entries_for("towards", towards, range(count), "rows of coefficients")

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, names: Sequence[Any] | None = None, most: int | None = None, ax: Any = None
    ) -> Self:
        """Draw the coefficients of a fitted linear model, or of a pipeline that ends in one."""
        model = fitted_last_step(estimator)
        if not hasattr(model, "coef_"):
            raise TypeError(f"{type(model).__name__} has no coefficients (coef_): give a linear model.")
        found = names_of(estimator) if names is None else names
        return cls(model.coef_, found, classes_of(model)).plot(ax, most=most)

    def plot(self, ax: Any = None, *, most: int | None = None) -> Self:
        """Draw the `most` largest coefficients: by default 20, or 8 of each of several rows, which need an axes each."""
        count, columns = self.coefficients.shape
        if most is None:
            most = MOST_BARS if count == 1 else MOST_BARS_OF_EACH
        if most < 1:
            raise ValueError(f"most = {most!r} must be a whole number of at least 1: 20 is usual.")
        shown = min(columns, most)
        across = min(count, ACROSS)
        down = -(-count // across)
        size = {"width": across * WIDTH, "height": down * (shown * BAR + MARGIN)}
        axes = self.open_panels(ax, down, across, count=count, **size)
        for number, one in enumerate(axes):
            self.draw(one, number, shown)
        self.ax_ = axes if count > 1 else axes[0]
        return self

    def draw(self, ax: Axes, number: int, shown: int) -> None:
        """Bars of one row of coefficients, the largest on top."""
        values = self.coefficients[number]
        largest = np.argsort(-np.abs(values), kind="stable")[:shown]
        draw_bars(ax, values[largest], signed=True)
        names = short_names(self.names[j] for j in largest)
        room = room_beside(ax, names)
        tidy(ax, x=wrap_text(self.describe(len(values) - shown), room), y="", title=wrap_text(self.title(number), room))
        name_bars(ax, names)

    def describe(self, rest: int) -> str:
        """The name of the axis, with the number of coefficients that are not shown."""
        if not rest:
            return _("coefficient")
        words = ngettext(
            "coefficient ({count} smaller one is not shown)", "coefficient ({count} smaller ones are not shown)", rest
        )
        return words.format(count=format_whole(rest))

    def title(self, number: int) -> str:
        """To which class or target a row of coefficients belongs."""
        if self.towards is not None:
            return _("towards {label}").format(label=quote(self.towards[number]))
        return _("target {number}").format(number=number) if len(self.coefficients) > 1 else ""
