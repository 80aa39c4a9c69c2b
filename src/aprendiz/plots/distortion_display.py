"""Picture of a random projection: how much it stretches and shrinks the distances between pairs of rows.

A histogram of ‖Pu − Pv‖² / ‖u − v‖². The curve is what normal coordinates give on average, χ²_k/k; the dotted lines are 1 ± ε,
between which all pairs lie where the lemma of Johnson and Lindenstrauss is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy import stats

from aprendiz.core.rows import Array
from aprendiz.decomposition.near_isometry.distortion import ratios
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import BLUE, INK, VERMILION, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import amount

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 300  # of which all pairs are compared
FEWEST_BINS, MOST_BINS = 10, 60


class DistortionDisplay(Display):
    """Squared distances between images of rows, divided by those between the rows.

    Parameters
    ----------
    ratios : array-like of shape (n_pairs,)
        ‖Pu − Pv‖² / ‖u − v‖² of each pair.
    k : int, optional
        Coordinates of an image, for the curve.
    eps : float, optional
        The distortion that is allowed.

    Attributes
    ----------
    outside : int
        The pairs whose ratio is not within 1 ± eps.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, ratios: Any, *, k: int | None = None, eps: float | None = None) -> None:
        self.ratios: Array = np.asarray(ratios, np.float64).ravel()
        if not len(self.ratios) or not np.isfinite(self.ratios).all():
            raise ValueError("ratios must be finite numbers, one for each pair of rows: give rows that are not all alike.")
        self.k, self.eps = k, eps
        self.outside = 0 if eps is None else int((np.abs(self.ratios - 1.0) > eps).sum())

    @classmethod
    def from_estimator(cls, model: Any, X: Any, *, seed: int = 0, ax: Axes | None = None) -> Self:
        """Compare rows of X, at most 300, with their images by a fitted random projection, and draw."""
        rows = model.new_rows(X)
        table = rows.each(lambda block: block.X.toarray() if hasattr(block.X, "toarray") else block.X)
        U = np.asarray(table[drawn_rows(len(table), seed, MOST_ROWS)], np.float64)
        images = np.asarray(model.transform(U), np.float64)
        return cls(ratios(U, images, images)[0], k=model.n_components_, eps=float(model.eps)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the histogram, the curve and the two lines."""
        ax = self.open_axes(ax, 6.4, 4.2)
        count = int(np.clip(2 * len(self.ratios) ** (1 / 3), FEWEST_BINS, MOST_BINS))  # Rice's rule
        heights, edges = np.histogram(self.ratios, count)
        share, width = heights / len(self.ratios), edges[1] - edges[0]
        words = _("{pairs} pairs of rows, from {low} to {high}").format(
            pairs=amount(len(self.ratios)), low=number(self.ratios.min(), 3), high=number(self.ratios.max(), 3)
        )
        ax.stairs(share, edges, fill=True, color=BLUE, alpha=0.25, label=words)
        ax.stairs(share, edges, color=BLUE, linewidth=1.2)
        if self.k is not None:
            at = np.linspace(min(edges[0], 0.9), max(edges[-1], 1.1), 300)
            density = stats.chi2(self.k).pdf(at * self.k) * self.k * width
            ax.plot(at, density, color=INK, linewidth=1.2, label=_("normal coordinates, k = {k}").format(k=amount(self.k)))
        if self.eps is not None:
            words = _("1 ± {eps}, pairs outside: {pairs}").format(eps=number(self.eps), pairs=amount(self.outside))
            for place, label in ((1.0 - self.eps, words), (1.0 + self.eps, None)):
                ax.axvline(place, color=VERMILION, linewidth=1.2, linestyle=(0, (1, 1.5)), label=label)
        tidy(ax, x=_("squared distance after / before"), y=_("share of the pairs in each bin"))
        in_percent(ax.yaxis)
        ax.set_ylim(bottom=0)
        legend_below(ax, columns=2)
        return self
