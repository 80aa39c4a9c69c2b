"""Picture of several kernels on one table: the surface f of a support vector classifier with each of them.

The colour is the class that is predicted, the stronger the larger |f| is; the line is f = 0, dashed lines are f = ±1.
The same rows and the same C: what differs is what each kernel takes for alike. A plane cannot bend, a polynomial grows without
bound, and the surface of a kernel of distances goes back to b far from all rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from aprendiz.kernel import SVC
from aprendiz.locale import _, format_whole
from aprendiz.plots.models.coefficients import fitted_last_step
from aprendiz.plots.plane.margins import draw_lines, opacity_of
from aprendiz.plots.plane.plane_grid import PlaneGrid
from aprendiz.plots.plane.regions import labels_of_rows, mark_rows, paint
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import legend_below, tidy

PANEL = 3.2  # inches
ACROSS = 3  # panels in a row at most
STEPS = 121  # places along each column
MOST_ROWS = 500  # drawn in a panel


class KernelSurfacesDisplay(Display):
    """The surfaces of several fitted classifiers of two classes over two columns.

    Parameters
    ----------
    models : mapping of names to fitted classifiers
        With a `decision_function`, all of the same two classes.
    X : table of shape (n_rows, n_columns)
        The rows.
    y : array-like of shape (n_rows,), optional
        Their classes, shown as marks.
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two; others are held at their medians.
    seed : int, default=0
        Which rows are drawn, if there are more than 500.

    Attributes
    ----------
    values : dict of ndarray of shape (n_places, n_places)
        f of each model, y upwards.
    support : dict
        The number of support vectors of each model; None where it has none.
    chosen : ndarray
        Numbers of the rows that are drawn, in ascending order.
    ax_ : ndarray of matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(
        self, models: Mapping[str, Any], X: Any, y: Any = None, *, columns: Sequence[Any] | None = None, seed: int = 0
    ) -> None:
        if not models:
            raise ValueError("models is empty: give at least one name and its fitted classifier.")
        self.grid = PlaneGrid.of(X, columns, STEPS)
        self.classes = np.asarray(next(iter(models.values())).classes_)
        for name, model in models.items():
            if len(model.classes_) != 2 or not np.array_equal(model.classes_, self.classes):
                raise ValueError(f"{name} has the classes {list(model.classes_)}: every model must have the same two.")
        self.values = {name: self.grid.on_grid(model.decision_function(self.grid.rows)) for name, model in models.items()}
        self.support = {name: support_of(model) for name, model in models.items()}
        self.y = labels_of_rows(y, len(self.grid.points))
        self.chosen = drawn_rows(len(self.grid.points), seed, MOST_ROWS)

    @classmethod
    def from_kernels(
        cls,
        kernels: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        model: Any = None,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
        ax: Any = None,
    ) -> Self:
        """Fit a classifier with each kernel, by default `SVC()`, and draw."""
        machine = SVC() if model is None else model
        fitted = {name: clone(machine).set_params(kernel=kernel).fit(X, y) for name, kernel in kernels.items()}
        return cls(fitted, X, y, columns=columns, seed=seed).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw a panel for each kernel, at most three in a row."""
        count = len(self.values)
        across = min(count, ACROSS)
        down = -(-count // across)
        axes = self.open_panels(ax, down, across, count=count, width=PANEL * across, height=(PANEL + 0.5) * down)
        labels = None if self.y is None else self.y[self.chosen]
        for panel, (name, values) in zip(axes, self.values.items(), strict=True):
            tidy(panel, x=self.grid.names[0], y=self.grid.names[1], title=self.title(name))
            paint(panel, self.grid, (values > 0).astype(int), opacity_of(values), 2)
            draw_lines(panel, self.grid, values)
            mark_rows(panel, self.grid.points[self.chosen], labels, self.classes)
            legend_below(panel, columns=2)
        return self

    def title(self, name: str) -> str:
        count = self.support[name]
        return name if count is None else f"{name}\n" + _("support vectors: {count}").format(count=format_whole(count))


def support_of(model: Any) -> int | None:
    """How many support vectors a model has, or the one in which a pipeline ends."""
    support = getattr(fitted_last_step(model), "support_", None)
    return None if support is None else len(support)
