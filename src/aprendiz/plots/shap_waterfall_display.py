"""Picture of one prediction: from what is expected where nothing is known of the row, column by column, to the prediction.

A bar begins where the one above it ends. Blue ones raise the prediction, vermilion ones lower it; the columns that add least
are one bar together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.parameters import refuse_count
from aprendiz.locale import _
from aprendiz.plots.shared.bars import name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, INK, SMALL, THIN, VERMILION, room_beside, tidy
from aprendiz.plots.shared.words import verbatim, wrap_text
from aprendiz.tree.contributions.row_contributions import (
    RowContributions,
    as_text,
    decimals,
    outcome_in_words,
    signed,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 10
BAR, MARGIN, WIDTH = 0.26, 1.1, 6.2  # inches
LONGEST = 34  # letters of a name
BESIDE = 0.16  # of the width, for the numbers at the ends of the bars


class ShapWaterfallDisplay(Display):
    """What the columns add to one prediction, as bars one after the other.

    Parameters
    ----------
    contributions : RowContributions
        What `explain` of a forest, or of the result of `shap_values`, returns.
    target : label or int, optional
        The class, or the number of the target; by default the most probable class.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, contributions: RowContributions, *, target: Any = None) -> None:
        self.contributions, self.output = contributions, contributions.output_of(target)

    def plot(self, ax: Axes | None = None, *, most: int = MOST_BARS) -> Self:
        """Draw the `most` columns that add or take away the most, and the others together."""
        refuse_count("most", most)
        found, k = self.contributions, self.output
        parts = found.parts(most, k)
        base, response = float(found.base[k]), float(found.response[k])
        ax = self.open_axes(ax, WIDTH, max(len(parts), 3) * BAR + MARGIN)
        added = np.array([value for _words, value in parts])
        ends = base + np.cumsum(added)
        begins = ends - added
        ax.barh(range(len(parts)), added, left=begins, height=0.7, color=[VERMILION if value < 0 else BLUE for value in added])
        ax.vlines(ends[:-1], np.arange(len(parts) - 1) - 0.35, np.arange(1, len(parts)) + 0.35, color=GREY, linewidth=THIN)
        ax.axvline(base, color=GREY, linewidth=1.0, linestyle=DASHED, zorder=0)
        places = decimals([base, response, *added])
        low, high = min(base, *ends, *begins, response), max(base, *ends, *begins, response)
        room = BESIDE * ((high - low) or 1.0)
        ax.set_xlim(low - room, high + room)
        for at, (value, begin, end) in enumerate(zip(added, begins, ends, strict=True)):
            side = "left" if value >= 0 else "right"
            where = max(begin, end) if value >= 0 else min(begin, end)
            gap = 3 if value >= 0 else -3
            ax.annotate(
                signed(float(value), places), (where, at), (gap, 0), textcoords="offset points", ha=side, va="center",
                fontsize=SMALL, color=INK,
            )  # fmt: skip
        names = [verbatim(shortened(words)) for words, _value in parts]
        words = _("{outcome}: {response} (dashed: {base}, nothing known of the row)").format(
            outcome=outcome_in_words(found.meaning, found.labels, k),
            response=as_text(response, places),
            base=as_text(base, places),
        )
        tidy(ax, x=wrap_text(words, room_beside(ax, names or [""])), y="")
        name_bars(ax, names)
        return self


def shortened(words: str) -> str:
    """The name of a column and its cell, cut in the middle if they are long: the cell stands at the end."""
    return words if len(words) <= LONGEST else f"{words[: LONGEST // 2 - 1]}…{words[-(LONGEST // 2) :]}"
