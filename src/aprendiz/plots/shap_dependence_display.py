"""Picture of what one column adds against its cells: a point for each row.

Where points of the same cell lie at different heights, the column acts together with others: coloured by such a column, they
come apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.ensemble.importance.column_groups import place_of
from aprendiz.evaluation.shap_values import ShapValues
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.style import BLUE, GREY, THIN, colour_of, legend_below, small_to_large, tidy
from aprendiz.plots.shared.words import entry, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 5.6, 4.0  # inches
SIZE, APART = 14.0, 0.5  # of a point; how wide the points of a word stand


class ShapDependenceDisplay(Display):
    """SHAP values of a column against its cells.

    Parameters
    ----------
    found : ShapValues
        What `evaluation.shap_values` returns.
    column : name or number of a column
    colour : name or number of a column, optional
        That colours the points.
    target : label or int, optional
        The class, or the number of the target; by default the second of two classes.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, found: ShapValues, column: Any, *, colour: Any = None, target: Any = None) -> None:
        self.found, self.target = found, target
        self.column = place_of(column, found.names, "column")
        self.colour = None if colour is None else place_of(colour, found.names, "colour")
        self.values = found.of_output(target)[:, self.column]

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw a point for each row whose cell is known; of many rows, a part."""
        ax = self.open_axes(ax, WIDTH, HEIGHT)
        cells, levels = self.found.column_values(self.column), self.found.levels[self.column]
        rows = drawn_rows(len(cells), 0)
        rows = rows[~np.isnan(cells[rows])]
        x = cells[rows] + (APART * (uniforms(0, 1, len(rows)) - 0.5) if levels else 0.0)
        ax.axhline(0.0, color=GREY, linewidth=THIN, zorder=0)
        if self.colour is None:
            ax.scatter(x, self.values[rows], s=SIZE, color=BLUE, linewidths=0)
        else:
            self.draw_coloured(ax, rows, x, self.colour)
        words = _("what it adds to: {outcome}").format(outcome=self.found.outcome(self.target))
        tidy(ax, x=str(self.found.names[self.column]), y=words)
        if levels:
            ax.set_xlim(-0.6, len(levels) - 0.4)
            name_below(ax, list(range(len(levels))), short_names(levels))
        if self.colour is not None and self.found.levels[self.colour]:
            legend_below(ax, columns=4, title=str(self.found.names[self.colour]))
        return self

    def draw_coloured(self, ax: Axes, rows: Array, x: Array, other: int) -> None:
        """The points in the colours of another column; those whose cell is missing there are grey."""
        from aprendiz.plots.shared.ticks import NumberTicks

        shade, levels = self.found.column_values(other)[rows], self.found.levels[other]
        y, known = self.values[rows], ~np.isnan(shade)
        ax.scatter(x[~known], y[~known], s=SIZE, color=GREY, linewidths=0)
        if levels:
            for number, name in enumerate(short_names(levels)):
                here = shade == number
                if here.any():
                    ax.scatter(x[here], y[here], s=SIZE, color=colour_of(number), linewidths=0, label=entry(name))
        elif known.any():
            low, high = np.quantile(shade[known], [0.02, 0.98])
            points = ax.scatter(
                x[known], y[known], s=SIZE, c=shade[known], cmap=small_to_large(), vmin=low, vmax=high, linewidths=0
            )
            name = str(self.found.names[other])
            self.figure_.colorbar(points, ax=ax, label=short_names([name])[0], format=NumberTicks())
