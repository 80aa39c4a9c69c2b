"""Picture of the bias of a selection: the error with the columns chosen outside and inside the folds, and what chance alone
does to each.

Small circles are the errors with the labels in random order. Those outside lie far below the error of chance: the trap needs no
knowledge at all. The arrow is the optimism.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.evaluation.selection_bias import SelectionBias
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import (
    BLUE,
    DASHED,
    GREY,
    INK,
    SMALL,
    THIN,
    VERMILION,
    in_percent,
    legend_below,
    tidy,
)
from aprendiz.plots.shared.words import verbatim, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPREAD = 0.12  # of the circles, up and down


class SelectionBiasDisplay(Display):
    """The errors outside and inside the folds.

    Parameters
    ----------
    found : SelectionBias
        What `selection_bias` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, found: SelectionBias) -> None:
        self.found = found

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw both errors, and those of labels in random order."""
        ax, found = self.open_axes(ax, 6.4, 3.4), self.found
        for y, errors in ((1.0, found.null_outside), (0.0, found.null)):
            self.draw_null(ax, y, errors)
        ax.axvline(found.chance, color=GREY, linewidth=1.0, linestyle=DASHED, label=_("without any column"))
        for y, error, colour in ((1.0, found.outside, VERMILION), (0.0, found.inside, BLUE)):
            ax.plot([error], [y], marker="D", markersize=9.0, color=colour, clip_on=False, zorder=4)
            ax.annotate(
                verbatim(found.in_words(error)),
                (error, y),
                (0, 16),
                textcoords="offset points",
                ha="center",
                fontsize=SMALL,
                color=colour,
            )
        self.draw_arrow(ax)
        tidy(ax, x=self.measure(), y="")
        if found.task == "classification":
            in_percent(ax.xaxis)
        ax.set_yticks(
            [1.0, 0.0],
            [wrap_text(words, 0.75) for words in (_("chosen with all rows"), _("chosen inside the folds"))],
            color=INK,
        )
        ax.tick_params(axis="y", labelsize=SMALL)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.set_ylim(-0.5, 1.6)
        ax.set_xlim(left=min(0.0, ax.get_xlim()[0]) if found.outside < 0 else 0.0)
        legend_below(ax, columns=3)
        return self

    def draw_null(self, ax: Axes, y: float, errors: Any) -> None:
        """Circles, one for each order of the labels."""
        if not len(errors):
            return
        up = SPREAD * ((np.arange(len(errors)) * 0.618034) % 1.0 - 0.5) * 2.0
        words = _("random labels") if y else None
        ax.plot(errors, y + up, "o", markersize=4.0, markerfacecolor="none", color=GREY, markeredgewidth=THIN, label=words)

    def draw_arrow(self, ax: Axes) -> None:
        """From the error outside to that inside, between the two lines."""
        found = self.found
        if abs(found.optimism) < 1e-9:
            return
        look: dict[str, Any] = {"arrowstyle": "->", "color": INK, "linewidth": 1.0, "shrinkA": 0.0, "shrinkB": 0.0}
        ax.annotate("", (found.inside, 0.5), (found.outside, 0.5), arrowprops=look)
        words = wrap_text(_("optimism {amount}").format(amount=found.in_points()), 1.6)
        middle = 0.5 * (found.inside + found.outside)
        ax.annotate(verbatim(words), (middle, 0.5), (0, 4), textcoords="offset points", ha="center", fontsize=SMALL, color=INK)

    def measure(self) -> str:
        """What is measured."""
        if self.found.task == "classification":
            return _("share of wrong predictions")
        return _("squared error, relative to that of the mean")
