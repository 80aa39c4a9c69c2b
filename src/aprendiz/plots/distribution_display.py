"""Picture of distributions on the line: curves of densities, or bars of probabilities, of one or several distributions.

A curve runs over the middle 99.8 % of all distributions that are drawn. Where values can be counted, each has a bar; those that
are very improbable are left out. A prior beside its posteriors shows what was learned from the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.bayes.distributions.distribution import Drawable
from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import colour_of, legend_below, tidy
from aprendiz.plots.shared.words import entry, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = 400  # of a curve
TAIL = 0.001  # of the probability, left out on each side
DASHES = ("-", "--", "-.", ":")
SLANTED = 8  # labels from which they are slanted


class DistributionDisplay(Display):
    """One or several distributions on the line.

    Parameters
    ----------
    distributions : distribution, or dict of str to distribution
        Of aprendiz.bayes.distributions; several by their names, all with densities or all with values that can be counted.

    Attributes
    ----------
    places : ndarray
        Where the densities are drawn: numbers along a curve, or the values of the bars.
    heights : dict of str to ndarray
        The densities or probabilities there.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, distributions: Any) -> None:
        self.distributions = dict(distributions) if isinstance(distributions, Mapping) else {"": distributions}
        if not self.distributions:
            raise ValueError("There is no distribution to draw: give at least one.")
        for name, one in self.distributions.items():
            if not isinstance(one, Drawable):
                raise TypeError(
                    f"The distribution {name!r} is {type(one).__name__}, which is not one on the line: draw its marginals."
                )
        kinds = {one.discrete for one in self.distributions.values()}
        if len(kinds) > 1:
            raise ValueError("Densities and probabilities have no common scale: draw them one at a time.")
        self.discrete = kinds.pop()
        self.places = values_of(self.distributions) if self.discrete else curve_of(self.distributions)
        self.heights = {name: one.density(self.places) for name, one in self.distributions.items()}

    def plot(self, ax: Axes | None = None, *, x: str | None = None) -> Self:
        """Draw the curves or the bars; `x` names the value."""
        ax = self.open_axes(ax, 5.6, 3.8)
        for k, (name, height) in enumerate(self.heights.items()):
            draw = self.bars if self.discrete else self.curve
            draw(ax, k, height, entry(name) if name else None)
        ax.set_ylim(bottom=0)
        tidy(ax, x=_("value") if x is None else x, y=_("probability") if self.discrete else _("density"))
        if self.places.dtype.kind not in "biuf":
            self.name_bars(ax)
        if any(self.heights):
            legend_below(ax, columns=4)
        return self

    def curve(self, ax: Axes, k: int, height: Array, label: str | None) -> None:
        """A density, with the area under it."""
        colour = colour_of(k)
        ax.plot(self.places, height, color=colour, linewidth=1.6, linestyle=DASHES[k % len(DASHES)], label=label)
        ax.fill_between(self.places, height, color=colour, alpha=0.12, linewidth=0)

    def bars(self, ax: Axes, k: int, height: Array, label: str | None) -> None:
        """Probabilities; bars of several distributions stand side by side."""
        numbers = self.places.dtype.kind in "biuf"
        places = self.places.astype(np.float64) if numbers else np.arange(len(self.places), dtype=np.float64)
        room = 0.8 * (float(np.diff(places).min()) if len(places) > 1 else 1.0)
        width = room / len(self.heights)
        ax.bar(places - room / 2 + (k + 0.5) * width, height, width, color=colour_of(k), alpha=0.85, label=label)

    def name_bars(self, ax: Axes) -> None:
        """Labels that are words, under their bars."""
        names = short_names(self.places)
        crowded = len(names) >= SLANTED or max(map(len, names)) > SLANTED
        turned: dict[str, Any] = {"rotation": 45, "ha": "right"} if crowded else {}
        ax.set_xticks(range(len(names)), names, **turned)


def curve_of(distributions: Mapping[str, Any]) -> Array:
    """Places over the middle of all of them."""
    ends = [one.quantile(np.array([TAIL, 1 - TAIL])) for one in distributions.values()]
    return np.linspace(min(low for low, _high in ends), max(high for _low, high in ends), PLACES)


def values_of(distributions: Mapping[str, Any]) -> Array:
    """The values that any of them takes."""
    return np.unique(np.concatenate([one.points() for one in distributions.values()]))
