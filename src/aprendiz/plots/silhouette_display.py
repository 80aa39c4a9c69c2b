"""Picture of the silhouettes of a clustering: how much nearer each row is to its own cluster than to the next one.

    s(x) = (b − a) / max(a, b)                                                                                (1)

a is the mean distance of x to the other rows of its cluster, b that to the rows of the nearest other cluster. Every cluster is
a band as high as it has rows, its silhouettes sorted. Rows at the left of zero are nearer to another cluster; the dashed line
is the mean of all rows.

Reference: Rousseeuw, "Silhouettes: a graphical aid", Journal of Computational and Applied Mathematics 20, 1987.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.metrics import silhouette_samples
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.targets import same_length
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_fixed, format_whole
from aprendiz.plots.plane.plane_grid import dense
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import GREY, INK, SMALL, colour_of, legend_below, tidy
from aprendiz.plots.shared.words import verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DRAWN = 4000  # rows at most: silhouettes need all distances between them
GAP = 0.02  # of all rows, between two bands


class SilhouetteDisplay(Display):
    """The silhouettes of the rows, cluster by cluster.

    Parameters
    ----------
    X : table of numbers of shape (n_rows, n_columns)
        The rows; for `metric="precomputed"`, their distances.
    labels : array of shape (n_rows,)
        Their clusters, at least two.
    metric : str, default="euclidean"
        The distance, as of scikit-learn's `silhouette_samples`.
    seed : int, default=0
        Which rows are measured and drawn, if there are more than 4000.

    Attributes
    ----------
    silhouettes : ndarray of shape (n_drawn,)
        (1) of each row that is drawn.
    mean : float
        Their mean.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, X: Any, labels: Any, *, metric: str = "euclidean", seed: int = 0) -> None:
        table, given = dense(X) if np.ndim(X) == 2 and np.shape(X)[1] > 1 else np.asarray(X, dtype=float), np.asarray(labels)
        same_length("labels", len(given), len(table))
        self.rows, self.some = len(table), drawn_rows(len(table), seed, DRAWN)
        table = table[np.ix_(self.some, self.some)] if metric == "precomputed" else table[self.some]
        self.labels = given[self.some]
        kinds = len(np.unique(self.labels))
        if not 2 <= kinds < len(self.labels):
            raise ValueError(
                f"labels has {kinds} clusters for {len(table)} rows: silhouettes need at least 2, and fewer than rows."
            )
        self.silhouettes = silhouette_samples(table, self.labels, metric=metric)
        self.mean = float(self.silhouettes.mean())

    @classmethod
    def from_estimator(cls, model: Any, X: Any, *, seed: int = 0, ax: Axes | None = None) -> Self:
        """The silhouettes of the clusters that a fitted learner sees in X."""
        check_is_fitted(model)
        return cls(X, model.predict(X) if hasattr(model, "predict") else model.labels_, seed=seed).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw a band for each cluster, the first one at the top."""
        ax = self.open_axes(ax, 5.6, 4.6)
        top, gap, middles, names = 0.0, GAP * len(self.some), [], []
        for k, cluster in enumerate(np.unique(self.labels)):
            values = np.sort(self.silhouettes[self.labels == cluster])[::-1]
            ax.fill_betweenx(top + np.arange(len(values) + 1), np.append(values, values[-1]), step="post", **look(k))
            middles.append(top + len(values) / 2)
            names.append(verbatim(f"{short(cluster)} ({format_whole(len(values))})"))
            top += len(values) + gap
        mean = _("mean {value}").format(value=format_fixed(self.mean, 2))
        ax.axvline(self.mean, color=INK, linewidth=1.0, linestyle=(0, (4, 2)), label=mean)
        ax.axvline(0.0, color=GREY, linewidth=0.6)
        tidy(ax, x=_("silhouette"), y=_("cluster (rows)"), title=self.count_text())
        ax.set_yticks(middles, names, fontsize=SMALL)
        ax.set_ylim(top - gap, 0.0)
        legend_below(ax)
        return self

    def count_text(self) -> str:
        """How many rows are drawn, if not all."""
        if len(self.some) == self.rows:
            return ""
        return _("{drawn} of {rows} rows").format(drawn=format_whole(len(self.some)), rows=format_whole(self.rows))


def look(k: int) -> dict[str, Any]:
    """The look of a band."""
    return {"facecolor": colour_of(k), "alpha": 0.75, "linewidth": 0}
