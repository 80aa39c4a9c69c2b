"""Picture of a support vector classifier: its boundary, its margins, and both kinds of its support vectors.

A ring marks a support vector on its margin (0 < α < C), a ring and a cross one inside the margin or beyond the boundary
(α = C). All other rows could be left out, and the boundary would be the same.

Two columns of the table span the plane; if there are more, the others are held at their medians, and a row need not lie
on the side of the lines where it is drawn. More than two classes have a boundary for every pair: the picture then shows the
regions without margins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from sklearn.pipeline import Pipeline

from aprendiz.core.rows import Array
from aprendiz.kernel.kernels import Linear
from aprendiz.locale import _, format_whole, number
from aprendiz.plots.plane.margins import (
    BEYOND_MARGIN,
    ON_MARGIN,
    draw_lines,
    fitted_machine,
    kinds_of_rows,
    slack_is_squared,
)
from aprendiz.plots.plane.plane_grid import STEPS, PlaneGrid
from aprendiz.plots.plane.regions import FAINT, labels_of_rows, mark_rows, paint
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import INK, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class MarginDisplay(Display):
    """Boundary, margins and support vectors of a fitted support vector classifier over two columns.

    Parameters
    ----------
    model : fitted SVC or NuSVC
        Or a pipeline that ends in one.
    X : table of shape (n_rows, n_columns)
        The training rows.
    y : array-like of shape (n_rows,), optional
        Their classes, shown as marks.
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000; support vectors are always drawn.

    Attributes
    ----------
    grid : PlaneGrid
        Places along the two columns.
    regions : ndarray of shape (n_places, n_places)
        The number of the class at each place, y upwards.
    values : ndarray of shape (n_places, n_places) or None
        f at each place, for two classes.
    margin_support, error_support : ndarray
        Numbers of the support vectors on their margin, and of those inside it or beyond.
    chosen : ndarray
        Numbers of the rows that are drawn, in ascending order.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, model: Any, X: Any, y: Any = None, *, columns: Sequence[Any] | None = None, seed: int = 0) -> None:
        self.grid = PlaneGrid.of(X, columns, STEPS)
        rows = len(self.grid.points)
        machine = fitted_machine(model, rows)
        self.classes, self.squared = np.asarray(machine.classes_), slack_is_squared(machine)
        self.regions = self.grid.on_grid(np.searchsorted(self.classes, model.predict(self.grid.rows)))
        self.values: Array | None = None
        if len(self.classes) == 2:
            self.values = self.grid.on_grid(model.decision_function(self.grid.rows))
        plain = not isinstance(model, Pipeline) and isinstance(machine.kernel_, Linear) and len(self.classes) == 2
        self.margin = float(machine.margin_[0]) if plain else None
        kinds = kinds_of_rows(machine)
        self.margin_support, self.error_support = (np.flatnonzero(kinds == kind) for kind in (ON_MARGIN, BEYOND_MARGIN))
        self.y = labels_of_rows(y, rows)
        self.chosen = np.union1d(drawn_rows(rows, seed), np.flatnonzero(kinds))

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Self:
        """Ask a fitted classifier about the plane, and draw."""
        return cls(model, X, y, columns=columns, seed=seed).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the regions, the lines, the rows and the support vectors."""
        ax = self.open_axes(ax, 5.6, 5.2)
        tidy(ax, x=self.grid.names[0], y=self.grid.names[1], title=self.title())
        paint(ax, self.grid, self.regions, np.full(self.regions.shape, FAINT), len(self.classes))
        if self.values is not None:
            draw_lines(ax, self.grid, self.values)
        mark_rows(ax, self.grid.points[self.chosen], None if self.y is None else self.y[self.chosen], self.classes)
        self.mark_support(ax)
        for sign in legend_below(ax, columns=2).legend_handles[: len(self.classes)]:
            cast("Line2D", sign).set(markersize=6.0)
        return self

    def mark_support(self, ax: Axes) -> None:
        """A ring for each support vector, and a cross in it where α = C."""
        words = _("support vector on its margin: {count}")
        if self.squared:
            words = _("support vector, inside its margin: {count}")
        elif len(self.classes) > 2:
            words = _("support vector on its margins: {count}")
        beyond = _("inside the margin or beyond: {count}")
        signs = ((self.margin_support, "o", 9.0, words), (self.error_support, "$\\otimes$", 10.0, beyond))
        for rows, marker, size, text in signs:
            if not len(rows):
                continue
            points, label = self.grid.points[rows], text.format(count=format_whole(len(rows)))
            look: dict[str, Any] = {"linestyle": "none", "marker": marker, "markersize": size, "zorder": 3.0, "color": INK}
            look |= {"markerfacecolor": "none", "markeredgewidth": 1.0} if marker == "o" else {"markeredgewidth": 0.2}
            ax.plot(points[:, 0], points[:, 1], label=label, **look)

    def title(self) -> str:
        """How wide the margin is where it can be seen, and what is held fixed."""
        parts = []
        if self.margin is not None and not self.grid.others:
            parts.append(_("margin {width} on each side").format(width=number(self.margin, 3)))
        if self.grid.others:
            parts.append(_("other columns at their medians"))
        return "; ".join(parts)
