"""Picture of a hierarchy of clusters: each merge a bracket over its two clusters, at its height.

    x of a merge = the middle of the x of its two clusters,     rows stand in the order of the leaves          (1)

A tree of many rows is drawn from its top down: clusters below the last merges that have room are one stroke each, with the
number of their rows in brackets. Below the cut, every cluster has its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.cluster.linkage.merges import Leaves, cut
from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.core.targets import same_length
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import GREY, INK, PLACE, SMALL, colour_of, figure_of, legend_below, tidy, width_of
from aprendiz.plots.shared.words import verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

APART = 0.17  # inches between strokes, so that the words below them do not touch
LONGEST = 24  # letters of a name


class DendrogramDisplay(Display):
    """A tree of merges as a picture.

    Parameters
    ----------
    linkage : ndarray of shape (n_rows - 1, 4)
        SciPy's linkage matrix, such as `linkage_` of a fitted hierarchy.
    k : int, default=1
        The number of clusters that the tree is cut into.
    names : sequence of str, optional
        Names of the rows; by default their numbers.

    Attributes
    ----------
    brackets : ndarray of shape (n_drawn, 4, 2)
        The corners of the brackets that were drawn.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    brackets: Array

    def __init__(self, linkage: Any, *, k: int = 1, names: Sequence[str] | None = None) -> None:
        self.linkage = np.asarray(linkage, np.float64)
        if self.linkage.ndim != 2 or self.linkage.shape[1] != 4 or len(self.linkage) == 0:
            raise ValueError(f"linkage must have four columns and a row for each merge; its shape is {self.linkage.shape}.")
        refuse_count("k", k)
        self.k, self.count, self.names = k, len(self.linkage) + 1, names
        if names is not None:
            same_length("names", len(names), self.count)
        self.labels = cut(self.linkage[:, :2].astype(np.int64), k)
        self.leaves = Leaves.of(self.linkage)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        k: int | None = None,
        names: Sequence[str] | None = None,
        leaves: int = 30,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the tree of a fitted hierarchy, cut as it is or into k clusters."""
        check_is_fitted(model)
        return cls(model.linkage_, k=model.n_clusters_ if k is None else k, names=names).plot(ax, leaves=leaves)

    def plot(self, ax: Axes | None = None, *, leaves: int = 30) -> Self:
        """Draw the tree from its top down, with at most so many strokes at the bottom, and fewer where there is no room."""
        refuse_count("leaves", leaves)
        ax = self.open_axes(ax, 6.4, 4.2)
        room = max(2, int(PLACE * width_of(ax) / APART))
        top = min(max(leaves, 2), room, self.count)
        strokes, at = self.places(top)
        self.brackets, colours = self.corners(top, at)
        self.draw(ax, colours)
        tidy(ax, x=self.words_below(top), y=_("height of the merge"))
        ax.set_xticks([at[c] for c in strokes], [self.label(c) for c in strokes], rotation=90, fontsize=SMALL)
        ax.set_xlim(-0.7, top - 0.3)
        ax.set_ylim(0.0, 1.05 * float(self.linkage[:, 2].max()) or 1.0)
        if self.k > 1:
            legend_below_names(ax, max(len(self.label(c)) for c in strokes))
        return self

    def places(self, top: int) -> tuple[list[int], dict[int, float]]:
        """The clusters at the bottom of the picture from left to right, and (1) of all that are drawn."""
        n, first = self.count, self.count - top  # merges from the first of those that are drawn
        parts = self.linkage[first:, :2].astype(np.int64).ravel()
        bottom = parts[parts < n + first]
        strokes = bottom[np.argsort(self.leaves.start[bottom])].tolist()
        at = {cluster: float(x) for x, cluster in enumerate(strokes)}
        for merge in range(first, n - 1):
            a, b = (int(part) for part in self.linkage[merge, :2])
            at[n + merge] = (at[a] + at[b]) / 2
        return strokes, at

    def corners(self, top: int, at: dict[int, float]) -> tuple[Array, list[str]]:
        """The brackets and their colours."""
        n = self.count
        heights = np.concatenate([np.zeros(n), self.linkage[:, 2]])
        brackets, colours = [], []
        for merge in range(n - top, n - 1):
            a, b = (int(part) for part in self.linkage[merge, :2])
            feet = [heights[part] if part >= 2 * n - top else 0.0 for part in (a, b)]
            over = heights[n + merge]
            brackets.append([(at[a], feet[0]), (at[a], over), (at[b], over), (at[b], feet[1])])
            colours.append(self.colour(n + merge))
        return np.array(brackets), colours

    def colour(self, cluster: int) -> str:
        """That of its cluster below the cut, ink above it."""
        whole_tree = self.k == 1 or cluster >= 2 * self.count - self.k
        label = int(self.labels[self.leaves.order[self.leaves.start[cluster]]])
        return INK if whole_tree else colour_of(label)

    def draw(self, ax: Axes, colours: list[str]) -> None:
        """The brackets, and the height of the cut."""
        from matplotlib.collections import LineCollection

        ax.add_collection(LineCollection(list(self.brackets), colors=colours, linewidths=1.2, capstyle="projecting"))
        if self.k > 1:
            words = ngettext("cut: {k} cluster", "cut: {k} clusters", self.k).format(k=format_whole(self.k))
            ax.axhline(self.cut_height(), color=GREY, linewidth=1.0, linestyle=(0, (4, 3)), label=words, zorder=0.5)

    def cut_height(self) -> float:
        """Halfway between the last merge that is kept and the first that is undone."""
        kept, undone = self.count - self.k - 1, self.count - self.k
        return float((self.linkage[kept, 2] if kept >= 0 else 0.0) + self.linkage[undone, 2]) / 2

    def label(self, cluster: int) -> str:
        """The name of a row, or the number of rows in brackets."""
        if cluster >= self.count:
            return f"({format_whole(int(self.linkage[cluster - self.count, 3]))})"
        name = format_whole(cluster) if self.names is None else str(self.names[cluster])
        return verbatim(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…")

    def words_below(self, top: int) -> str:
        return _("row") if top == self.count else _("row, or number of rows in brackets")


def legend_below_names(ax: Axes, letters: int) -> None:
    """The legend, below names that stand upright."""
    ax.set_xlabel(ax.get_xlabel(), labelpad=4)
    legend = legend_below(ax)
    from matplotlib.transforms import ScaledTranslation

    down = ScaledTranslation(0, -(0.5 + 0.085 * letters), figure_of(ax).dpi_scale_trans)
    legend.set_bbox_to_anchor((0.5, 0.0), transform=ax.transAxes + down)
