"""Picture of a one-class support vector machine: the region that holds most of the rows, and the rows outside of it.

f(x) ≥ 0        inside; rows on the boundary (0 < α < 1) and outside (α = 1) are the support vectors                       (1)

Two columns of the table span the plane; if there are more, the others are held at their medians, and a row need not lie on the
side of the boundary where it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.locale import _, format_whole, percent
from aprendiz.plots.models.coefficients import fitted_last_step
from aprendiz.plots.plane.plane_grid import STEPS, PlaneGrid
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import GREY, INK, SKY, VERMILION, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADES = 5  # of the inside, the stronger the higher f


class OneClassDisplay(Display):
    """The region of a fitted one-class support vector machine over two columns.

    Parameters
    ----------
    model : fitted OneClassSVM
        Or a pipeline that ends in one.
    X : table of shape (n_rows, n_columns)
        The training rows.
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two.
    seed : int, default=0
        Which rows inside are drawn, if there are more than 2000 rows.

    Attributes
    ----------
    grid : PlaneGrid
        Places along the two columns.
    values : ndarray of shape (n_places, n_places)
        f at each place.
    inside, edge, outside : ndarray
        Numbers of the rows inside, of the support vectors on the boundary, and of those outside.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, model: Any, X: Any, *, columns: Sequence[Any] | None = None, seed: int = 0) -> None:
        machine = fitted_last_step(model)
        if not hasattr(machine, "support_") or not hasattr(machine, "offset_"):
            raise TypeError(f"{type(machine).__name__} has no region: give OneClassSVM, or a pipeline that ends in it.")
        self.grid, self.nu = PlaneGrid.of(X, columns, STEPS), float(machine.nu)
        rows = len(self.grid.points)
        if rows != machine.shape_fit_[0]:
            raise ValueError(
                f"X has {rows} rows, {type(machine).__name__} was fitted to {machine.shape_fit_[0]}: give the training rows."
            )
        self.values = self.grid.on_grid(model.decision_function(self.grid.rows))
        support, far = np.zeros(rows, bool), model.decision_function(X) < -2.0 * machine.tol
        support[machine.support_] = True
        self.inside, self.edge, self.outside = map(np.flatnonzero, (~support, support & ~far, support & far))
        self.drawn = np.intersect1d(self.inside, drawn_rows(rows, seed))

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, *, columns: Sequence[Any] | None = None, seed: int = 0, ax: Axes | None = None
    ) -> Self:
        """Ask a fitted machine about the plane, and draw."""
        return cls(model, X, columns=columns, seed=seed).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the region, its boundary and the rows."""
        ax = self.open_axes(ax, 5.6, 5.2)
        tidy(ax, x=self.grid.names[0], y=self.grid.names[1], title=self.title())
        highest = float(self.values.max())
        if highest > 0:
            levels = np.linspace(0.0, highest, SHADES + 1)
            shade = [(SKY, 0.12 + 0.4 * k / SHADES) for k in range(SHADES)]
            ax.contourf(self.grid.x, self.grid.y, self.values, levels=levels, colors=shade, zorder=0.5)
            if self.values.min() < 0:
                ax.contour(self.grid.x, self.grid.y, self.values, levels=[0.0], colors=INK, linewidths=1.6, zorder=1.5)
        signs = (
            (self.drawn, GREY, 4.0, GREY, _("inside: {count}"), self.inside),
            (self.edge, "white", 6.5, INK, _("support vector on the boundary: {count}"), self.edge),
            (self.outside, VERMILION, 6.5, INK, _("support vector outside the region: {count}"), self.outside),
        )
        for rows, colour, size, border, words, counted in signs:
            look: dict[str, Any] = {"color": colour, "markersize": size, "markeredgecolor": border, "markeredgewidth": 1.0}
            points, label = self.grid.points[rows], words.format(count=format_whole(len(counted)))
            ax.plot(points[:, 0], points[:, 1], marker="o", linestyle="none", label=label, zorder=2.0, **look)
        legend_below(ax, columns=2)
        return self

    def title(self) -> str:
        """ν, and what is held fixed."""
        parts = [_("at most {share} of the rows outside").format(share=percent(self.nu))]
        if self.grid.others:
            parts.append(_("other columns at their medians"))
        return "; ".join(parts)
