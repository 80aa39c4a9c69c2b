"""Picture of a finite space of hypotheses: prior, likelihood, posterior and predictive distribution.

Three pictures have one bar for each hypothesis, with its number; the hypothesis of maximum likelihood and the most probable one
are marked, and the evidence is marked below the likelihoods, whose mean by the prior it is. The fourth picture is the
predictive distribution over the universe, with the examples marked. Where the examples are so many that every likelihood is
too small for a number, parts of the largest one are shown instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.bayes.hypothesis_space import HypothesisSpace
from aprendiz.core.rows import Array
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_whole, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.positions import name_positions, narrowest, positions
from aprendiz.plots.shared.style import BLUE, GREY, INK, SKY, SMALL, VERMILION, room_beside, tidy, width_of
from aprendiz.plots.shared.words import short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_HYPOTHESES = 15  # hypotheses
TINY = -600.0  # a logarithm whose number is nearly too small for a double


class HypothesesDisplay(Display):
    """Prior, likelihood, posterior and predictive distribution of a space of hypotheses.

    Parameters
    ----------
    space : HypothesisSpace
    data : iterable
        The examples.

    Attributes
    ----------
    shown : list of int
        The hypotheses that are drawn: all, or the 15 most probable ones.
    ax_ : ndarray of four matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, space: HypothesisSpace, data: Iterable[Any]) -> None:
        self.space = space
        self.data = list(data)
        self.log_likelihood = space.log_likelihoods(self.data)
        self.log_posterior = space.log_posteriors(self.data)
        self.shown = sorted(np.argsort(-self.log_posterior, kind="stable")[:MOST_HYPOTHESES].tolist())

    def plot(self, ax: Any = None) -> Self:
        """Draw the four parts in two rows, or on four axes."""
        height = max(4.4, 2.4 + 0.44 * len(self.shown))
        axes = self.open_panels(ax, 2, 2, count=4, width=8.6, height=height)
        self.bars(axes[0], np.exp(self.space.log_prior), _("prior"))
        self.draw_likelihood(axes[1])
        self.bars(axes[2], np.exp(self.log_posterior), _("posterior"), marked=int(np.argmax(self.log_posterior)))
        self.draw_predictive(axes[3])
        return self

    def draw_likelihood(self, ax: Axes) -> None:
        """P(D | h), and P(D), their mean by the prior; as parts of the largest where they are too small."""
        evidence, largest = self.space.log_evidence(self.data), float(self.log_likelihood.max())
        shift, title = (0.0, _("likelihood")) if largest > TINY else (largest, _("likelihood / largest"))
        words = _("marked: evidence {value}").format(value=number(float(np.exp(evidence))))
        if evidence < TINY:
            words = _("marked: evidence, log {value}").format(value=number(evidence))
        self.bars(ax, np.exp(self.log_likelihood - shift), title, words, int(np.argmax(self.log_likelihood)))
        mark: dict[str, Any] = {"color": INK, "markersize": 6, "clip_on": False, "zorder": 4}
        ax.plot([np.exp(evidence - shift)], [0.0], "^", transform=ax.get_xaxis_transform(), **mark)

    def bars(self, ax: Axes, values: Array, title: str, below: str = "", marked: int | None = None) -> None:
        """One bar for each hypothesis, the first on top."""
        part = values[self.shown]
        colours = [VERMILION if k == marked else BLUE for k in self.shown]
        ax.barh(range(len(part)), part, height=0.7, color=colours)
        names = short_names(self.space.names[k] for k in self.shown)
        room = room_beside(ax, names)
        if marked is not None:
            title += "\n" + _("largest: {name}").format(name=short(self.space.names[marked]))
        below = "\n".join(line for line in (below, self.left_out(len(values) - len(part))) if line)
        tidy(ax, x=wrap_text(below, room), y="", title=wrap_text(title, room))
        for place, value in enumerate(part):
            text = number(float(value), 3)
            ax.annotate(text, (value, place), (3, 0), textcoords="offset points", va="center", fontsize=SMALL, color=INK)
        ax.set_yticks(range(len(part)), names)
        ax.set(ylim=(len(part) - 0.4, -0.6), xlim=(0.0, (1.0 + 1.0 / max(room, 0.8)) * part.max()))
        ax.locator_params(axis="x", nbins=max(2, int(width_of(ax) / 0.8)))
        ax.tick_params(axis="y", length=0)

    def left_out(self, rest: int) -> str:
        return _("less probable hypotheses that are not shown: {count}").format(count=format_whole(rest)) if rest else ""

    def draw_predictive(self, ax: Axes) -> None:
        """p(x | D), with the examples marked below."""
        values, things = np.array(list(self.space.predictive(self.data).values())), self.space.universe
        places = positions(things)
        seen = np.array([self.space.place[thing] for thing in self.data], dtype=int)
        ax.bar(places, values, width=0.8 * narrowest(places), color=SKY, edgecolor=BLUE, linewidth=0.6)
        ax.plot(places[seen], np.zeros(len(seen)), "^", color=VERMILION, markersize=6, clip_on=False, zorder=4)
        tidy(ax, x=_("example (marked: those seen)"), y="", title=_("predictive distribution"))
        name_positions(ax, things)
        ax.set_ylim(0.0, 1.1 * values.max())
        ax.axhline(0.0, color=GREY, linewidth=0.6)
