"""Picture of the choice of k: the error on rows left out against the number of neighbours.

To the left the prediction follows single rows, to the right it averages over many. The band is a standard error on either side;
the dotted line is that of the best k. The two marks are the best k, and the smallest k whose error is not above that line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from aprendiz.locale import _, format_whole
from aprendiz.neighbors.choose_n_neighbors import ChoiceOfK
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.standard_errors import draw_limit
from aprendiz.plots.shared.style import BLUE, INK, VERMILION, in_percent, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ChoiceOfKDisplay(Display):
    """The error of each k as a picture.

    Parameters
    ----------
    choice : ChoiceOfK
        What `choose_n_neighbors` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, choice: ChoiceOfK) -> None:
        self.choice = choice

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curve, its band and the two marks."""
        ax = self.open_axes(ax, 6.4, 4.2)
        found = self.choice
        ax.fill_between(
            found.ks, found.errors - found.standard_errors, found.errors + found.standard_errors, color=BLUE, alpha=0.15, lw=0
        )
        look: dict[str, Any] = {"marker": "o", "markersize": 3.0, "linewidth": 1.2, "color": BLUE}
        ax.plot(found.ks, found.errors, **look)
        draw_limit(ax, found.errors[found.best] + found.standard_errors[found.best])
        self.mark(ax, found.one_se_k, VERMILION, "D", _("k = {k}: the smallest within a standard error"))
        self.mark(ax, found.best_k, INK, "s", _("k = {k}: the smallest error"))
        tidy(ax, x=_("neighbours k"), y=self.describe())
        if found.task == "classification":
            in_percent(ax.yaxis)
        legend_below(ax, columns=2)
        return self

    def mark(self, ax: Axes, k: int, colour: str, sign: str, words: str) -> None:
        """A k on the curve."""
        error = self.choice.errors[list(self.choice.ks).index(k)]
        look: dict[str, Any] = {"marker": sign, "markersize": 8, "markerfacecolor": "none", "markeredgewidth": 1.6}
        ax.plot([k], [error], linestyle="none", color=colour, label=words.format(k=format_whole(k)), **look)

    def describe(self) -> str:
        """What the errors are."""
        if self.choice.task == "classification":
            return _("error on held-out rows, ± one standard error")
        return _("squared error on held-out rows, ± one standard error")
