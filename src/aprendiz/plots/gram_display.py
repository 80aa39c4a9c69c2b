"""Picture of a Gram matrix: K(x_i, x_j) of all pairs of rows as an image, the rows sorted by class.

Where a kernel knows the classes, the squares on the diagonal are dark and the rest is light. The title says the same in
numbers: the mean of K between different rows of one class, and between rows of two. Negative entries are vermilion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.given_matrix import square_matrix
from aprendiz.locale import _, number
from aprendiz.plots.plane.regions import labels_of_rows
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import DEEP_BLUE, DEEP_VERMILION, GREY, INK, SMALL, THIN, figure_of, tidy
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 1000  # drawn
MOST_NAMES = 12  # classes named along the axes


class GramDisplay(Display):
    """A Gram matrix as an image.

    Parameters
    ----------
    K : array of shape (n_rows, n_rows)
        The Gram matrix, symmetric.
    y : array-like of shape (n_rows,), optional
        Classes, by which the rows are sorted.
    seed : int, default=0
        Which rows are drawn, if there are more than 1000.

    Attributes
    ----------
    K : ndarray of shape (n_drawn, n_drawn)
        Entries of the rows that are drawn, in their order.
    order : ndarray of shape (n_drawn,)
        Numbers of these rows.
    within, between : float or None
        Mean of K over all pairs of different rows of one class, and of two.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, K: Any, y: Any = None, *, seed: int = 0) -> None:
        matrix = square_matrix(K)
        labels = labels_of_rows(y, len(matrix))
        chosen = drawn_rows(len(matrix), seed, MOST_ROWS)
        self.order = chosen if labels is None else chosen[np.argsort(labels[chosen], kind="stable")]
        self.K: Array = matrix[np.ix_(self.order, self.order)]
        self.labels = None if labels is None else labels[self.order]
        self.within, self.between = (None, None) if labels is None else class_means(matrix, labels)

    @classmethod
    def from_kernel(cls, kernel: Any, X: Any, y: Any = None, *, seed: int = 0, ax: Axes | None = None) -> Self:
        """Compute the Gram matrix of a kernel object, such as `RBF(sigma=1.0)`, and draw."""
        return cls(kernel(X), y, seed=seed).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the image, lines between the classes, and the scale of the colours."""
        from aprendiz.plots.shared.ticks import NumberTicks

        ax = self.open_axes(ax, 5.4, 4.8)
        largest = float(np.abs(self.K).max()) or 1.0
        low = -largest if self.K.min() < 0 else 0.0
        image = ax.imshow(self.K, cmap=colours(low < 0), vmin=low, vmax=largest, interpolation="nearest", aspect="equal")
        tidy(ax, x=_("row"), y=_("row"), title=self.title())
        if self.labels is None:
            in_whole_numbers(ax.xaxis, 5)
            in_whole_numbers(ax.yaxis, 5)
        else:
            self.name_classes(ax)
        bar = figure_of(ax).colorbar(image, cax=ax.inset_axes((1.03, 0.0, 0.04, 1.0)), format=NumberTicks())
        bar.ax.tick_params(width=THIN, length=3, labelsize=SMALL, color=GREY, labelcolor=INK)
        bar.outline.set(visible=False)
        return self

    def name_classes(self, ax: Axes) -> None:
        """Lines between the classes, and their names beside them."""
        assert self.labels is not None
        labels, counts = np.unique(self.labels, return_counts=True)
        ends = np.cumsum(counts) - 0.5
        for end in ends[:-1]:
            ax.axhline(end, color=INK, linewidth=THIN)
            ax.axvline(end, color=INK, linewidth=THIN)
        ax.set(xlabel="", ylabel="")
        named = slice(None, None, -(-len(labels) // MOST_NAMES))
        middles, names = (ends - counts / 2)[named], short_names(labels[named])
        name_below(ax, middles.tolist(), names)
        ax.set_yticks(middles, names)
        ax.tick_params(length=0)

    def title(self) -> str:
        """The two means, as far as there are such pairs."""
        if self.within is None or self.between is None:
            return ""
        words = _("mean of K: {within} within a class, {between} between two")
        return words.format(within=number(self.within, 3), between=number(self.between, 3))


def class_means(K: Array, labels: Array) -> tuple[float | None, float | None]:
    """Mean of K over pairs of different rows of one class, and of two; None where there are no such pairs."""
    same = labels[:, None] == labels
    between = float(K[~same].mean()) if not same.all() else None
    np.fill_diagonal(same, val=False)
    return float(K[same].mean()) if same.any() else None, between


def colours(signed: bool) -> Any:
    """From white to blue, or from vermilion over white to blue."""
    from matplotlib.colors import LinearSegmentedColormap

    ends = [DEEP_VERMILION, "white", DEEP_BLUE] if signed else ["white", DEEP_BLUE]
    return LinearSegmentedColormap.from_list("gram", ends)
