"""Picture of differences between learners: each with its interval, beside zero and the region of practical equivalence.

An interval that leaves zero out shows a difference, as far as a single comparison goes; the colour says what is shown after the
correction for several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.evaluation import Comparison
from aprendiz.evaluation.words.comparisons import measured
from aprendiz.locale import _, number, percent
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, GREY, INK, ORANGE, SMALL, legend_below, tidy
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.32  # inches of a pair


class DifferenceDisplay(Display):
    """The differences of a comparison, a line for each pair.

    Parameters
    ----------
    comparison : Comparison
        Of two learners, or of several with their pairs.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.pairs = comparison.pairs or (comparison,)
        if not any(np.isfinite(pair.estimate) for pair in self.pairs):
            raise ValueError("The comparison has no difference to draw: of counts, give n_test, the number of all rows.")

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw a mark and a bar for each pair, the first at the top."""
        ax = self.open_axes(ax, 6.4, 1.8 + ROW * len(self.pairs))
        self.draw_rope(ax)
        ax.axvline(0.0, color=INK, linewidth=0.8)
        for state, colour, words in (
            (True, BLUE, _("difference shown")),
            (False, GREY, _("not shown at the level {level}").format(level=number(self.comparison.level))),
        ):
            self.draw_pairs(ax, state, colour, words)
        share = percent(1 - self.comparison.level, 0)
        x = _("difference in {measure}, {share} interval").format(measure=measured(self.pairs[0]), share=share)
        tidy(ax, x=x, y="")
        names = [" – ".join(short_names(pair.names)) for pair in self.pairs]
        ax.set_yticks(range(len(self.pairs)), names, fontsize=SMALL)
        ax.set_ylim(len(self.pairs) - 0.4, -0.6)
        legend_below(ax, columns=3)
        return self

    def draw_rope(self, ax: Axes) -> None:
        """A band where differences do not matter."""
        if self.comparison.rope is not None:
            words = _("practically the same: {low} to {high}")
            low, high = map(number, self.comparison.rope)
            ax.axvspan(*self.comparison.rope, color=ORANGE, alpha=0.25, linewidth=0, label=words.format(low=low, high=high))

    def draw_pairs(self, ax: Axes, shown: bool, colour: str, words: str) -> None:
        """The pairs whose difference is shown, or is not."""
        rows = [row for row, pair in enumerate(self.pairs) if pair.significant == shown and np.isfinite(pair.estimate)]
        if not rows:
            return
        look: dict[str, Any] = {"marker": "o", "markersize": 5, "linestyle": "none", "color": colour, "label": words}
        ax.plot([self.pairs[row].estimate for row in rows], rows, **look)
        bars = [(row, *self.pairs[row].interval) for row in rows if np.isfinite(self.pairs[row].interval).all()]
        for row, low, high in bars:
            ax.plot([low, high], [row, row], color=colour, linewidth=1.6, solid_capstyle="butt")
