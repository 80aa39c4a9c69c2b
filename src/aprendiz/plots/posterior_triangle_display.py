"""The triangle of a Bayesian test: drawn probabilities that the first learner is worse, the same, or better.

Each draw of the Bayesian signed-rank test is three shares that add to 1: a point of a triangle, near the corner of the
largest. Lines part the triangle into what each corner wins; the share of the draws in each part is its posterior probability.

    x = θ_better + θ_same/2,     y = θ_same·√3/2                                                               (1)

Reference: Benavoli, Corani, Demšar & Zaffalon, JMLR 18, 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import Comparison
from aprendiz.locale import _, format_fixed
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import DEEP_BLUE, GREY, INK, SMALL, tidy, width_of
from aprendiz.plots.shared.words import SMALL_LETTERS, short_names, verbatim, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = float(np.sqrt(3) / 2)
CORNERS = np.array([[0.0, 0.0], [0.5, HEIGHT], [1.0, 0.0]])  # worse, same, better
CELLS = 40  # hexagons from left to right
GAP = 4.0  # points between a corner and its words


class PosteriorTriangleDisplay(Display):
    """The draws of a Bayesian signed-rank test as a cloud in a triangle.

    Parameters
    ----------
    comparison : Comparison
        Of two learners, with `samples`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, comparison: Comparison) -> None:
        if comparison.samples is None or comparison.posterior is None:
            raise ValueError(
                'The comparison has no draws: use compare_over_tables(…, test="bayesian_signed_rank") of two learners.'
            )
        self.comparison, self.points = comparison, positions(comparison.samples)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the cloud, the triangle, its parts and their probabilities."""
        from matplotlib.colors import LinearSegmentedColormap

        ax = self.open_axes(ax, 5.4, 5.2)
        shades = LinearSegmentedColormap.from_list("draws", ["white", DEEP_BLUE])
        ax.hexbin(*self.points.T, gridsize=CELLS, cmap=shades, mincnt=1, linewidths=0, extent=(0, 1, 0, HEIGHT))
        outline = CORNERS[[0, 1, 2, 0]]
        ax.plot(*outline.T, color=INK, linewidth=1.0)
        centre = CORNERS.mean(axis=0)
        for a, b in ((0, 1), (1, 2), (0, 2)):
            middle = (CORNERS[a] + CORNERS[b]) / 2
            ax.plot([centre[0], middle[0]], [centre[1], middle[1]], color=GREY, linewidth=0.8, linestyle="--")
        tidy(ax, x="", y="")
        self.name_corners(ax)
        ax.set_aspect("equal")
        ax.set_axis_off()
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(-0.02, HEIGHT + 0.02)
        return self

    def name_corners(self, ax: Axes) -> None:
        """What each corner says, and its probability; those of the lower corners under each other: they never touch."""
        assert self.comparison.posterior is not None
        worse, same, better = (format_fixed(chance, 3) for chance in self.comparison.posterior)
        a, b = short_names(self.comparison.names)
        self.name_corner(ax, 1, "center", GAP, _("practically the same: {chance}").format(chance=same))
        lines = self.name_corner(ax, 0, "left", -GAP, _("{name} better: {chance}").format(name=b, chance=worse))
        self.name_corner(ax, 2, "right", -GAP - lines * 1.3 * SMALL, _("{name} better: {chance}").format(name=a, chance=better))

    def name_corner(self, ax: Axes, corner: int, side: str, gap: float, words: str) -> int:
        """Words some points above or below a corner; the number of their lines."""
        text = verbatim(wrap_text(words, width_of(ax), SMALL_LETTERS))
        look: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": side, "va": "bottom" if gap > 0 else "top"}
        ax.annotate(text, CORNERS[corner], (0.0, gap), textcoords="offset points", annotation_clip=False, **look)
        return text.count("\n") + 1


def positions(samples: Array) -> Array:
    """(1)."""
    return np.asarray(samples @ CORNERS)
