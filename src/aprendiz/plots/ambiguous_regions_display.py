"""Picture of what one against the rest and one against one leave open, beside the linear machine, which leaves nothing open.

one against the rest    hatched where no class, or more than one, claims a point
one against one         hatched where several classes have the most votes
linear machine          every point belongs to the class with the largest linear function
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import clone

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.linear.linear_machine import LinearMachine
from aprendiz.linear.one_vs_one_classifier import OneVsOneClassifier
from aprendiz.linear.one_vs_rest_classifier import OneVsRestClassifier
from aprendiz.locale import _
from aprendiz.plots.plane.plane_grid import STEPS, PlaneGrid
from aprendiz.plots.plane.regions import PLAIN, class_legend, labels_of_rows, mark_rows, paint
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import GREY, tidy
from aprendiz.plots.shared.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class AmbiguousRegionsDisplay(Display):
    """Three ways from planes to more than two classes, and the points on which they are ambiguous.

    Parameters
    ----------
    rest : fitted OneVsRestClassifier
    one : fitted OneVsOneClassifier
    machine : fitted LinearMachine
        All fitted to the same table.
    X : table of shape (n_rows, n_columns)
    y : array-like of shape (n_rows,), optional
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two; others are held at their medians.

    Attributes
    ----------
    grid : PlaneGrid
        Places along the two columns.
    regions : list of three ndarrays of shape (n_places, n_places)
        The number of the class at each place, −1 where it is ambiguous.
    shares : list of three floats
        The part of the picture that is ambiguous.
    ax_ : array of three Axes
    figure_ : matplotlib Figure
    """

    def __init__(
        self, rest: Any, one: Any, machine: Any, X: Any, y: Any = None, *, columns: Sequence[Any] | None = None
    ) -> None:
        self.grid, self.classes = PlaneGrid.of(X, columns, STEPS), np.asarray(machine.classes_)
        if len(self.classes) < 3:
            known = " and ".join(repr(plain(label)) for label in self.classes)
            raise ValueError(f"The classes are {known}: give rows of three classes or more, two are never ambiguous.")
        self.y = labels_of_rows(y, len(self.grid.points))
        self.regions = [self.classify(rest), self.classify(one), self.classify(machine)]
        self.shares = [float(np.mean(region < 0)) for region in self.regions]

    def classify(self, model: Any) -> Array:
        """The class of each place; −1 where the model says that it is ambiguous."""
        codes = np.searchsorted(self.classes, model.predict(self.grid.rows))
        if hasattr(model, "ambiguous"):
            codes = np.where(model.ambiguous(self.grid.rows), -1, codes)
        return self.grid.on_grid(codes)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        machine: Any = None,
        columns: Sequence[Any] | None = None,
        name: str = "",
        ax: Any = None,
    ) -> Self:
        """Fit one against the rest and one against one with the estimator as base, and a linear machine; then draw."""
        rest = OneVsRestClassifier(clone(estimator)).fit(X, y)
        one = OneVsOneClassifier(clone(estimator)).fit(X, y)
        third = (LinearMachine() if machine is None else clone(machine)).fit(X, y)
        return cls(rest, one, third, X, y, columns=columns).plot(ax, name=name)

    def plot(self, ax: Any = None, *, name: str = "") -> Self:
        """Draw the three pictures side by side, which need an axes each; `name` says what the classes are."""
        axes = self.open_panels(ax, 1, 3, count=3, width=9.6, height=4.0)
        titles = (_("one against the rest"), _("one against one"), _("linear machine"))
        for one, region, share, title in zip(axes, self.regions, self.shares, titles, strict=True):
            words = _("{title}: {share} ambiguous").format(title=title, share=percent(share))
            tidy(one, x=self.grid.names[0], y=self.grid.names[1], title=words)
            paint(one, self.grid, region, np.full(region.shape, PLAIN), len(self.classes))
            hatch(one, self.grid, region < 0)
            mark_rows(one, self.grid.points, self.y, self.classes)
            class_legend(one, name)
        return self


def hatch(ax: Axes, grid: PlaneGrid, where: Array) -> None:
    """Grey lines over some places."""
    if not where.any():
        return
    lines = ax.contourf(grid.x, grid.y, where.astype(float), levels=[0.5, 1.5], colors="none", hatches=["////"], zorder=0.8)
    lines.set_edgecolor(GREY)
    lines.set_linewidth(0.0)
