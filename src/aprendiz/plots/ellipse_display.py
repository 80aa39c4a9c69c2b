"""Picture of Gaussians in a plane: for each an ellipse that holds 95 % of its probability, over the rows.

The ellipse is the line (x − μ)ᵀ Σ⁻¹ (x − μ) = χ²₂(0.95) = 5.991465; its axes are the eigenvectors of Σ. With classes there is a
Gaussian for each, fitted to two columns. Rows that miss one of the two cells are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.bayes.distributions.multivariate_gaussian import MultivariateGaussian
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain, same_length
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _
from aprendiz.plots.plane.plane_grid import PlaneGrid
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import INK, colour_of, legend_below, marker_of, tidy
from aprendiz.plots.shared.words import entry, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_ROWS = 300  # rows from which marks become smaller


class EllipseDisplay(Display):
    """Ellipses of Gaussians of two columns, and rows.

    Parameters
    ----------
    gaussians : MultivariateGaussian, or dict of name to MultivariateGaussian
        Of two columns.
    points : array-like of shape (n_rows, 2), optional
        Rows in the plane.
    labels : array-like of shape (n_rows,), optional
        For each row the name of its Gaussian.
    probability : float, default=0.95
        Inside each ellipse.
    columns : pair of str, optional
        Names of the two columns.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    ellipses : dict of name to ndarray of shape (200, 2)
        Points on each line.
    chosen : ndarray
        Numbers of the rows that are drawn, in ascending order.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(
        self,
        gaussians: Any,
        points: Any = None,
        labels: Any = None,
        *,
        probability: float = 0.95,
        columns: Sequence[str] = ("x0", "x1"),
        seed: int = 0,
    ) -> None:
        self.gaussians = dict(gaussians) if isinstance(gaussians, Mapping) else {"": gaussians}
        if not self.gaussians:
            raise ValueError("There is no Gaussian to draw: give at least one.")
        self.probability, self.columns = probability, columns
        self.ellipses = {name: one.ellipse(probability) for name, one in self.gaussians.items()}
        self.points = np.empty((0, 2)) if points is None else np.asarray(points, dtype=np.float64)
        self.labels = None if labels is None else np.asarray(labels)
        if self.points.ndim != 2 or self.points.shape[1] != 2:
            raise ValueError(f"points has shape {self.points.shape}: give two columns.")
        if self.labels is not None:
            same_length("labels", len(self.labels), len(self.points))
        self.chosen = drawn_rows(len(self.points), seed)

    @classmethod
    def from_table(
        cls,
        X: Any,
        y: Any = None,
        *,
        probability: float = 0.95,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
        name: str = "",
        ax: Axes | None = None,
    ) -> Self:
        """Fit a Gaussian to two columns, one for each class if there are classes, and draw."""
        plane = PlaneGrid.of(X, columns, 2)
        labels = None if y is None else class_labels("y", y)
        if labels is not None:
            same_length("y", len(labels), len(plane.points))
        whole = ~np.isnan(plane.points).any(axis=1)
        points, labels = plane.points[whole], None if labels is None else labels[whole]
        look: dict[str, Any] = {"probability": probability, "columns": plane.names, "seed": seed}
        return cls(fit_gaussians(points, labels), points, labels, **look).plot(ax, name=name)

    def plot(self, ax: Axes | None = None, *, name: str = "") -> Self:
        """Draw the rows and the ellipses; `name` says what the classes are."""
        ax = self.open_axes(ax, 5.6, 5.0)
        title = _("ellipses hold {share} of each Gaussian").format(share=percent(self.probability))
        tidy(ax, x=self.columns[0], y=self.columns[1], title=title)
        for k, one in enumerate(self.ellipses):
            self.draw(ax, k, one)
        if any(str(one) for one in self.ellipses):
            legend_below(ax, columns=4, title=name)
        return self

    def draw(self, ax: Axes, k: int, name: Any) -> None:
        """One Gaussian: its rows, its ellipse, its mean."""
        here = self.points[self.chosen]
        if self.labels is not None:
            here = here[self.labels[self.chosen] == name]
        look: dict[str, Any] = {"color": colour_of(k), "linestyle": "none"}
        size, marker = 4.5 if len(self.chosen) <= MANY_ROWS else 3.0, marker_of(k)
        if self.labels is not None or k == 0:
            ax.plot(*here.T, marker=marker, markersize=size, markeredgewidth=0, alpha=0.55, zorder=1.5, **look)
        label = entry(short(name)) if str(name) else None
        ax.plot(*self.ellipses[name].T, color=look["color"], linewidth=1.8, label=label, zorder=2.5)
        ax.plot(
            *self.gaussians[name].mean, marker="P", markersize=8, markeredgecolor=INK, markeredgewidth=0.6, zorder=3.0, **look
        )


def fit_gaussians(points: Array, labels: Array | None) -> dict[Any, MultivariateGaussian]:
    """A Gaussian for each class."""
    if labels is None:
        return {"": MultivariateGaussian.fit(points)}
    found = {}
    for label in np.unique(labels):
        try:
            found[plain(label)] = MultivariateGaussian.fit(points[labels == label])
        except ValueError as error:
            raise ValueError(f"The class {plain(label)!r} has no Gaussian of two columns: {error}") from error
    return found
