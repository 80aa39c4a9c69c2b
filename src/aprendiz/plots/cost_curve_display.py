"""Picture of a cost curve: what the best threshold costs against the probability cost.

Each threshold of the envelope is a thin line, the envelope a thick one. The dashed triangle is the cost of never, or always,
predicting the positive class: the score is of use where its envelope is lower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from aprendiz.evaluation.cost_curve import ExpectedCostCurve, cost_curve
from aprendiz.locale import _, format_fixed
from aprendiz.plots.shared.score_curve_display import ScoreCurveDisplay
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, legend_below, tidy
from aprendiz.plots.shared.words import named_entry, quote

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

MOST_LINES = 40  # thin ones


class CostCurveDisplay(ScoreCurveDisplay):
    """A cost curve as a picture.

    Parameters
    ----------
    curve : ExpectedCostCurve
        What `cost_curve` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    line_ : matplotlib Line2D
        The envelope.
    """

    line_: Line2D
    curve: ExpectedCostCurve
    measure = staticmethod(cost_curve)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, colour: str = BLUE) -> Self:
        """Draw the envelope; on axes that hold one already, beside it."""
        ax = self.open_axes(ax, 5.4, 4.6)
        curve = self.curve
        self.draw_trivial(ax)
        numbers = curve.numbers[1:-1]
        for number in numbers[:: -(-len(numbers) // MOST_LINES) or 1]:
            ax.plot([0, 1], [curve.roc.fpr[number], curve.roc.fnr[number]], color=colour, linewidth=0.5, alpha=0.3)
        words = named_entry(name, _("best threshold, mean cost {value}").format(value=format_fixed(curve.area)))
        (self.line_,) = ax.plot(curve.breaks, curve.costs, color=colour, linewidth=1.8, label=words, clip_on=False)
        label = quote(curve.roc.positive)
        tidy(ax, x=_("probability cost of {label}").format(label=label), y=_("normalised expected cost"))
        ax.set(xlim=(0, 1), ylim=(0, 0.5))
        legend_below(ax)
        return self

    def draw_trivial(self, ax: Axes) -> None:
        """The triangle of a constant decision, named once."""
        words = _("never or always {label}").format(label=quote(self.curve.roc.positive))
        named = words in ax.get_legend_handles_labels()[1]
        look: dict[str, Any] = {"linestyle": DASHED, "linewidth": 1, "color": GREY}
        ax.plot([0, 0.5, 1], [0, 0.5, 0], label=None if named else words, **look)
