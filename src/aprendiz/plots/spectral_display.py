"""Picture of spectral clustering: the eigenvalues, and the embedding of the rows.

The left side has the smallest eigenvalues of the Laplacian. As many of them are near 0 as there are weakly connected
clusters; the first wide gap comes after them. A line marks the requested number of clusters.

The right side has the rows as the second and the third eigenvector place them, coloured by group: a cluster of any shape in
the columns is compact here. With two components there is no third; the height is then the place of a row in the order of the
second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.cluster.spectral.laplacian_eigen import smallest_eigenpairs
from aprendiz.cluster.spectral.loops import degrees_and_parts, without_loops
from aprendiz.cluster.spectral_clustering import SpectralClustering
from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import BLUE, DOTTED, GREY, MARKERS, SMALL, colour_of, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class SpectralDisplay(Display):
    """Eigenvalues and embedding of a spectral clustering.

    Parameters
    ----------
    model : SpectralClustering
        Fitted.
    count : int, default=10
        Eigenvalues to show; more than the fit needed are computed from its similarities.

    Attributes
    ----------
    eigenvalues : ndarray of shape (count,)
        The smallest ones, ascending.
    ax_ : ndarray of two matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, model: SpectralClustering, count: int = 10) -> None:
        check_is_fitted(model)
        self.model = model
        self.eigenvalues = first_eigenvalues(model, min(count, len(model.labels_)))

    def plot(self, ax: Any = None) -> Self:
        """Draw both sides."""
        axes = self.open_panels(ax, 1, 2, count=2, width=9.6, height=4.2)
        self.draw_gap(axes[0])
        self.draw_points(axes[1])
        return self

    def draw_gap(self, ax: Axes) -> None:
        """The eigenvalues, and a line after the k-th."""
        numbers, k = np.arange(1, len(self.eigenvalues) + 1), self.model.n_clusters
        ax.plot(numbers, self.eigenvalues, marker="o", markersize=5, linewidth=0.8, color=BLUE)
        if k < len(numbers):
            ax.axvline(k + 0.5, color=GREY, linewidth=0.8, linestyle=DOTTED)
            words, side = _("{k} clusters").format(k=format_whole(k)), "left" if k <= len(numbers) / 2 else "right"
            look: dict[str, Any] = {"fontsize": SMALL, "color": GREY, "ha": side, "va": "top"}
            ax.text(k + 0.5, 1.0, f" {words} ", transform=ax.get_xaxis_transform(), **look)
        in_whole_numbers(ax.xaxis, 10)
        tidy(ax, x=_("index of the eigenvalue"), y=_("eigenvalue"))

    def draw_points(self, ax: Axes) -> None:
        """The rows at their places, coloured by group."""
        points, labels = self.model.embedding_, self.model.labels_
        x = points[:, min(1, points.shape[1] - 1)]
        third = points.shape[1] > 2
        y = points[:, 2] if third else np.argsort(np.argsort(x, kind="stable"))
        for group in np.unique(labels):
            here = labels == group
            look: dict[str, Any] = {"color": colour_of(group), "marker": MARKERS[group % len(MARKERS)]}
            ax.plot(x[here], y[here], linestyle="none", markersize=4, alpha=0.6, **look)
        height = _("third eigenvector") if third else _("rank in the second eigenvector")
        tidy(ax, x=_("second eigenvector"), y=height)


def first_eigenvalues(model: SpectralClustering, count: int) -> Array:
    """The smallest eigenvalues, from the fit where it has enough of them."""
    if count <= len(model.eigenvalues_):
        return model.eigenvalues_[:count]
    with single_blas(), without_loops(model.affinity_matrix_.copy()) as bare:
        degree, part = degrees_and_parts(bare)
        normalised = model.laplacian != "unnormalised"
        return smallest_eigenpairs(bare, degree, part, count, normalised=normalised, tolerance=1e-6, seed=0).values
