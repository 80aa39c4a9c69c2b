"""Picture of a DET curve: false negative against false positive rate, both axes as deviates of the normal.

Scores of two normal classes of the same variance are a straight line. On the dotted diagonal both errors are equal, and the
mark on it is the equal error rate. Points with a rate of 0 or 1 lie at infinity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import ndtri

from aprendiz.evaluation.det_curve import DetCurve, det_curve
from aprendiz.locale import _
from aprendiz.plots.shared.score_curve_display import ScoreCurveDisplay
from aprendiz.plots.shared.style import BLUE, DOTTED, GREY, legend_below, tidy, width_of
from aprendiz.plots.shared.words import named_entry, percent, quote

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

RATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99)  # that are written beside the axes
FEW_RATES = (0.001, 0.05, 0.5, 0.95)  # the same below narrow axes
WIDE = 3.5  # inches
ENDS = (0.0005, 0.995)  # of both axes


class DetCurveDisplay(ScoreCurveDisplay):
    """A DET curve as a picture.

    Parameters
    ----------
    curve : DetCurve
        What `det_curve` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    line_ : matplotlib Line2D
        The curve.
    mark_ : matplotlib Line2D
        The equal error rate.
    """

    line_: Line2D
    mark_: Line2D
    curve: DetCurve
    measure = staticmethod(det_curve)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, colour: str = BLUE) -> Self:
        """Draw the curve; on axes that hold one already, beside it."""
        ax = self.open_axes(ax, 4.8, 5.2)
        curve, ends = self.curve, ndtri(ENDS)
        ax.plot(ends, ends, linestyle=DOTTED, linewidth=1, color=GREY)
        x, y = curve.deviates
        inside = np.isfinite(x) & np.isfinite(y)
        words = named_entry(name, _("equal error rate {rate}").format(rate=percent(curve.equal_error_rate)))
        (self.line_,) = ax.plot(x[inside], y[inside], color=colour, linewidth=1.8, label=words)
        both = ndtri(np.clip(curve.equal_error_rate, *ENDS))
        look: dict[str, Any] = {"marker": "o", "markersize": 7, "markeredgecolor": "white", "color": colour, "zorder": 3}
        (self.mark_,) = ax.plot([both], [both], linestyle="none", clip_on=False, **look)
        tidy(
            ax,
            x=_("false positive rate (positive: {label})").format(label=quote(curve.roc.positive)),
            y=_("false negative rate"),
        )
        for axis, rates in ((ax.xaxis, RATES if width_of(ax) > WIDE else FEW_RATES), (ax.yaxis, RATES)):
            axis.set_ticks(ndtri(rates), [percent(rate) for rate in rates])
        ax.set(xlim=ends, ylim=ends, aspect="equal", anchor="S")
        legend_below(ax)
        return self
