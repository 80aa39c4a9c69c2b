"""Picture of a linear model: its largest coefficients, with the names of their columns.

A bar to the right (blue) raises the prediction, or the score of the class; a bar to the left (vermilion) lowers it. The sizes
can be compared where the columns have a common scale (StandardScaler): otherwise they follow the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, ngettext, whole
from aprendiz.plots.style import (
    BLUE,
    GREY,
    THIN,
    VERMILION,
    figure_of,
    open_several,
    quoted,
    room_beside,
    tidy,
    verbatim,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST, MOST_OF_SEVERAL = 20, 8  # bars of one row of coefficients, and of each of several
BAR, MARGIN = 0.22, 1.0  # inches
WIDTH, ACROSS = 4.2, 3  # inches of one picture, pictures side by side


class CoefficientsDisplay:
    """The largest coefficients of a linear model as bars.

    Parameters
    ----------
    coefficients : array-like of shape (n_columns,) or (n_classes, n_columns)
        Of one target or class, or of several.
    names : sequence of str, optional
        Of the columns; by default x0, x1, …
    towards : sequence of label, optional
        The class (or target) to which each row of coefficients belongs.

    Attributes
    ----------
    ax_ : matplotlib Axes, or ndarray of them if there are several rows of coefficients
        Where it was drawn.
    figure_ : matplotlib Figure
        That holds them.
    """

    ax_: Any
    figure_: Figure

    def __init__(self, coefficients: Any, names: Sequence[Any] | None = None, towards: Sequence[Any] | None = None) -> None:
        self.coefficients = rows_of_numbers(coefficients)
        count, columns = self.coefficients.shape
        self.names = [f"x{j}" for j in range(columns)] if names is None else list(names)
        self.towards = None if towards is None else list(towards)
        if len(self.names) != columns:
            raise ValueError(f"names has {len(self.names)} entries, there are {columns} coefficients: give one for each.")
        if self.towards is not None and len(self.towards) != count:
            raise ValueError(
                f"towards has {len(self.towards)} entries, there are {count} rows of coefficients: give one for each."
            )

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, names: Sequence[Any] | None = None, most: int | None = None, ax: Any = None
    ) -> Self:
        """Draw the coefficients of a fitted linear model, or of a pipeline that ends in one."""
        check_is_fitted(estimator)
        model = estimator[-1] if isinstance(estimator, Pipeline) else estimator
        if not hasattr(model, "coef_"):
            raise TypeError(f"{type(model).__name__} has no coefficients (coef_): give a linear model.")
        found = names_of(estimator) if names is None else names
        return cls(model.coef_, found, classes_of(model)).plot(ax, most=most)

    def plot(self, ax: Any = None, *, most: int | None = None) -> Self:
        """Draw the `most` largest coefficients: by default 20, or 8 of each of several rows, which need an axes each."""
        count, columns = self.coefficients.shape
        if most is None:
            most = MOST if count == 1 else MOST_OF_SEVERAL
        if most < 1:
            raise ValueError(f"most = {most!r} must be a whole number of at least 1: 20 is usual.")
        shown = min(columns, most)
        across = min(count, ACROSS)
        down = -(-count // across)
        size = {"width": across * WIDTH, "height": down * (shown * BAR + MARGIN)}
        axes = open_several(ax, down, across, count=count, **size)
        for number, one in enumerate(axes):
            self.draw(one, number, shown)
        self.ax_, self.figure_ = axes if count > 1 else axes[0], figure_of(axes[0])
        return self

    def draw(self, ax: Axes, number: int, shown: int) -> None:
        """Bars of one row of coefficients, the largest on top."""
        values = self.coefficients[number]
        largest = np.argsort(-np.abs(values), kind="stable")[:shown]
        ax.barh(range(shown), values[largest], height=0.7, color=[BLUE if v >= 0 else VERMILION for v in values[largest]])
        ax.axvline(0.0, color=GREY, linewidth=THIN)
        names = [verbatim(short(self.names[j])) for j in largest]
        room = room_beside(ax, names)
        tidy(ax, x=wrapped(self.described(len(values) - shown), room), y="", title=wrapped(self.title(number), room))
        ax.set_yticks(range(shown), names)
        ax.set_ylim(shown - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)

    def described(self, rest: int) -> str:
        """The name of the axis, with the number of coefficients that are not shown."""
        if not rest:
            return _("coefficient")
        words = ngettext(
            "coefficient ({count} smaller one is not shown)", "coefficient ({count} smaller ones are not shown)", rest
        )
        return words.format(count=whole(rest))

    def title(self, number: int) -> str:
        """To which class or target a row of coefficients belongs."""
        if self.towards is not None:
            return _("towards {label}").format(label=quoted(self.towards[number]))
        return _("target {number}").format(number=number) if len(self.coefficients) > 1 else ""


def rows_of_numbers(coefficients: Any) -> Array:
    """Coefficients as a table, one row for each class or target."""
    dense = coefficients.toarray() if sparse.issparse(coefficients) else coefficients
    table = np.atleast_2d(np.asarray(dense, dtype=np.float64))
    if table.ndim != 2 or not table.size:
        raise ValueError(
            f"coefficients has shape {np.shape(dense)}: give one for each column, or a row of them for each class."
        )
    refuse_bad_number("coefficients", table)
    return table


def names_of(estimator: Any) -> Sequence[Any] | None:
    """Names of the columns that the linear model saw; None if they had none."""
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        return list(estimator[:-1].get_feature_names_out())
    return getattr(estimator[-1] if isinstance(estimator, Pipeline) else estimator, "feature_names_in_", None)


def classes_of(model: Any) -> Sequence[Any] | None:
    """The class to which each row of coefficients leads: the second of two; None for a regressor."""
    classes = getattr(model, "classes_", None)
    if classes is None:
        return None
    return list(classes[1:] if len(classes) == 2 else classes)
