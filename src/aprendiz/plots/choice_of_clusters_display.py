"""Picture of the choice of the number of clusters: one curve for each criterion that is known.

cost          on a logarithmic axis, with its chord: the elbow is where the curve lies deepest below it
silhouette    the mean of all rows: the highest is best
gap           with a standard error on either side: the first k that is not clearly below the next
BIC           the lowest is best

The k that each criterion chooses is marked; where it finds none, nothing is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.cluster.choose_k import ChoiceOfClusters
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import BLUE, DOTTED, GREY, VERMILION, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL = 3.2  # inches


class ChoiceOfClustersDisplay(Display):
    """Cost, silhouette, gap and BIC against the number of clusters.

    Parameters
    ----------
    choice : ChoiceOfClusters
        What `choose_k` returns.

    Attributes
    ----------
    ax_ : ndarray of matplotlib Axes
        One for each criterion that is known, in the order of the header.
    figure_ : matplotlib Figure
    """

    def __init__(self, choice: ChoiceOfClusters) -> None:
        self.choice = choice
        self.known = [name for name in ("elbow", "silhouette", "gap", "bic") if name in choice.chosen]

    def plot(self, ax: Any = None) -> Self:
        """Draw the curves side by side."""
        count = len(self.known)
        axes = self.open_panels(ax, 1, count, count=count, width=PANEL * count, height=3.4)
        for panel, name in zip(axes, self.known, strict=True):
            self.draw(panel, name)
        return self

    def draw(self, ax: Axes, name: str) -> None:
        """One criterion, and the k it chooses."""
        found = self.choice
        values = found.cost if name == "elbow" else getattr(found, name)
        if name == "elbow":
            ax.plot(found.ks[[0, -1]], values[[0, -1]], color=GREY, linewidth=0.8, linestyle=DOTTED)
        if name == "gap":
            ax.errorbar(found.ks, values, found.gap_error, color=BLUE, linewidth=0.0, elinewidth=0.9, capsize=2.5)
        ax.plot(found.ks, values, marker="o", markersize=3.5, linewidth=1.2, color=BLUE)
        k = found.chosen[name]
        if k is not None:
            at = values[list(found.ks).index(k)]
            look: dict[str, Any] = {"marker": "s", "markersize": 9, "markerfacecolor": "none", "markeredgewidth": 1.6}
            ax.plot([k], [at], color=VERMILION, linestyle="none", **look)
        title = _("no k") if k is None else _("k = {k}").format(k=format_whole(k))
        tidy(ax, x=_("clusters k"), y=self.describe(name), title=title)
        if name == "elbow" and values.min() > 0:
            logarithmic(ax)
        in_whole_numbers(ax.xaxis, min_n_ticks=min(3, len(np.unique(found.ks))))

    def describe(self, name: str) -> str:
        """What the values are."""
        return {
            "elbow": _("cost J"),
            "silhouette": _("mean silhouette"),
            "gap": _("gap, ± one standard error"),
            "bic": _("BIC"),
        }[name]


def logarithmic(ax: Axes) -> None:
    """A logarithmic y axis with plain numbers, 1, 2 and 5 of each power of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter

    from aprendiz.plots.shared.ticks import NumberTicks

    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter(NumberTicks())
    ax.yaxis.set_minor_formatter(NullFormatter())
