"""Picture of relevance: each column by what it says alone, and by what it says beside the relevant columns.

To the right are columns that say something by themselves, above those that say something the relevant ones do not. Relevant
columns stand above, redundant ones to the right and below, irrelevant ones at the lower left. Lines join pairs that say
something together alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, INK, SMALL, VERMILION, legend_below, tidy
from aprendiz.plots.shared.words import short_names
from aprendiz.selection.relevance import Relevance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST = 40.0  # −log₁₀ p that is drawn
MOST_NAMED = 12


class RelevanceDisplay(Display):
    """What columns say alone, and beside others.

    Parameters
    ----------
    found : Relevance
        What `relevance` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, found: Relevance) -> None:
        self.found = found

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the columns."""
        ax, found = self.open_axes(ax, 6.0, 5.0), self.found
        x, y = small(found.pvalues), small(found.pvalues_given)
        looks = {
            "irrelevant": (_("irrelevant"), GREY, "o", 3.0),
            "redundant": (_("redundant"), VERMILION, "s", 6.0),
            "relevant": (_("relevant"), BLUE, "D", 6.5),
        }
        for a, b, _p in found.pairs:
            ax.plot(x[[a, b]], y[[a, b]], color=BLUE, linewidth=1.0, alpha=0.6)
        for kind, (words, colour, mark, size) in looks.items():
            some = found.kinds == kind
            label = f"{words} ({format_whole(int(some.sum()))})"
            ax.plot(x[some], y[some], mark, markersize=size, color=colour, alpha=0.8, label=label, clip_on=False)
        named = [*found.order.tolist(), *found.redundant.tolist()][:MOST_NAMED]
        for j, name in zip(named, short_names(found.names[j] for j in named), strict=True):
            where: dict[str, Any] = {"textcoords": "offset points", "fontsize": SMALL, "color": INK}
            ax.annotate(name, (float(x[j]), float(y[j])), (6, 3), **where)
        ax.axhline(-np.log10(found.level), color=GREY, linewidth=1.0, linestyle=DASHED)
        least = _("−log₁₀ p, beside the relevant columns (line: level {level})").format(level=number(found.level))
        tidy(ax, x=_("−log₁₀ p, alone"), y=least)
        ax.set_xlim(left=0)
        ax.set_ylim(bottom=0)
        legend_below(ax, columns=3)
        return self


def small(pvalues: Array) -> Array:
    """−log₁₀ p, cut where it is beyond all doubt."""
    return np.asarray(np.minimum(-np.log10(np.maximum(pvalues, 10.0**-LARGEST)), LARGEST))
