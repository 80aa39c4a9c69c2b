"""Picture of what the columns add to all predictions: a line for each column, a point for each row.

A point stands where the value of the column for that row is; points that would lie on each other are moved apart, so that the
line is wide where there are many. The colour is the cell, from blue for the smallest ones of the column to vermilion for the
largest; grey where it is missing, or one of several words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.evaluation.shap_values import ShapValues
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.shared.bars import name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import GREY, SMALL, THIN, room_beside, small_to_large, tidy
from aprendiz.plots.shared.words import short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 15
LINE, MARGIN, WIDTH = 0.32, 1.2, 6.4  # inches
SPREAD, PLACES = 0.38, 120  # half the width of a line, and how many places a point may have along it
SIZE = 9.0  # of a point


class ShapSummaryDisplay(Display):
    """SHAP values as points, column by column.

    Parameters
    ----------
    found : ShapValues
        What `evaluation.shap_values` returns.
    target : label or int, optional
        The class, or the number of the target; by default the second of two classes.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, found: ShapValues, *, target: Any = None) -> None:
        self.found, self.target, self.values = found, target, found.of_output(target)

    def plot(self, ax: Axes | None = None, *, most: int = MOST_LINES) -> Self:
        """Draw the `most` important columns; of many rows, a part."""
        refuse_count("most", most)
        size = np.abs(self.values).mean(axis=0)
        order = np.argsort(-size, kind="stable")[:most]
        ax = self.open_axes(ax, WIDTH, len(order) * LINE + MARGIN)
        rows = drawn_rows(len(self.values), 0)
        everything = self.values[rows][:, order]
        ax.axvline(0.0, color=GREY, linewidth=THIN, zorder=0)
        colours = small_to_large()
        for line, j in enumerate(order):
            value, shade = everything[:, line], self.shades_of(int(j))[rows]
            y = line + apart(value, float(np.ptp(everything)))
            known = ~np.isnan(shade)
            look: dict[str, Any] = {"s": SIZE, "linewidths": 0, "rasterized": len(rows) > 500}
            ax.scatter(value[~known], y[~known], color=GREY, **look)
            ax.scatter(value[known], y[known], c=shade[known], cmap=colours, vmin=0.0, vmax=1.0, **look)
        names = short_names(self.found.names[j] for j in order)
        tidy(ax, x=wrap_text(self.describe(len(self.found.names) - len(order)), room_beside(ax, names)), y="")
        name_bars(ax, names)
        self.draw_scale(ax)
        return self

    def shades_of(self, j: int) -> Array:
        """Where each cell of a column stands among the others, from 0 to 1; NaN where that says nothing."""
        cells = self.found.column_values(j)
        known = ~np.isnan(cells)
        if len(self.found.levels[j]) > 2 or not known.any():
            return np.full(len(cells), np.nan)
        _values, place = np.unique(cells[known], return_inverse=True)
        count = np.bincount(place)
        middle = np.cumsum(count) - count / 2
        shade = np.full(len(cells), np.nan)
        shade[known] = middle[place] / count.sum()
        return shade

    def describe(self, rest: int) -> str:
        """The name of the axis, with the number of columns that are not shown."""
        words = _("what the column adds to: {outcome}").format(outcome=self.found.outcome(self.target))
        if not rest:
            return words
        more = ngettext("{count} less important column is not shown", "{count} less important columns are not shown", rest)
        return f"{words} ({more.format(count=format_whole(rest))})"

    def draw_scale(self, ax: Axes) -> None:
        """Which colour is small and which is large."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize

        scale = self.figure_.colorbar(ScalarMappable(Normalize(0.0, 1.0), small_to_large()), ax=ax, aspect=40, pad=0.02)
        scale.set_ticks([0.0, 1.0], labels=[_("small cell"), _("large cell")], fontsize=SMALL)
        scale.ax.tick_params(length=0)
        scale.outline.set_visible(False)


def apart(values: Array, width: float) -> Array:
    """How far each point is moved up or down: those at one place stand side by side, from the middle outwards."""
    place = np.round(values / (width or 1.0) * PLACES).astype(np.int64)
    order = np.argsort(place, kind="stable")
    first = np.r_[True, np.diff(place[order]) != 0]
    number = np.arange(len(values)) - np.maximum.accumulate(np.where(first, np.arange(len(values)), 0))
    step = (number + 1) // 2 * np.where(number % 2, 1.0, -1.0)
    most = float(np.abs(step).max(initial=1.0))
    moved = np.empty(len(values))
    moved[order] = step * min(SPREAD / most, 0.07)
    return moved
