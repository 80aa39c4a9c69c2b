"""Picture of precision against recall: the share of predicted positives that are right, against the share of positives found.

The dashed line is a score without information: its precision is the share of positive rows. The curve is the staircase whose
area is the average precision; points that find no further positive row lie straight below others and are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.precision_recall import PrecisionRecallCurve, precision_recall
from aprendiz.locale import _, format_fixed
from aprendiz.plots.shared.fold_curves_display import FoldCurvesDisplay
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, legend_below, tidy
from aprendiz.plots.shared.words import named_entry, percent, quote

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class PrecisionRecallDisplay(FoldCurvesDisplay):
    """Precision against recall as a picture.

    Parameters
    ----------
    curve : PrecisionRecallCurve
        What `precision_recall` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    line_ : matplotlib Line2D
        The curve.
    lines_ : list of matplotlib Line2D
        After `from_cv_results`, the curves of the folds.
    """

    line_: Line2D
    curve: PrecisionRecallCurve
    measure = staticmethod(precision_recall)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, colour: str = BLUE) -> Self:
        """Draw the curve; on axes that hold a curve already, beside it."""
        ax = self.open_axes(ax, 4.8, 5.2)
        x, y = staircase(self.curve)
        words = self.area_words(format_fixed(self.area))
        look: dict[str, Any] = {"drawstyle": "steps-pre", "linewidth": 1.8, "clip_on": False}
        (self.line_,) = ax.plot(x, y, color=colour, label=named_entry(name, words), **look)
        self.draw_prior(ax)
        recall = _("recall (positive: {label})").format(label=quote(self.curve.positive))
        tidy(ax, x=recall, y=_("precision"))
        ax.set(xlim=(0, 1), ylim=(0, 1))
        legend_below(ax)
        return self

    @property
    def area(self) -> float:
        return float(self.curve.average_precision)

    def area_words(self, value: str) -> str:
        return _("average precision {value}").format(value=value)

    def draw_prior(self, ax: Axes) -> None:
        """The precision of a score that knows nothing, named once."""
        words = _("share of positive rows {share}").format(share=percent(self.curve.prior))
        named = words in ax.get_legend_handles_labels()[1]
        ax.axhline(self.curve.prior, linestyle=DASHED, linewidth=1, color=GREY, label=None if named else words)


def staircase(curve: PrecisionRecallCurve) -> tuple[Array, Array]:
    """Recalls from 0 on, and the precision on the way to each."""
    finds = np.diff(curve.recall, prepend=0.0) > 0
    recall, precision = curve.recall[finds], curve.precision[finds]
    return np.r_[0.0, recall], np.r_[precision[0], precision]
