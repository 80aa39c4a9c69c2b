"""Picture of training curves: the objective of a learner, epoch by epoch.

    Perceptron        mistakes in each epoch
    DeltaRule         mean squared error at the start and after each epoch
    SGD…              objective, averaged over the steps of each epoch
    MLP…              objective, averaged over the batches of each epoch; with L-BFGS, after each step
    KMeans            cost of each pass

The horizontal axis counts epochs, or updates of the coefficients: one for each mistake of the perceptron, one for each row (or
batch) of stochastic steps, one for each epoch of batch descents.

If there are several classes, their curves are added. Curves of different measures are drawn as fractions of their initial
values. The axis is logarithmic where all curves fall by more than a factor of a hundred and no value is zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import entries_for
from aprendiz.plots.shared.scales import deep, in_whole_numbers
from aprendiz.plots.shared.style import MARKERS, colour_of, legend_below, tidy
from aprendiz.plots.shared.words import entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

FEW_VALUES = 25  # values up to which each is marked


@dataclass(frozen=True)
class TrainingCurve:
    """Values of the objective, the number of the first epoch (0 if the start is among them), what it is called, and how many
    updates had been made at each value, if that is known."""

    values: Array
    first: int = 1
    measure: str = ""
    updates: Array | None = None


class TrainingCurveDisplay(Display):
    """One or several training curves as a picture.

    Parameters
    ----------
    curves : dict of str to array-like or TrainingCurve
        By the names of the learners; the first value of an array is that of epoch 1.
    against : {"epochs", "updates"}, default="epochs"
        The horizontal axis.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    lines_ : list of matplotlib Line2D
        One for each curve.
    """

    lines_: list[Line2D]

    def __init__(self, curves: Mapping[str, Any], against: Literal["epochs", "updates"] = "epochs") -> None:
        if not curves:
            raise ValueError("There is no curve to draw: give at least one.")
        if against not in ("epochs", "updates"):
            raise ValueError(f'against must be "epochs" or "updates", got {against!r}.')
        self.against = against
        self.curves = {
            name: given if isinstance(given, TrainingCurve) else TrainingCurve(given) for name, given in curves.items()
        }
        for name, curve in self.curves.items():
            values = np.asarray(curve.values, dtype=float)
            if values.ndim != 1 or not len(values):
                raise ValueError(f"The curve {name!r} has shape {values.shape}: give one value for each epoch.")
            refuse_bad_number(f"curve {name!r}", values)
            if against == "updates" and (curve.updates is None or np.shape(curve.updates) != values.shape):
                raise ValueError(
                    f"The number of updates at each value of the curve {name!r} is not known: draw it against epochs, or give "
                    "a TrainingCurve with as many updates as values."
                )

    @classmethod
    def from_estimators(
        cls,
        *estimators: Any,
        names: Sequence[str] | None = None,
        against: Literal["epochs", "updates"] = "epochs",
        ax: Axes | None = None,
    ) -> Self:
        """Draw the curves of fitted learners, named by their classes unless names are given."""
        shown = entries_for("names", names, number_names([type(one).__name__ for one in estimators]), "learners")
        return cls(dict(zip(shown, map(curve_of, estimators), strict=True)), against).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw all curves on one axes, with a legend if there are several."""
        ax = self.open_axes(ax, 6.4, 4.4)
        differ = len({curve.measure for curve in self.curves.values()}) > 1
        self.lines_ = [self.draw(ax, k, name, differ) for k, name in enumerate(self.curves)]
        if all(deep(line.get_ydata()) for line in self.lines_):
            ax.set_yscale("log")
        else:
            ax.set_ylim(bottom=min(0.0, ax.get_ylim()[0]))
        words = _("fraction of the initial value") if differ else next(iter(self.curves.values())).measure
        tidy(
            ax,
            x=_("epoch") if self.against == "epochs" else _("updates of the coefficients"),
            y=words or _("objective of the fit"),
        )
        in_whole_numbers(ax.xaxis)
        if len(self.curves) > 1:
            legend_below(ax, columns=3)
        return self

    def draw(self, ax: Axes, place: int, name: str, differ: bool) -> Line2D:
        """One curve, with marks if there are few values."""
        curve = self.curves[name]
        values = np.asarray(curve.values, dtype=float)
        values = values / (values[0] or 1.0) if differ else values
        words = f"{name} ({curve.measure})" if differ and curve.measure else name
        look: dict[str, Any] = {"color": colour_of(place), "linewidth": 1.5, "label": entry(words)}
        if len(values) <= FEW_VALUES:
            look |= {"marker": MARKERS[place % len(MARKERS)], "markersize": 4}
        epochs = curve.first + np.arange(len(values))
        (line,) = ax.plot(epochs if self.against == "epochs" else np.asarray(curve.updates), values, **look)
        return line


def curve_of(estimator: Any) -> TrainingCurve:
    """The training curve of a fitted learner: `history_`, or the log of its certificate."""
    check_is_fitted(estimator)
    if hasattr(estimator, "loss_curve_"):
        return curve_of_network(estimator)
    kept = getattr(estimator, "history_", None)
    if kept is None:
        kept = getattr(getattr(estimator, "certificate_", None), "log", None)
    if kept is None:
        raise TypeError(
            f"{type(estimator).__name__} keeps no training curve (history_): give a learner that trains in epochs, such as "
            "Perceptron or DeltaRule."
        )
    values = np.asarray(kept, dtype=float)
    values = values.sum(axis=1) if values.ndim == 2 else values
    epochs = getattr(estimator, "n_iter_", len(values))
    first = 0 if len(values) == epochs + 1 else 1
    return TrainingCurve(values, first, measure_of(estimator), updates_of(estimator, values, first))


def curve_of_network(network: Any) -> TrainingCurve:
    """The losses of a network; all epochs share its steps alike."""
    values = np.asarray(network.loss_curve_, dtype=float)
    steps = len(values) if network.solver == "lbfgs" else network.updates_
    return TrainingCurve(values, 1, measure_of(network), (1 + np.arange(len(values))) * (steps / max(1, len(values))))


def updates_of(estimator: Any, values: Array, first: int) -> Array | None:
    """How often the coefficients had changed at each value: mistakes, or steps (`t_`), which all epochs share alike."""
    if type(estimator).__name__ == "Perceptron":
        return np.asarray(np.cumsum(values))
    steps, epochs = getattr(estimator, "t_", None), getattr(estimator, "n_iter_", 0)
    return None if steps is None or not epochs else (first + np.arange(len(values))) * ((steps - 1.0) / epochs)


def measure_of(estimator: Any) -> str:
    """What the curve of a learner shows, in words."""
    name = type(estimator).__name__
    if name == "Perceptron":
        return _("mistakes per epoch")
    if name == "DeltaRule":
        return _("mean squared error")
    return _("cost") if name == "KMeans" else _("objective")


def number_names(names: Sequence[str]) -> list[str]:
    """Names that repeat, told apart by numbers."""
    return [f"{name} {names[: k + 1].count(name)}" if list(names).count(name) > 1 else name for k, name in enumerate(names)]
