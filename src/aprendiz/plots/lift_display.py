"""Picture of gain and lift: the share of positive rows found against the share of rows taken, and how many times more that is
than by chance.

The diagonal, and the lift 1, are a score without information; the dotted lines are one without errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.evaluation.lift import LiftCurve, lift
from aprendiz.locale import _, format_fixed, number
from aprendiz.plots.shared.score_curve_display import ScoreCurveDisplay
from aprendiz.plots.shared.style import BLUE, DASHED, DOTTED, GREY, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import named_entry, quote

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

DEPTHS = np.linspace(0.002, 1.0, 500)  # at which the lift of a score without errors is drawn


class LiftDisplay(ScoreCurveDisplay):
    """Gain and lift as a picture.

    Parameters
    ----------
    curve : LiftCurve
        What `lift` returns.

    Attributes
    ----------
    ax_ : ndarray of two matplotlib Axes
        Gain, and lift.
    figure_ : matplotlib Figure
        Where they were drawn.
    lines_ : list of two matplotlib Line2D
        The two curves.
    """

    lines_: list[Line2D]
    curve: LiftCurve
    measure = staticmethod(lift)

    def plot(self, ax: Sequence[Axes] | None = None, *, name: str | None = None, colour: str = BLUE) -> Self:
        """Draw both curves, on a new figure or on a pair of axes; on axes that hold a model already, beside it."""
        left, right = self.open_panels(ax, 1, 2, count=2, width=8.4, height=4.2)
        curve, prior, taken = self.curve, self.curve.roc.prior, _("share of the rows taken")
        found = _("share of {label} found").format(label=quote(curve.roc.positive))
        left.plot([0, 1], [0, 1], linestyle=DASHED, linewidth=1, color=GREY)
        left.plot([0, prior, 1], [0, 1, 1], linestyle=DOTTED, linewidth=1, color=GREY)
        area = _("area {value}").format(value=format_fixed(curve.area))
        first = _("{value} in the first 10 %").format(value=number(curve.lift_at(0.1), 3))
        look: dict[str, Any] = {"color": colour, "linewidth": 1.8, "clip_on": False}
        self.lines_ = [
            *left.plot(curve.depth, curve.gain, label=named_entry(name, area), **look),
            *right.plot(curve.depth[1:], curve.lift[1:], label=named_entry(name, first), **look),
        ]
        right.axhline(1.0, linestyle=DASHED, linewidth=1, color=GREY)
        right.plot(DEPTHS, np.minimum(1.0 / prior, 1.0 / DEPTHS), linestyle=DOTTED, linewidth=1, color=GREY)
        tidy(left, x=taken, y=found)
        tidy(right, x=taken, y=_("lift"))
        left.set(xlim=(0, 1), ylim=(0, 1))
        right.set(xlim=(0, 1), ylim=(0, 1.05 / prior))
        for axis in (left.xaxis, left.yaxis, right.xaxis):
            in_percent(axis)
        legend_below(left)
        legend_below(right)
        return self
