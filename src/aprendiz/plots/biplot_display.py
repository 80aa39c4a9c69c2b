"""Biplot: the rows as marks and the columns as arrows, in the plane of two principal components.

A row stands at its coordinates t, in units of their standard deviations: t_k/√λ_k. The arrow of column j ends at √λ_k·v_kj, in
units of the column (of its deviation, where columns are scaled). The product of a row and an arrow is what the two components
say of the cell, x_j − m_j. Columns whose arrows point the same way rise together; at a right angle they are uncorrelated, as
far as the plane shows. With scaled columns the length of an arrow is the part of the column's deviation that the plane shows.

Arrows share one scale, chosen so that the longest reaches as far as the rows.

Reference: Gabriel, "The biplot graphic display of matrices", Biometrika 58, 1971.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.predictions import take
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_whole
from aprendiz.plots.plane.regions import class_legend, labels_of_rows, mark_rows
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.entries import column_names
from aprendiz.plots.shared.style import BLUE, GREY, INK, LINE, SMALL, THIN, tidy, width_of
from aprendiz.plots.shared.words import SMALL_LETTERS, percent, verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ARROWS = 12


class BiplotDisplay(Display):
    """Rows and columns in the plane of two components.

    Parameters
    ----------
    model : fitted PCA or IncrementalPCA
        With at least two components.
    X : table of shape (n_rows, n_columns)
        Rows to draw; at most 2000 of them, chosen at random, are drawn.
    y : array-like of shape (n_rows,), optional
        A class for each row, shown as its colour.
    components : pair of int, default=(1, 2)
        Which two, counted from 1.
    most : int, default=12
        How many arrows at most: those of the longest.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    points : ndarray of shape (n_drawn, 2)
        Coordinates of the rows, in units of their standard deviations.
    arrows : ndarray of shape (n_arrows, 2)
        Ends of the arrows, in units of the columns.
    columns : ndarray of shape (n_arrows,)
        Their numbers.
    names : list of str
        Their names.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(
        self,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        components: Sequence[int] = (1, 2),
        most: int = MOST_ARROWS,
        seed: int = 0,
    ) -> None:
        check_is_fitted(model)
        pair = np.asarray(components)
        if pair.shape != (2,) or pair.min() < 1 or pair.max() > len(model.components_):
            raise ValueError(
                f"components={components!r} must be two of the {len(model.components_)} components of the model, from 1 on."
            )
        rows = int(np.shape(X)[0])
        labels = labels_of_rows(y, rows)
        chosen = drawn_rows(rows, seed)
        self.pair, self.labels = pair, None if labels is None else labels[chosen]
        deviations = np.maximum(np.sqrt(np.asarray(model.explained_variance_, np.float64)[pair - 1]), np.finfo(float).tiny)
        coordinates = np.asarray(model.transform(take(X, chosen)), np.float64)[:, pair - 1]
        self.points: Array = coordinates if model.whiten else coordinates / deviations
        ends = (np.asarray(model.components_, np.float64)[pair - 1] * deviations[:, None]).T
        self.columns = np.sort(np.argsort(-(ends**2).sum(axis=1), kind="stable")[:most])
        self.arrows: Array = ends[self.columns]
        names = getattr(model, "feature_names_in_", column_names(len(ends)))
        self.names = [short(names[j]) for j in self.columns]
        self.shares = np.asarray(model.explained_variance_ratio_)[pair - 1]

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the rows and, over them, the arrows."""
        ax = self.open_axes(ax, 5.8, 5.6)
        words = _("component {number} ({share} of the variance)")
        x, y = (
            words.format(number=format_whole(number), share=percent(share))
            for number, share in zip(self.pair.tolist(), self.shares, strict=True)
        )
        tidy(ax, x=x, y=y)
        ax.set_aspect("equal", adjustable="datalim")
        if self.labels is None:
            ax.plot(*self.points.T, color=BLUE, marker="o", linestyle="none", markersize=4.0, markeredgewidth=0, alpha=0.55)
        else:
            mark_rows(ax, self.points, self.labels, np.unique(self.labels))
            class_legend(ax, "")
        self.draw_arrows(ax)
        return self

    def draw_arrows(self, ax: Axes) -> None:
        """From the origin, with their names beyond their ends."""
        longest = float(np.linalg.norm(self.arrows, axis=1).max(initial=0.0))
        reach = float(np.abs(self.points).max(initial=0.0)) or 1.0
        ax.axhline(0.0, color=GREY, linewidth=THIN, zorder=0.5)
        ax.axvline(0.0, color=GREY, linewidth=THIN, zorder=0.5)
        if longest == 0:
            return
        ends = self.arrows * (reach / longest)
        for end in ends:
            style: dict[str, Any] = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.1, "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", end, (0.0, 0.0), arrowprops=style, zorder=3.0)
        inch = 2.4 * reach / width_of(ax)  # in units of the axes
        sides = np.where(ends[:, 0] < 0, -1.0, 1.0)
        places = ends + 0.05 * inch * np.column_stack([sides, np.sign(ends[:, 1])])
        for side in (-1.0, 1.0):
            places[sides == side, 1] = pushed_apart(places[sides == side, 1], LINE * inch)
        for side, place, name in zip(sides, places, self.names, strict=True):
            look: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "left" if side > 0 else "right", "va": "center"}
            paper: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.6, "pad": 0.6}
            ax.text(place[0], place[1], verbatim(name), bbox=paper, zorder=3.5, **look)
        widths = np.array([len(name) for name in self.names]) / SMALL_LETTERS * inch
        ax.update_datalim(places + np.column_stack([sides * widths, np.zeros(len(sides))]))
        ax.autoscale_view()


def pushed_apart(heights: Array, gap: float) -> Array:
    """The heights, moved up or down as little as leaves a gap between each and the next."""
    order = np.argsort(heights, kind="stable")
    moved = heights[order]
    for _turn in range(50):
        short = np.maximum(gap - np.diff(moved), 0.0) / 2
        if not short.any():
            break
        moved[:-1] -= short
        moved[1:] += short
    return np.asarray(moved[np.argsort(order, kind="stable")])
