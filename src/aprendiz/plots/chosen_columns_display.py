"""Picture of how often columns were chosen: a bar for each, the share of the folds (or of the samples) that chose it.

Columns that nearly all folds choose do not depend on which rows happened to be there; a long tail of columns that single folds
choose is a sign of many columns that are as good by accident.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.parameters import refuse_count
from aprendiz.evaluation.evaluation import Evaluation
from aprendiz.locale import format_whole, ngettext
from aprendiz.plots.shared.bars import draw_bars, name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import in_percent, room_beside, tidy
from aprendiz.plots.shared.words import short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 25
BAR, MARGIN, WIDTH = 0.22, 1.0, 5.2  # inches


class ChosenColumnsDisplay(Display):
    """How often each column was chosen, as bars.

    Parameters
    ----------
    counts : dict of str to int
        In how many folds each column was chosen.
    folds : int
        Of how many.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, counts: Mapping[Any, int], folds: int) -> None:
        refuse_count("folds", folds)
        if not counts:
            raise ValueError("No column was chosen: give how often each was, as Evaluation.selected has it.")
        if max(counts.values()) > folds:
            raise ValueError(
                f"A column was chosen {max(counts.values())} times, in {folds} folds: give the number of all folds."
            )
        self.counts = dict(sorted(((str(name), int(times)) for name, times in counts.items()), key=lambda one: -one[1]))
        self.folds = folds

    @classmethod
    def from_evaluation(cls, found: Evaluation, *, most: int = MOST_BARS, ax: Axes | None = None) -> Self:
        """Draw what `evaluate` found of a pipeline that selects columns."""
        if not found.selected:
            raise ValueError("No step of the learner selects columns: evaluate a pipeline with a selection in it.")
        return cls(found.selected, len(found.folds)).plot(ax, most=most)

    def plot(self, ax: Axes | None = None, *, most: int = MOST_BARS) -> Self:
        """Draw the `most` frequent columns."""
        refuse_count("most", most)
        shown = list(self.counts.items())[:most]
        ax = self.open_axes(ax, WIDTH, len(shown) * BAR + MARGIN)
        draw_bars(ax, np.array([times / self.folds for _name, times in shown]))
        names = short_names(name for name, _times in shown)
        tidy(ax, x=wrap_text(self.describe(len(self.counts) - len(shown)), room_beside(ax, names)), y="")
        in_percent(ax.xaxis)
        ax.set_xlim(0.0, 1.0)
        name_bars(ax, names)
        return self

    def describe(self, rest: int) -> str:
        """The name of the axis, with the number of columns that are not shown."""
        words = ngettext("share of {count} fold", "share of {count} folds", self.folds).format(count=format_whole(self.folds))
        if not rest:
            return words
        more = ngettext("{count} column more was chosen", "{count} columns more were chosen", rest)
        return f"{words} ({more.format(count=format_whole(rest))})"
