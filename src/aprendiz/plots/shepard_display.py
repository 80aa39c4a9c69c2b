"""Shepard diagram: the distances of an embedding against the dissimilarities that it was made from, a point for each pair.

A perfect metric scaling has all points on the diagonal. Points below it are pairs that were pushed together, as far ones are
where dimensions are missing; points above it were torn apart. For ordinal scaling the line is that of the disparities: numbers
that rise with the dissimilarities and are nearest to the distances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array
from aprendiz.decomposition.dissimilarities.pair_rows import distance_table
from aprendiz.decomposition.majorization.disparities import PairOrder
from aprendiz.decomposition.majorization.starts import given_points
from aprendiz.decomposition.stress import stress
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, INK, VERMILION, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PAIRS = 5000  # of very many, so many in steps of equal length along the order of the dissimilarities


class ShepardDisplay(Display):
    """Distances against dissimilarities.

    Parameters
    ----------
    dissimilarities : array of shape (n_samples, n_samples)
        Symmetric, with zeros on the diagonal.
    X_embedded : array of shape (n_samples, n_components)
        The points.
    metric : bool, default=True
        False for ordinal scaling: with the disparities as a line.

    Attributes
    ----------
    dissimilarities, distances : ndarray of shape (n_pairs,)
        Those of the pairs that differ, in the order of the dissimilarities.
    disparities : ndarray of shape (n_pairs,), or None
        For ordinal scaling.
    stress : float
        Stress-1.
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, dissimilarities: Any, X_embedded: Any, *, metric: bool = True) -> None:
        D = distance_table(dissimilarities, "precomputed")
        points = given_points(X_embedded, len(D))
        order = PairOrder.of(D)
        if not len(order.i):
            raise ValueError("All dissimilarities are 0: there are no pairs to draw.")
        self.dissimilarities = D[order.i, order.j]
        self.distances = np.linalg.norm(points[order.i] - points[order.j], axis=1)
        self.disparities: Array | None = None
        if not metric:
            with single_blas():
                self.disparities = np.repeat(order.isotonic(points), order.counts)
        self.stress = stress(D, points, metric=metric)

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Axes | None = None) -> Self:
        """Draw the fit of a `MDS`, a `ClassicalMDS` or an `Isomap`, whose dissimilarities are those along the graph."""
        check_is_fitted(model)
        D = model.dist_matrix_ if hasattr(model, "dist_matrix_") else model.dissimilarity_matrix_
        return cls(D, model.embedding_, metric=bool(getattr(model, "metric_mds", True))).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the pairs and the line."""
        ax = self.open_axes(ax, 5.4, 4.6)
        some = np.unique(np.linspace(0, len(self.distances) - 1, MOST_PAIRS).astype(np.int64))
        few = len(some) < 500
        look: dict[str, Any] = {"markersize": 4 if few else 2, "alpha": 0.5 if few else 0.25}
        ax.plot(self.dissimilarities[some], self.distances[some], linestyle="none", marker="o", color=BLUE, **look)
        if self.disparities is None:
            end = float(min(self.dissimilarities[-1], self.distances.max()))
            ax.plot([0.0, end], [0.0, end], color=INK, linewidth=1.0, linestyle=DASHED, label=_("equal"))
        else:
            ax.plot(self.dissimilarities, self.disparities, color=VERMILION, linewidth=1.4, label=_("disparity"))
        ax.set_xlim(left=0.0)
        ax.set_ylim(bottom=0.0)
        title = _("stress-1: {stress}").format(stress=number(self.stress))
        tidy(ax, x=_("dissimilarity"), y=_("distance in the embedding"), title=title)
        legend_below(ax)
        return self
