"""Matrix of pairwise differences: row minus column, blue where the row is better, vermilion where it is worse.

Only differences that are shown, after the correction for several comparisons, have a colour, the stronger the larger they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import Comparison
from aprendiz.evaluation.words.comparisons import measured
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.style import DEEP_BLUE, DEEP_VERMILION, GREY, SMALL, readable, tidy
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELL, MARGIN = 0.85, 1.8  # inches
FAINTEST = 0.3  # of the full colour, for the smallest difference that is shown


class DifferenceMatrixDisplay(Display):
    """All pairs of learners as a matrix.

    Parameters
    ----------
    comparison : Comparison
        Of several learners, with all pairs.

    Attributes
    ----------
    differences : ndarray of shape (learners, learners)
        Row minus column; NaN where a pair was not compared.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, comparison: Comparison) -> None:
        if not comparison.pairs:
            raise ValueError("The comparison has no pairs: compare three learners or more, with a test.")
        self.comparison = comparison
        order = [one.name for one in comparison.standings] or list(comparison.names)
        self.names, k = order, len(order)
        self.differences, self.shown = np.full((k, k), np.nan), np.zeros((k, k), dtype=bool)
        for pair in comparison.pairs:
            i, j = map(order.index, pair.names)
            self.differences[i, j], self.differences[j, i] = pair.estimate, -pair.estimate
            self.shown[i, j] = self.shown[j, i] = pair.significant

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the cells, the best learner first."""
        k = len(self.names)
        ax = self.open_axes(ax, max(CELL * k, 2.4) + MARGIN, max(CELL * k, 2.4) * 0.8 + MARGIN)
        colours = self.colours()
        ax.imshow(colours, interpolation="nearest", aspect="auto")
        title = _("difference in {measure}, row − column; colour: shown").format(measure=measured(self.comparison.pairs[0]))
        tidy(ax, x="", y="", title=title)
        names = short_names(self.names)
        name_below(ax, range(k), names)
        ax.set_yticks(range(k), names)
        ax.set_xticks(np.arange(k + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(k + 1) - 0.5, minor=True)
        ax.grid(which="minor", color=GREY, linewidth=0.4)
        ax.tick_params(which="both", length=0)
        ax.spines[:].set_visible(False)
        for (i, j), value in np.ndenumerate(self.differences):
            if not np.isnan(value):
                ax.text(j, i, number(value, 2), ha="center", va="center", fontsize=SMALL, color=readable(colours[i, j]))
        return self

    def colours(self) -> Array:
        """White where nothing is shown; else towards the colour of the better side, by the size of the difference."""
        from matplotlib.colors import to_rgb

        largest = np.nanmax(np.abs(self.differences)) or 1.0
        share = np.nan_to_num(FAINTEST + (1 - FAINTEST) * np.abs(self.differences) / largest)[..., None]
        better = (self.differences > 0) == self.comparison.pairs[0].more_is_better
        full = np.where(better[..., None], to_rgb(DEEP_BLUE), to_rgb(DEEP_VERMILION))
        return np.where(self.shown[..., None], 1.0 + share * (full - 1.0), 1.0)
