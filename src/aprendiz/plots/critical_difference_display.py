"""Critical-difference diagram: the mean ranks of learners over tables, with bars that join those that are not told apart.

Along the top the mean ranks, the best to the left. Each bar is a clique: a run of neighbours of which no two differ
significantly. The bracket at the top is the critical difference, where the method has one (significance/rank_differences.py).

Reference: Demšar, JMLR 7, 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.evaluation import Comparison
from aprendiz.evaluation.words.comparisons import posthoc_in_words
from aprendiz.locale import _, format_fixed
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, GREY, INK, SMALL, THIN, VERMILION, tidy
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, BAR = 0.3, 0.55  # inches of a learner; height of a clique in rows
MARGIN = 0.25  # of a rank, on either side


class CriticalDifferenceDisplay(Display):
    """Mean ranks and cliques as a diagram.

    Parameters
    ----------
    comparison : Comparison
        What `compare_over_tables` returns for three learners or more.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, comparison: Comparison) -> None:
        if comparison.ranks is None:
            raise ValueError("The comparison has no mean ranks: use compare_over_tables with three learners or more.")
        self.comparison, self.ranks = comparison, comparison.ranks
        self.order = np.argsort(self.ranks, kind="stable")

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the axis of ranks, the cliques below it, and a line to each name."""
        k = len(self.ranks)
        bars = self.joined_ranks()
        top = BAR * (len(bars) + 1)
        ax = self.open_axes(ax, 6.4, 1.4 + ROW * (k + top))
        for row, (low, high, colour) in enumerate(bars):
            ax.plot([low - 0.04, high + 0.04], [BAR * (row + 1)] * 2, color=colour, linewidth=4, solid_capstyle="butt")
        for row, j in enumerate(self.order):
            x, y = self.ranks[j], top + row
            ax.plot([x, x, 1 - MARGIN], [0, y, y], color=GREY, linewidth=THIN, zorder=1)
            ax.plot([x], [0], marker="o", markersize=4, color=INK, clip_on=False)
        self.draw_critical_difference(ax)
        tidy(ax, x="", y="", title=self.title())
        self.name_rows(ax, top)
        ax.set_xlim(1 - MARGIN, k + MARGIN)
        ax.set_ylim(top + k - 0.5, 0)
        return self

    def joined_ranks(self) -> list[tuple[float, float, str]]:
        """The bars: cliques, or against a control the learners that are not told from it."""
        found, where = self.comparison, {name: j for j, name in enumerate(self.comparison.names)}
        if found.control is None:
            groups: Any = [(clique, BLUE) for clique in found.cliques]
        else:
            tied = [found.control, *(pair.names[1] for pair in found.pairs if not pair.significant)]
            groups = [(tied, VERMILION)] if len(tied) > 1 else []
        ends = [([self.ranks[where[name]] for name in group], colour) for group, colour in groups]
        return [(float(min(ranks)), float(max(ranks)), colour) for ranks, colour in ends]

    def draw_critical_difference(self, ax: Axes) -> None:
        """A bracket as long as the critical difference, from the best rank on."""
        length, low = self.comparison.critical_difference, float(self.ranks.min())
        if np.isnan(length):
            return
        low = min(low, len(self.ranks) + MARGIN - length)
        y = BAR / 2
        ax.plot([low, low + length], [y, y], color=INK, linewidth=1.0, marker="|", markersize=6)

    def name_rows(self, ax: Axes, top: float) -> None:
        """The learners with their mean ranks, and the ranks along the top."""
        k = len(self.ranks)
        names = short_names(self.comparison.names)
        labels = [f"{names[j]}  {format_fixed(float(self.ranks[j]), 2)}" for j in self.order]
        ax.set_yticks([top + row for row in range(k)], labels, fontsize=SMALL)
        ax.set_xticks(range(1, k + 1))
        ax.xaxis.tick_top()
        ax.tick_params(axis="y", length=0)
        for side, spine in ax.spines.items():
            spine.set(visible=side == "top", linewidth=THIN, edgecolor=GREY)

    def title(self) -> str:
        """The method, and the critical difference."""
        method = posthoc_in_words(self.comparison.posthoc) if self.comparison.posthoc else ""
        if np.isnan(self.comparison.critical_difference):
            return _("mean ranks ({method})").format(method=method)
        cd = format_fixed(self.comparison.critical_difference, 2)
        return _("mean ranks ({method}, critical difference {cd})").format(method=method, cd=cd)
