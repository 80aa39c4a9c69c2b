"""Picture of a validation curve: the score on unseen rows, and on training rows, against the values of a parameter; what the
bands are: shared/two_sides.py. The two marks are the best value, and the simplest within a standard error of it.

Numbers stand at their places, on a scale of powers where they reach far; other values in the order in which they were given.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.validation_curve import ValidationCurve, validation_curve
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.locale import _, localise
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import deep
from aprendiz.plots.shared.style import INK, ORANGE, legend_below, tidy
from aprendiz.plots.shared.two_sides import draw_two_sides
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class ValidationCurveDisplay(Display):
    """A validation curve as a picture.

    Parameters
    ----------
    curve : ValidationCurve
        What `validation_curve` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    lines_ : list of two matplotlib Line2D
        The scores on unseen rows, and on training rows.
    """

    lines_: list[Line2D]

    def __init__(self, curve: ValidationCurve) -> None:
        self.curve = curve

    @classmethod
    def from_estimator(
        cls,
        learner: Any,
        X: Any,
        y: Any,
        *,
        parameter: str,
        values: Sequence[Any],
        simplest: Literal["first", "last"] = "first",
        protocol: Protocol | None = None,
        metric: str | None = None,
        groups: Any = None,
        ax: Axes | None = None,
    ) -> Self:
        """Fit, judge and draw; the arguments are those of `validation_curve`."""
        how: dict[str, Any] = {"simplest": simplest, "protocol": protocol, "metric": metric, "groups": groups}
        return cls(validation_curve(learner, X, y, parameter=parameter, values=values, **how)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw both lines with their bands, and the two marks."""
        ax = self.open_axes(ax, 6.4, 4.6)
        curve, places = self.curve, self.places()
        order = np.argsort(places, kind="stable")
        unseen, seen = ([scores[place] for place in order] for scores in (curve.unseen, curve.seen))
        self.lines_ = draw_two_sides(ax, places[order].tolist(), unseen, seen)
        if curve.one_se_place != curve.best_place:
            self.mark(ax, places, curve.one_se_place, ORANGE, "D", _("within a standard error of the best: {value}"))
        self.mark(ax, places, curve.best_place, INK, "s", _("best: {value}"))
        if self.of_numbers() and deep(places):
            ax.set_xscale("log")
        tidy(ax, x=curve.parameter, y=measure_in_words(curve.metric))
        if not self.of_numbers():
            ax.set_xticks(range(len(curve.values)), short_names(curve.values))
        legend_below(ax, columns=2)
        return self

    def of_numbers(self) -> bool:
        return all(isinstance(value, Real) and not isinstance(value, bool) for value in self.curve.values)

    def places(self) -> Any:
        """Where the values stand on the axis."""
        return np.array(self.curve.values, dtype=float) if self.of_numbers() else np.arange(float(len(self.curve.values)))

    def mark(self, ax: Axes, places: Any, number: int, colour: str, sign: str, words: str) -> None:
        """A value on the line of unseen rows."""
        look: dict[str, Any] = {"marker": sign, "markersize": 10, "markerfacecolor": "none", "markeredgewidth": 1.6}
        name = short_names([self.curve.values[number]])[0]
        label = words.format(value=localise(name) if self.of_numbers() else name)
        ax.plot([places[number]], [self.curve.unseen[number].value], linestyle="none", color=colour, label=label, **look)
