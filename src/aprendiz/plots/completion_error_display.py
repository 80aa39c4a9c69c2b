"""Picture of the choice of a penalty for completion: the error in held-out cells against the penalty.

Large penalties, to the left, leave nothing but what was subtracted; small ones follow the noise of the known cells. A line is a
largest rank that was tried; where there is one line, the numbers at its points are the ranks that the penalties left, and the
thin lines are the folds. The mark is the least error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.decomposition import SoftImputeCV
from aprendiz.locale import _, format_whole, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import GREY, INK, SMALL, THIN, colour_of, legend_below, marker_of, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class CompletionErrorDisplay(Display):
    """The errors of completions in held-out cells as a picture.

    Parameters
    ----------
    model : SoftImputeCV
        After its fit.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, model: SoftImputeCV) -> None:
        self.model = model
        self.errors = np.sqrt((model.errors_**2).mean(axis=0))
        self.ranks = np.median(model.ranks_, axis=0).astype(int)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw a line for each largest rank, and the mark."""
        ax = self.open_axes(ax, 6.4, 4.2)
        ax.set_xscale("log")
        penalties, several = self.model.penalties_, len(self.errors) > 1
        ax.set_xlim(1.15 * penalties.max(), penalties.min() / 1.15)
        bounds = self.model.max_ranks if several else [None]
        for place, (errors, bound) in enumerate(zip(self.errors, bounds, strict=True)):
            words = (
                _("rank at most {k}").format(k=format_whole(int(bound)))
                if several
                else _("mean over the folds; numbers: median rank")
            )
            look: dict[str, Any] = {"color": colour_of(place), "marker": marker_of(place), "markersize": 3.5, "linewidth": 1.4}
            ax.plot(penalties, errors, label=words, **look)
        if not several:
            self.draw_folds(ax)
            self.write_ranks(ax)
        self.mark(ax)
        tidy(ax, x=_("penalty λ"), y=_("error in held-out cells"))
        legend_below(ax, columns=3)
        return self

    def draw_folds(self, ax: Axes) -> None:
        """A thin line for each fold."""
        for fold, errors in enumerate(self.model.errors_[:, 0]):
            ax.plot(self.model.penalties_, errors, color=GREY, linewidth=THIN, label=_("single folds") if fold == 0 else None)

    def write_ranks(self, ax: Axes) -> None:
        """The median rank over the folds, under each point."""
        for penalty, error, rank in zip(self.model.penalties_, self.errors[0], self.ranks[0], strict=True):
            if not np.isfinite(error):  # the path was left
                continue
            where: dict[str, Any] = {"xytext": (0, -16), "textcoords": "offset points", "ha": "center", "fontsize": SMALL}
            ax.annotate(format_whole(int(rank)), (penalty, error), color=INK, **where)

    def mark(self, ax: Axes) -> None:
        """The least error."""
        place, best = np.unravel_index(int(self.errors.argmin()), self.errors.shape)
        words = _("least error: λ = {penalty}; fitted to all cells, rank {rank}").format(
            penalty=number(float(self.model.penalty_), 3), rank=format_whole(int(self.model.rank_))
        )
        look: dict[str, Any] = {
            "marker": "s",
            "markersize": 9,
            "markerfacecolor": "none",
            "markeredgewidth": 1.6,
            "linestyle": "none",
        }
        ax.plot(self.model.penalties_[[best]], self.errors[place, [best]], color=INK, label=words, **look)
