"""Picture of k-means at work: the same rows after some of the passes, and the path of each centre.

Every panel is a state: the rows have the colour of their nearest centre, a line leads from where a centre began to where it is.
The panels are the start, the first passes and the last one. Where the table has more than two columns, two of them are drawn,
and the nearest centre is that of all columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.cluster.centroids.nearest import label
from aprendiz.core.frames import as_frame
from aprendiz.core.parameters import refuse_count
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.locale import _, format_whole
from aprendiz.plots.plane.plane_grid import dense, find_columns
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import INK, colour_of, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL = 3.0  # inches
ACROSS = 4  # panels in a row at most


class KMeansStepsDisplay(Display):
    """Some states of k-means over two columns.

    Parameters
    ----------
    X : table of numbers of shape (n_rows, n_columns)
        The rows of the fit.
    states : iterable of states
        What `KMeans.steps(X)` gives; of several starts, the last one is drawn.
    columns : pair, optional
        Two columns by name or number, by default the first two.
    panels : int, default=4
        How many states are drawn, if there are so many.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    centers : ndarray of shape (n_states, n_clusters, n_columns)
        The centres of every state.
    drawn : ndarray of int
        The states that have a panel.
    ax_ : ndarray of matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(
        self, X: Any, states: Iterable[Any], *, columns: Sequence[Any] | None = None, panels: int = 4, seed: int = 0
    ) -> None:
        refuse_count("panels", panels)
        frame = as_frame(X)
        names = None if frame is None else list(frame.columns)
        self.X = dense(X)
        self.pair = find_columns(columns, names, self.X.shape[1])
        self.names = [f"x{j}" if names is None else str(names[j]) for j in self.pair]
        given = list(states)
        if not given:
            raise ValueError("states is empty: give those of a fit, as in KMeansStepsDisplay(X, KMeans(3).steps(X)).")
        last = getattr(given[-1], "start", 0)
        kept = [state for state in given if np.ndim(last) or getattr(state, "start", 0) == last]
        self.centers = np.array([state.centers for state in kept])
        self.drawn = np.append(np.arange(min(panels, len(kept)) - 1), len(kept) - 1)
        self.some = drawn_rows(len(self.X), seed)

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, *, columns: Sequence[Any] | None = None, panels: int = 4, seed: int = 0, ax: Any = None
    ) -> Self:
        """Let a learner, fitted or not, go through its states, and draw some of them."""
        return cls(X, model.steps(X), columns=columns, panels=panels, seed=seed).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the panels, at most four in a row."""
        count = len(self.drawn)
        across = min(count, ACROSS)
        down = -(-count // across)
        size = {"width": PANEL * across, "height": 1.05 * PANEL * down}
        axes = self.open_panels(ax, down, across, count=count, **size, sharex=True, sharey=True)
        for panel, state in zip(axes, self.drawn, strict=True):
            self.draw(panel, int(state))
        return self

    def draw(self, ax: Axes, state: int) -> None:
        """The rows and the centres of one state, and how these came here."""
        labels = ArrayRows(self.X[self.some]).each(label, np.ascontiguousarray(self.centers[state], dtype=np.float64))
        points, paths = self.X[self.some][:, self.pair], self.centers[: state + 1][:, :, self.pair]
        for j in range(self.centers.shape[1]):
            colour, mine = colour_of(j), points[labels == j]
            small = 3.0 if len(points) <= 300 else 2.0
            ax.plot(*mine.T, color=colour, marker="o", markersize=small, linestyle="none", markeredgewidth=0, alpha=0.5)
            ax.plot(*paths[:, j].T, color=INK, linewidth=1.0)
            look: dict[str, Any] = {"marker": "o", "markersize": 8.0, "markeredgecolor": INK, "markeredgewidth": 1.2}
            ax.plot(*paths[-1:, j].T, color=colour, linestyle="none", **look)
        title = _("start") if state == 0 else _("pass {number}").format(number=format_whole(state))
        tidy(ax, x=self.names[0], y=self.names[1], title=title)
