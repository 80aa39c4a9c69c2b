"""Picture of model selection by evidence: how each model shares its probability among the data sets.

Σ over D of P(D | m) is one for each model m. A simple model gives much to few data sets and nothing to the others, a complex
one a little to all. The model that gives most to the observed data is the one that allows them and little else: neither too
simple nor too complex. No penalty is added: it follows from (2) of bayes/hypothesis_space.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.bayes.hypothesis_space import HypothesisSpace
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.positions import name_positions, narrowest, positions
from aprendiz.plots.shared.style import INK, colour_of, legend_below, tidy
from aprendiz.plots.shared.words import entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class EvidenceDisplay(Display):
    """The evidence of several models over data sets.

    Parameters
    ----------
    models : mapping of name to HypothesisSpace
    datasets : mapping of label to iterable of examples, optional
        The data sets along the axis, under their labels; by default one example each, all things of the universe.
    observed : label, optional
        The data set that was observed: it is marked, and the legend gives the evidence of each model for it.

    Attributes
    ----------
    evidence : dict of name to ndarray of shape (n_datasets,)
        P(D | m) of each model.
    ax_, figure_ : matplotlib Axes and Figure
    """

    def __init__(
        self,
        models: Mapping[Any, HypothesisSpace],
        datasets: Mapping[Any, Iterable[Any]] | None = None,
        *,
        observed: Any = None,
    ) -> None:
        if not models:
            raise ValueError("There is no model to draw: give at least one.")
        if datasets is None:
            datasets = {thing: [thing] for thing in next(iter(models.values())).universe}
        seen = {plain(label): list(data) for label, data in datasets.items()}
        if observed is not None and observed not in seen:
            raise ValueError(f"observed = {observed!r} is not among the data sets: give the label of one of them.")
        self.labels, self.observed = list(seen), observed
        self.evidence: dict[Any, Array] = {
            name: np.array([space.evidence(data) for data in seen.values()]) for name, space in models.items()
        }

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw one outline for each model."""
        ax = self.open_axes(ax, 6.4, 4.4)
        places = positions(self.labels)
        order = np.argsort(places, kind="stable")
        half = 0.5 * narrowest(places)
        for k, (name, values) in enumerate(self.evidence.items()):
            self.outline(ax, places[order], values[order], half, colour_of(k), self.entry_of(name, values))
        if self.observed is not None:
            ax.axvline(places[self.labels.index(self.observed)], color=INK, linewidth=1.0, linestyle=":")
        tidy(ax, x=_("data set D"), y=_("evidence P(D | model)"), title=self.title())
        name_positions(ax, self.labels)
        ax.set_ylim(bottom=0.0)
        legend_below(ax, columns=3)
        return self

    def outline(self, ax: Axes, places: Array, values: Array, half: float, colour: str, label: str) -> None:
        """Steps around the positions, filled lightly."""
        x = np.concatenate([[places[0] - half], places, [places[-1] + half]])
        y = np.concatenate([values[:1], values, values[-1:]])
        ax.plot(x, y, drawstyle="steps-mid", color=colour, linewidth=1.6, label=label)
        ax.fill_between(x, y, step="mid", color=colour, alpha=0.15, linewidth=0)

    def entry_of(self, name: Any, values: Array) -> str:
        """The name of a model, with its evidence for what was seen."""
        if self.observed is None:
            return entry(str(name))
        return entry(f"{name}: {number(float(values[self.labels.index(self.observed)]), 3)}")

    def title(self) -> str:
        """Which model has most evidence."""
        if self.observed is None:
            return ""
        here = self.labels.index(self.observed)
        best = max(self.evidence, key=lambda name: float(self.evidence[name][here]))
        return _("most evidence for D = {data}: {model}").format(data=short(self.observed), model=best)
