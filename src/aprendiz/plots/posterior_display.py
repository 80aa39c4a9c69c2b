"""Picture of the posteriors of a classifier: how probable a class is at every point of a plane, with the rows in it.

Two columns of the table span the plane; if there are more, the others are held at their medians, so that the picture is a
slice. Without a choice of class the height of the surface is the posterior of the most probable one. Lines of equal height
carry their probability. A rule that rejects where no class is probable enough leaves a band along the frontiers: it is hatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.decision_rule import REJECTED, DecisionRule
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _
from aprendiz.plots.plane.plane_grid import STEPS, PlaneGrid
from aprendiz.plots.plane.regions import STRONG, colours, labels_of_rows, mark_rows
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import GREY, INK, THIN, legend_below, tidy
from aprendiz.plots.shared.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
SMALLEST = 8.0  # points, of the numbers on the lines


class PosteriorDisplay(Display):
    """The posterior of a class, or of the most probable one, over two columns.

    Parameters
    ----------
    model : fitted classifier with predict_proba
        Of this library or of scikit-learn, or a pipeline that ends in one.
    X : table of shape (n_rows, n_columns)
        The rows; its columns are those of the fit.
    y : array-like of shape (n_rows,), optional
        Their classes, shown as marks.
    label : label, optional
        The class whose posterior is shown; by default at each place the most probable one.
    reject_below : float between 0 and 1, optional
        Hatch the band in which no class is as probable as that.
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    grid : PlaneGrid
        Places along the two columns.
    classes : ndarray of shape (n_classes,)
    owner : ndarray of shape (n_places, n_places)
        The number of the class whose posterior is shown at each place, y upwards.
    probability : ndarray of shape (n_places, n_places)
        Its posterior.
    highest : ndarray of shape (n_places, n_places)
        The posterior of the most probable class.
    rejected : ndarray of shape (n_places, n_places)
        Whether no class is probable enough.
    chosen : ndarray
        Numbers of the rows that are drawn, in ascending order.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(
        self,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        label: Any = None,
        reject_below: float | None = None,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
    ) -> None:
        if not (is_classifier(model) and hasattr(model, "predict_proba")):
            raise TypeError(f"{type(model).__name__} gives no probabilities of classes: give a classifier with predict_proba.")
        check_is_fitted(model)
        rule = DecisionRule(reject_below=reject_below)
        self.label, self.reject_below = label, rule.reject_below
        self.classes = np.asarray(model.classes_)
        number = None if label is None else number_of(label, self.classes)
        self.grid = PlaneGrid.of(X, columns, STEPS)
        P = np.asarray(model.predict_proba(self.grid.rows))
        owner = P.argmax(axis=1) if number is None else np.full(len(P), number)
        self.owner = self.grid.on_grid(owner)
        self.probability = self.grid.on_grid(P[np.arange(len(P)), owner])
        self.highest = self.grid.on_grid(P.max(axis=1))
        self.rejected = self.grid.on_grid(rule.decide(P) == REJECTED)
        self.y = labels_of_rows(y, len(self.grid.points))
        self.chosen = drawn_rows(len(self.grid.points), seed)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        label: Any = None,
        reject_below: float | None = None,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
        name: str = "",
        ax: Axes | None = None,
    ) -> Self:
        """Ask the classifier about the plane, and draw."""
        return cls(model, X, y, label=label, reject_below=reject_below, columns=columns, seed=seed).plot(ax, name=name)

    def plot(self, ax: Axes | None = None, *, name: str = "") -> Self:
        """Draw the surface, its lines, the band and the rows; `name` says what the classes are."""
        ax = self.open_axes(ax, 5.6, 5.0)
        tidy(ax, x=self.grid.names[0], y=self.grid.names[1], title=self.title())
        self.surface(ax)
        self.lines(ax)
        mark_rows(ax, self.grid.points[self.chosen], None if self.y is None else self.y[self.chosen], self.classes)
        if self.rejected.any():
            self.band(ax)
        legend_below(ax, columns=4, title=name)
        return self

    def title(self) -> str:
        """What the surface is, and what is held fixed."""
        if self.label is None:
            shown = _("posterior of the most probable class")
        else:
            shown = _("posterior of {label}").format(label=short(self.label))
        return "; ".join([shown, _("other columns at their medians")] if self.grid.others else [shown])

    def surface(self, ax: Axes) -> None:
        """The colour of the class, the stronger the more probable it is."""
        image = np.empty((*self.owner.shape, 4))
        image[..., :3] = colours(len(self.classes))[self.owner]
        image[..., 3] = STRONG * self.probability
        ax.imshow(image, origin="lower", extent=self.grid.extent, aspect="auto", interpolation="nearest", zorder=0.5)

    def lines(self, ax: Axes) -> None:
        """Lines of equal height with their probabilities."""
        P = self.probability
        levels = [level for level in LEVELS if P.min() < level < P.max()]
        if levels:
            found = ax.contour(self.grid.x, self.grid.y, P, levels=levels, colors=INK, linewidths=THIN, zorder=1.0)
            ax.clabel(found, fmt={level: percent(level) for level in levels}, fontsize=SMALLEST)

    def band(self, ax: Axes) -> None:
        """Where the rule rejects, hatched."""
        assert self.reject_below is not None
        look: dict[str, Any] = {"colors": "none", "hatches": ["////"], "zorder": 1.2}
        band = ax.contourf(self.grid.x, self.grid.y, self.highest, levels=[0.0, self.reject_below], **look)
        band.set(edgecolor=GREY, linewidth=THIN)
        words = _("rejected: no class reaches {share}").format(share=percent(self.reject_below))
        ax.fill_between([], [], facecolor="none", edgecolor=GREY, hatch="////", linewidth=THIN, label=words)


def number_of(label: Any, classes: Array) -> int:
    """The place of a class."""
    found = np.flatnonzero([plain(one) == label for one in classes])
    if not len(found):
        known = ", ".join(repr(plain(one)) for one in classes[:20])
        raise ValueError(f"label = {label!r} is not a class of the model: give one of {known}.")
    return int(found[0])
