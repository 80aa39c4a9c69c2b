"""Picture of a pruned tree's error: cross-validated, against the number of leaves or against the cost-complexity parameter α.

The full tree is to the left, the root alone to the right. The parameter is the β by which a subtree is evaluated
(tree/pruning/cross_validated.py). Bars are a standard error on either side; the dotted line is that of the smallest error,
below which the rule "1se" takes the smallest tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole, ngettext, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.standard_errors import draw_errors, draw_limit
from aprendiz.plots.shared.style import INK, PLACE, VERMILION, legend_below, tidy, width_of
from aprendiz.plots.shared.words import SMALL_LETTERS
from aprendiz.tree.pruning.cross_validated import PruningErrors, chosen_alpha

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Against = Literal["leaves", "alpha"]
ROUND = np.outer(10.0 ** np.arange(-12, 10), [1, 2, 5]).ravel()  # numbers that may stand along an axis
LONGEST = 9  # letters of such a number, with room beside it
MANY_POINTS = 60  # points that need no smaller signs


class PruningDisplay(Display):
    """The errors of the subtrees of a path as a picture.

    Parameters
    ----------
    errors : PruningErrors
        What `chosen_alpha` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, errors: PruningErrors) -> None:
        self.errors = errors

    @classmethod
    def from_estimator(
        cls, learner: Any, X: Any, y: Any, *, against: Against = "leaves", ax: Axes | None = None, **how: Any
    ) -> Self:
        """Grow, prune, judge and draw; `how` are the other arguments of `chosen_alpha`."""
        return cls(chosen_alpha(learner, X, y, **how)).plot(ax, against=against)

    def plot(self, ax: Axes | None = None, *, against: Against = "leaves") -> Self:
        """Draw the errors, the smallest of them and the choice."""
        if against not in ("leaves", "alpha"):
            raise ValueError(f"against={against!r} is not known: give 'leaves' or 'alpha'.")
        ax = self.open_axes(ax, 6.4, 4.2)
        found = self.errors
        x = found.leaves.astype(float) if against == "leaves" else np.append(found.prices[:-1], found.alphas[-1])
        size = 3.5 if len(x) <= MANY_POINTS else 2.0
        draw_errors(ax, x, found.errors, found.standard_errors, size=size)
        ax.plot(x[found.best], found.errors[found.best], "s", color=VERMILION, zorder=3.0, label=self.smallest())
        draw_limit(ax, found.limit)
        ax.axvline(x[found.chosen], color=INK, linewidth=1.0, linestyle=(0, (4, 3)), label=self.choice())
        self.scale(ax, x, against)
        legend_below(ax, columns=2)
        return self

    def scale(self, ax: Axes, x: Array, against: Against) -> None:
        """Equal factors at equal distances, the full tree to the left, and round numbers."""
        from matplotlib.ticker import NullLocator

        if against == "leaves":
            ax.set_xscale("log")
            ax.set_xlim(1.15 * x[0], 0.87)
        elif len(x) > 1:
            ax.set_xscale("symlog", linthresh=x[1], linscale=0.5)  # α = 0 has a place too
            ax.set_xlim(-0.2 * x[1], 1.4 * x[-1])
        words = _("leaves") if against == "leaves" else _("cost-complexity parameter α")
        tidy(ax, x=words, y=_("error of the folds, ± one standard error"))
        ax.xaxis.set_minor_locator(NullLocator())
        ticks = self.ticks(ax, x)
        ax.set_xticks(ticks, [number(tick, 2) for tick in ticks])
        ax.set_ylim(0.0, None)

    def ticks(self, ax: Axes, x: Array) -> Array:
        """0 if it is there, and 1, 2, 5, 10, …, or powers of ten alone, as there is room."""
        low, high = np.searchsorted(ROUND, [x[x > 0].min(initial=np.inf), np.nextafter(x.max(), np.inf)])
        inside = ROUND[low:high]
        room = max(2, int(PLACE * width_of(ax) * SMALL_LETTERS / LONGEST))
        if len(inside) > room:
            inside = inside[np.isin(inside, ROUND[::3])]
        return np.concatenate([x[x == 0], inside[:: 1 + max(len(inside) - 1, 0) // room]])

    def smallest(self) -> str:
        leaves = int(self.errors.leaves[self.errors.best])
        words = ngettext("smallest error: {leaves} leaf", "smallest error: {leaves} leaves", leaves)
        return words.format(leaves=format_whole(leaves))

    def choice(self) -> str:
        leaves = int(self.errors.leaves[self.errors.chosen])
        words = ngettext("chosen: {leaves} leaf, α = {alpha}", "chosen: {leaves} leaves, α = {alpha}", leaves)
        return words.format(leaves=format_whole(leaves), alpha=number(self.errors.alpha, 3))
