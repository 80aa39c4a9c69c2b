"""Picture of risk and coverage: the mean loss of the rows that are decided, against their share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.bayes.bayes_decision_classifier import BayesDecisionClassifier
from aprendiz.bayes.decision.risk_coverage import RiskCoverage
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import GREY, INK, colour_of, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import named_entry, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class RiskCoverageDisplay(Display):
    """Risk against coverage as a picture.

    Parameters
    ----------
    curve : RiskCoverage
        What `BayesDecisionClassifier.risk_coverage` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    line_ : matplotlib Line2D
        The curve.
    """

    line_: Line2D

    def __init__(self, curve: RiskCoverage) -> None:
        self.curve = curve

    @classmethod
    def from_estimator(
        cls,
        model: BayesDecisionClassifier,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        reject_cost: float | None = None,
        name: str = "",
        ax: Axes | None = None,
    ) -> Self:
        """Judge some rows and draw; the other arguments are those of `plot`."""
        return cls(model.risk_coverage(X, y, sample_weight)).plot(ax, reject_cost=reject_cost, name=name)

    def plot(self, ax: Axes | None = None, *, reject_cost: float | None = None, name: str = "") -> Self:
        """Draw the curve, and the point of a `reject_cost`; several models can be drawn on the same axes."""
        ax = self.open_axes(ax, 6.0, 4.4)
        curve = self.curve
        words = _("mean over all coverages {area}").format(area=number(curve.area, 3))
        label = named_entry(name, words)
        colour = colour_of(sum(line.get_drawstyle() == "steps-pre" for line in ax.lines))
        share, risk = np.r_[0.0, curve.coverage], np.r_[curve.risk[0], curve.risk]
        (self.line_,) = ax.step(share, risk, where="pre", color=colour, linewidth=1.4, label=label)
        if reject_cost is not None:
            self.mark(ax, reject_cost)
        ax.axhline(curve.risk[-1], color=GREY, linewidth=0.8, linestyle=(0, (4, 2)), label=self.when_all_are_decided())
        tidy(ax, x=_("share of decided rows"), y=_("mean loss of the decided rows"))
        in_percent(ax.xaxis)
        ax.set_xlim(0.0, 1.0)
        ax.set_ylim(min(0.0, *ax.get_ylim()), None)
        legend_below(ax, columns=2)
        return self

    def mark(self, ax: Axes, reject_cost: float) -> None:
        """The point of a price of rejection."""
        coverage, risk = self.curve.at(reject_cost)
        words = _("rejection costs {cost}: {share} decided at {risk}")
        parts = {"cost": number(reject_cost, 3), "share": percent(coverage), "risk": number(risk, 3)}
        look: dict[str, Any] = {"color": INK, "markersize": 6, "linestyle": "none", "zorder": 3.0}
        ax.plot(coverage, risk, "o", label=words.format(**parts), **look)

    def when_all_are_decided(self) -> str:
        return _("{risk} when all rows are decided").format(risk=number(self.curve.risk[-1], 3))
