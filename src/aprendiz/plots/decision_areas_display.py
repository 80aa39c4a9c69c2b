"""Picture of the error of a rule on a line: joint densities, the Bayes error, and the excess.

The frontiers of the rule can be put anywhere; where they are those of least error, the excess vanishes. A band shows where no
class is probable enough to be decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.bayes.decision.joint_densities import JointDensities
from aprendiz.bayes.decision.probabilities import number_within
from aprendiz.bayes.rule_error import RuleError, checked_decisions, error_of_rule
from aprendiz.core.rows import Array
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import GREY, INK, ORANGE, SKY, colour_of, legend_below, tidy
from aprendiz.plots.shared.words import entry, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = 1001  # along the line
SEEN = 1e-3  # of the highest density: where the picture ends
UNAVOIDABLE = "#9A9A9A"


class DecisionAreasDisplay(Display):
    """The error of a rule on a line as areas.

    Parameters
    ----------
    densities, priors, support
        Those of `aprendiz.bayes.rule_error`.
    names : sequence of labels, optional
        Of the classes.

    Attributes
    ----------
    joint : JointDensities
    error_ : RuleError
        Of the rule that was drawn last, by region.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    error_: RuleError

    def __init__(
        self, densities: Sequence[Any], priors: Any = None, *, names: Sequence[Any] | None = None, support: Any = None
    ) -> None:
        self.joint = JointDensities.of(densities, priors, support)
        if names is not None and len(names) != len(densities):
            raise ValueError(f"There are {len(densities)} densities and {len(names)} names: give one name for each density.")
        self.names = names

    def plot(
        self,
        ax: Axes | None = None,
        *,
        cuts: Any = None,
        decisions: Any = None,
        reject_below: float | None = None,
        name: str = "x",
    ) -> Self:
        """Draw the areas of a rule, by default those of the best one; `cuts` and `decisions` are those of `rule_error`.

        `reject_below` adds the band in which the most probable class is less probable; `name` says what x is.
        """
        ax = self.open_axes(ax, 6.4, 4.4)
        joint, best = self.joint, cuts is None
        places = np.asarray(joint.frontiers if best else np.atleast_1d(cuts), dtype=np.float64)
        chosen = joint.decisions if best else checked_decisions(decisions, places, len(joint(0.0)))
        self.error_ = error_of_rule(joint, places, chosen)
        x = self.grid(places)
        height = joint(x)
        if reject_below is not None:
            self.band(ax, x, height, number_within("reject_below", reject_below, 0.0, 1.0))
        self.areas(ax, x, height, chosen[np.searchsorted(places, x, side="right")])
        for k, density in enumerate(height):
            ax.plot(x, density, color=colour_of(k), linewidth=1.6, label=self.class_name(k))
        self.frontiers(ax, places)
        tidy(ax, x=name, y=_("joint density"))
        ax.set_xlim(x[0], x[-1])
        ax.set_ylim(bottom=0.0)
        legend_below(ax, columns=2)
        return self

    def grid(self, cuts: Array) -> Array:
        """Places to draw, with both sides of every cut."""
        low, high = self.joint.places[[0, -1]]
        total = self.joint(self.joint.places).sum(axis=0)
        inside = self.joint.places[total > SEEN * total[np.isfinite(total)].max()]
        low, high = max(low, inside.min()), min(high, inside.max())
        exact = np.concatenate([cuts, self.joint.frontiers])
        exact = exact[(exact > low) & (exact < high)]
        return np.unique(np.concatenate([np.linspace(low, high, PLACES), exact, np.nextafter(exact, -np.inf)]))

    def class_name(self, k: int) -> str:
        return _("class {number}").format(number=format_whole(k)) if self.names is None else entry(short(self.names[k]))

    def areas(self, ax: Axes, x: Array, height: Array, decided: Array) -> None:
        """The part of the best rule, and on top of it what this one adds."""
        best = height.sum(axis=0) - height.max(axis=0)
        error = height.sum(axis=0) - height[decided, np.arange(len(x))]
        words = _("Bayes error {share}").format(share=percent(self.error_.bayes))
        ax.fill_between(x, 0.0, best, color=UNAVOIDABLE, alpha=0.55, linewidth=0, label=words)
        if self.error_.excess > 0:
            words = _("excess {share}").format(share=percent(self.error_.excess))
            look: dict[str, Any] = {"facecolor": (ORANGE, 0.45), "edgecolor": ORANGE, "hatch": "////", "linewidth": 0}
            ax.fill_between(x, best, error, label=words, **look)

    def band(self, ax: Axes, x: Array, height: Array, reject_below: float) -> None:
        """Where the most probable class is less probable."""
        total = height.sum(axis=0)
        doubtful = height.max(axis=0) < reject_below * total
        words = _("rejected: no class reaches {share}").format(share=percent(reject_below))
        look: dict[str, Any] = {
            "transform": ax.get_xaxis_transform(),
            "color": SKY,
            "alpha": 0.2,
            "linewidth": 0,
            "zorder": 0.5,
        }
        ax.fill_between(x, 0.0, 1.0, where=doubtful, label=words, **look)

    def frontiers(self, ax: Axes, cuts: Array) -> None:
        """Those of the rule, and those of the best one where they are others."""
        for i, place in enumerate(cuts[np.isfinite(cuts)]):
            ax.axvline(place, color=INK, linewidth=1.4, label=_("boundary of the rule") if i == 0 else None)
        others = [place for place in self.joint.frontiers if place not in cuts]
        for i, place in enumerate(others):
            words = _("boundary of least error") if i == 0 else None
            ax.axvline(place, color=GREY, linewidth=1.2, linestyle=(0, (4, 2)), label=words)
