"""Picture of a mixture of Gaussians: ellipses over two columns, or the density of one column as the sum of its parts.

Two columns: each component has the ellipse that holds 95 % of it, its line the thicker the larger its weight, and rows have
the colour of their components, mixed by responsibility. One column: the curves π_k N(x; μ_k, σ_k²) and their sum, and rows.
Rows that miss a drawn cell are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.bayes.distributions.multivariate_gaussian import MultivariateGaussian
from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import INK, colour_of, legend_below, tidy
from aprendiz.plots.shared.words import entry, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = 400  # of a curve


class MixtureDisplay(Display):
    """Components of a mixture over one or two columns, and rows.

    Parameters
    ----------
    weights : array-like of shape (n_components,)
        π.
    gaussians : list of MultivariateGaussian
        The components, of one or two columns.
    points : array-like of shape (n_rows, 1 or 2), optional
        Rows.
    shares : array-like of shape (n_rows, n_components), optional
        Their responsibilities.
    columns : sequence of str
        Names of the columns.

    Attributes
    ----------
    chosen : ndarray
        Numbers of the rows that are drawn, in ascending order.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(
        self,
        weights: Any,
        gaussians: Sequence[MultivariateGaussian],
        points: Any = None,
        shares: Any = None,
        *,
        columns: Sequence[str] = ("x0", "x1"),
    ) -> None:
        self.weights, self.gaussians = np.asarray(weights, dtype=np.float64), list(gaussians)
        width = self.gaussians[0].columns if self.gaussians else 0
        if width not in (1, 2) or len(self.weights) != len(self.gaussians):
            raise ValueError(
                f"There are {len(self.gaussians)} Gaussians of {width} columns and {len(self.weights)} weights: "
                "give a weight for each Gaussian of one or two columns."
            )
        self.points = np.empty((0, width)) if points is None else np.asarray(points, dtype=np.float64)
        self.shares = np.ones((len(self.points), len(self.weights))) if shares is None else np.asarray(shares)
        self.columns = tuple(columns)[:width]
        whole = np.flatnonzero(~np.isnan(self.points).any(axis=1))
        self.chosen = whole[drawn_rows(len(whole), 0)]

    @classmethod
    def from_estimator(cls, model: Any, X: Any = None, *, columns: Sequence[Any] = (0, 1)) -> Self:
        """The picture of a fitted GaussianMixture, over some of its columns."""
        now = model.fitted_components()
        d = now.means.shape[1]
        names = list(getattr(model, "feature_names_in_", [f"x{j}" for j in range(d)]))
        which = [names.index(c) if isinstance(c, str) else c for c in columns][:d]
        spread = now.spread if now.correlated else np.stack([np.diag(row) for row in now.spread])
        gaussians = [
            MultivariateGaussian(mean[which], table[np.ix_(which, which)])
            for mean, table in zip(now.means, spread, strict=True)
        ]
        if X is None:
            return cls(now.weights, gaussians, columns=[names[j] for j in which])
        points = model.new_rows(X).each(lambda block: block.X[:, which])
        return cls(now.weights, gaussians, points, model.predict_proba(X), columns=[names[j] for j in which])

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw."""
        ax = self.open_axes(ax, 5.6, 5.0 if len(self.columns) == 2 else 3.6)
        if len(self.columns) == 2:
            self.draw_plane(ax)
        else:
            self.draw_line(ax)
        legend_below(ax, columns=4, title=_("weight"))
        return self

    def colours(self) -> Array:
        """The colour of each drawn row: those of the components, mixed."""
        from matplotlib.colors import to_rgb

        palette = np.array([to_rgb(colour_of(j)) for j in range(len(self.weights))])
        shares = self.shares[self.chosen]
        return np.clip(shares @ palette / shares.sum(axis=1, keepdims=True), 0.0, 1.0)

    def draw_plane(self, ax: Axes) -> None:
        title = _("ellipses hold {share} of each Gaussian").format(share=percent(0.95))
        tidy(ax, x=self.columns[0], y=self.columns[1], title=title)
        if len(self.chosen):
            x, y = self.points[self.chosen].T
            ax.scatter(x, y, c=self.colours(), s=12, linewidths=0, alpha=0.6, zorder=1.5)
        for j, (weight, one) in enumerate(zip(self.weights, self.gaussians, strict=True)):
            colour = colour_of(j)
            ax.plot(*one.ellipse().T, color=colour, linewidth=0.8 + 3 * weight, label=entry(percent(weight)), zorder=2.5)
            look: dict[str, Any] = {"color": colour, "markeredgecolor": INK, "markeredgewidth": 0.6, "linestyle": "none"}
            ax.plot(*one.mean, marker="P", markersize=8, zorder=3.0, **look)

    def draw_line(self, ax: Axes) -> None:
        tidy(ax, x=self.columns[0], y=_("density"))
        deviations = [np.sqrt(one.covariance[0, 0]) for one in self.gaussians]
        low = min(one.mean[0] - 4 * s for one, s in zip(self.gaussians, deviations, strict=True))
        high = max(one.mean[0] + 4 * s for one, s in zip(self.gaussians, deviations, strict=True))
        x = np.linspace(low, high, PLACES)
        parts = [w * one.density(x[:, None]) for w, one in zip(self.weights, self.gaussians, strict=True)]
        ax.plot(x, np.sum(parts, axis=0), color=INK, linewidth=1.4, zorder=2.0)
        for j, (weight, part) in enumerate(zip(self.weights, parts, strict=True)):
            ax.plot(x, part, color=colour_of(j), linewidth=1.8, label=entry(percent(weight)), zorder=2.5)
        if len(self.chosen):
            ax.scatter(self.points[self.chosen, 0], np.zeros(len(self.chosen)), c=self.colours(), marker="|", s=60, zorder=3.0)
        ax.set_ylim(bottom=0)
