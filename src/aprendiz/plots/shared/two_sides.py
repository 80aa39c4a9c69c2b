"""Scores on unseen rows and on training rows, as two lines with bands. For learning curves and validation curves.

The band of unseen rows is the 95 % interval of the evaluation; that of training rows goes from the lowest to the highest of
the splits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aprendiz.evaluation import Score
from aprendiz.locale import _
from aprendiz.plots.shared.style import BLUE, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


def draw_two_sides(ax: Axes, x: Sequence[float], unseen: Sequence[Score], seen: Sequence[Score]) -> list[Line2D]:
    """Both lines with their bands."""
    return [
        draw_scores(ax, x, unseen, _("on unseen rows (95 % interval)"), BLUE, "o"),
        draw_scores(ax, x, seen, _("on training rows (range of the splits)"), VERMILION, "s"),
    ]


def draw_scores(ax: Axes, x: Sequence[float], scores: Sequence[Score], words: str, colour: str, marker: str) -> Line2D:
    """A line through the scores, and the band from their low to their high ends."""
    ax.fill_between(x, [s.low for s in scores], [s.high for s in scores], color=colour, alpha=0.15, linewidth=0)
    look: dict[str, Any] = {"marker": marker, "markersize": 5, "linewidth": 1.5, "color": colour, "label": words}
    (line,) = ax.plot(x, [score.value for score in scores], **look)
    return line
