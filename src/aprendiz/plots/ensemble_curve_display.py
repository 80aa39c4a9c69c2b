"""Picture of an ensemble as it grows: its error against the number of members.

A colour for each ensemble; a thin line for the rows of the fit, a dashed one for out-of-bag rows, a thick one for test
rows. The axis of the members is logarithmic where there are many: the first ones change most.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from aprendiz.ensemble.ensemble_curve import EnsembleCurve, ensemble_curve
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import colour_of, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

MANY_MEMBERS = 30  # members from which their scale is one of powers
LOOKS: dict[str, dict[str, Any]] = {
    "train": {"linewidth": 0.9, "linestyle": (0, (1, 1.5))},
    "oob": {"linewidth": 1.4, "linestyle": (0, (5, 2))},
    "test": {"linewidth": 1.8, "linestyle": "-"},
}


class EnsembleCurveDisplay(Display):
    """The error of one or several ensembles against their size.

    Parameters
    ----------
    curves : EnsembleCurve, or dict of str to EnsembleCurve
        What `ensemble_curve` returns; several by the names of the ensembles.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    lines_ : list of matplotlib Line2D
        One for each error that is known: ensemble after ensemble, training, out-of-bag, test.
    """

    lines_: list[Line2D]

    def __init__(self, curves: EnsembleCurve | Mapping[str, EnsembleCurve]) -> None:
        self.curves = {"": curves} if isinstance(curves, EnsembleCurve) else dict(curves)
        if not any(curve.known for curve in self.curves.values()):
            raise ValueError("There is no error to draw: give curves with rows of the fit, or with test rows.")
        if len({curve.task for curve in self.curves.values()}) > 1:
            raise ValueError("The curves are errors of classes and of numbers, which have no common scale: draw them apart.")

    @classmethod
    def from_curves(cls, curves: Mapping[str, EnsembleCurve], *, ax: Axes | None = None) -> Self:
        """Draw several ensembles on one axes."""
        return cls(curves).plot(ax)

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any = None, y: Any = None, *, X_test: Any = None, y_test: Any = None, ax: Axes | None = None
    ) -> Self:
        """Ask the members of a fitted ensemble, and draw; the arguments are those of `ensemble_curve`."""
        return cls(ensemble_curve(model, X, y, X_test=X_test, y_test=y_test)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw all errors on one axes."""
        ax = self.open_axes(ax, 6.4, 4.4)
        self.lines_ = []
        for place, (name, curve) in enumerate(self.curves.items()):
            for kind, values in curve.known.items():
                colour = colour_of(place)
                self.lines_ += ax.plot(curve.members, values, color=colour, label=entry(self.words(name, kind)), **LOOKS[kind])
        kinds = next(iter(self.curves.values())).task == "classification"
        self.name_axes(ax, _("error") if kinds else _("mean squared error"))
        if kinds:
            in_percent(ax.yaxis)
        legend_below(ax, columns=3)
        return self

    def name_axes(self, ax: Axes, measure: str) -> None:
        """Names and scales: whole numbers of members, in powers where they are many."""
        from matplotlib.ticker import NullLocator

        most = max(len(curve.members) for curve in self.curves.values())
        ax.set_xscale("log" if most >= MANY_MEMBERS else "linear")
        tidy(ax, x=_("members"), y=measure)
        ax.set_ylim(bottom=0.0)
        if most < MANY_MEMBERS:
            in_whole_numbers(ax.xaxis)
            return
        ticks = [step * 10**k for k in range(len(str(most))) for step in ((1, 2, 5) if most <= 100 else (1,))]
        ticks = [tick for tick in ticks if tick <= most]
        ax.xaxis.set_minor_locator(NullLocator())
        ax.set_xticks(ticks, [format_whole(tick) for tick in ticks])

    def words(self, name: str, kind: str) -> str:
        """An entry of the legend."""
        rows = {"train": _("training rows"), "oob": _("out-of-bag rows"), "test": _("test rows")}[kind]
        return f"{name}: {rows}" if name else rows
