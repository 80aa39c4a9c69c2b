"""Picture of errors against complexity: training and test error for each value of a parameter, or each number of columns.

The training error falls as the model becomes more complex; the test error falls and then rises. The mark is the smallest error
of the last curve, which is the test error. Values of several folds are drawn as their mean, with a standard error on either
side. Curves of a selection of columns inside and outside of the folds show what a leak hides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, refuse_bad_number
from aprendiz.evaluation import KFolds
from aprendiz.evaluation.folds.predictions import task_of
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import INK, colour_of, legend_below, marker_of, tidy
from aprendiz.plots.shared.words import entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 100.0  # largest over smallest value from which the axis is logarithmic


class ErrorCurveDisplay(Display):
    """Errors against complexity as a picture.

    Parameters
    ----------
    values : array-like of shape (n_values,)
        Complexities: values of a parameter, numbers of columns.
    curves : dict of str to array-like of shape (n_values,) or (n_values, n_folds)
        Errors by name; the smallest of the last curve is marked.
    along, measure : str, optional
        Names of the axes.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    best : float
        The value with the smallest error of the last curve, the first of equals.
    """

    def __init__(self, values: Any, curves: Mapping[str, Any], *, along: str = "", measure: str = "") -> None:
        self.values = np.asarray(values, dtype=np.float64)
        if self.values.ndim != 1 or not len(self.values):
            raise ValueError(f"values has shape {self.values.shape}: give a list of at least one number.")
        refuse_bad_number("values", self.values)
        if not curves:
            raise ValueError("There is no curve to draw: give at least one.")
        self.curves: dict[str, Array] = {}
        for name, errors in curves.items():
            table = np.asarray(errors, dtype=np.float64)
            if table.ndim not in (1, 2) or len(table) != len(self.values) or not table.size:
                raise ValueError(
                    f"The curve {name!r} has shape {table.shape}: give an error for each of {len(self.values)} values."
                )
            refuse_bad_number(f"curve {name!r}", table)
            self.curves[name] = table.reshape(len(self.values), -1)
        self.along, self.measure = along, measure

    @property
    def best(self) -> float:
        """The value with the smallest error of the last curve."""
        return float(self.values[list(self.curves.values())[-1].mean(axis=1).argmin()])

    @classmethod
    def from_estimator(
        cls, learner: Any, X: Any, y: Any, parameter: str, values: Sequence[Any], *, protocol: Any = None, ax: Any = None
    ) -> Self:
        """Measure training and test error of a learner for each value of a parameter, in folds, and draw them."""
        by_class, target = task_of(learner) == "classification", as_target(y)
        splits = list((protocol or KFolds(5)).splits(target, None, by_class))
        found = np.empty((2, len(values), len(splits)))
        for a, value in enumerate(values):
            for f, (train, test) in enumerate(splits):
                model = clone(learner).set_params(**{parameter: value}).fit(_safe_indexing(X, train), target[train])
                for side, rows in enumerate((train, test)):
                    said = model.predict(_safe_indexing(X, rows))
                    found[side, a, f] = np.mean(said != target[rows] if by_class else (said - target[rows]) ** 2)
        words = _("error rate") if by_class else _("mean squared error")
        curves = {_("training rows"): found[0], _("test rows"): found[1]}
        return cls(values, curves, along=parameter, measure=words).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw all curves, and mark the best value."""
        ax = self.open_axes(ax, 6.4, 4.4)
        for place, (name, table) in enumerate(self.curves.items()):
            mean, folds = table.mean(axis=1), table.shape[1]
            if folds > 1:
                half = table.std(axis=1, ddof=1) / np.sqrt(folds)
                ax.fill_between(self.values, mean - half, mean + half, color=colour_of(place), alpha=0.15, lw=0)
            look: dict[str, Any] = {"color": colour_of(place), "marker": marker_of(place), "markersize": 4, "linewidth": 1.4}
            ax.plot(self.values, mean, label=entry(name), **look)
        last = list(self.curves.values())[-1].mean(axis=1)
        words = _("smallest error, at {value}").format(value=number(self.best, 4))
        look = {"marker": "s", "markersize": 9, "markerfacecolor": "none", "markeredgewidth": 1.6}
        ax.plot([self.best], [last.min()], linestyle="none", color=INK, label=words, **look)
        if self.values.min() > 0 and self.values.max() >= WIDE * self.values.min():
            ax.set_xscale("log")
        ax.set_ylim(bottom=min(0.0, ax.get_ylim()[0]))
        tidy(ax, x=self.along or _("complexity"), y=self.measure or _("error"))
        legend_below(ax, columns=3)
        return self
