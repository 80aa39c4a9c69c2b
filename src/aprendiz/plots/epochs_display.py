"""Picture of training: the surface of a network over two columns after some of its epochs, side by side.

Of a classifier the colour is the class, the stronger the more probable it is; of a regressor the prediction. The title of a
panel says the epoch and the loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier

from aprendiz.locale import _, format_whole, number
from aprendiz.plots.plane.plane_grid import PlaneGrid
from aprendiz.plots.plane.regions import FAINT, STRONG, labels_of_rows, mark_rows, paint
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import legend_below, tidy

PANEL = 2.9  # inches
ACROSS = 4  # panels in a row at most
STEPS = 101  # places along each column
MOST_ROWS = 300  # drawn in a panel
USUAL = 8  # panels


class EpochsDisplay(Display):
    """The surfaces of a network after some epochs.

    Parameters
    ----------
    surfaces : mapping of epoch to (loss, ndarray of shape (n_places, n_places) or (n_places, n_places, n_classes))
        Predictions, or probabilities of the classes, y upwards.
    grid : PlaneGrid
    classes : ndarray or None
    y : array-like, optional
        Classes of the rows, shown as marks.

    Attributes
    ----------
    epochs : list of int
    ax_ : ndarray of matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, surfaces: dict[int, tuple[float, Any]], grid: PlaneGrid, classes: Any = None, y: Any = None) -> None:
        if not surfaces:
            raise ValueError("There is no epoch to show: name at least one.")
        self.surfaces, self.grid, self.classes = surfaces, grid, classes
        self.epochs = list(surfaces)
        self.y = labels_of_rows(y, len(grid.points)) if classes is not None else None
        self.chosen = drawn_rows(len(grid.points), 0, MOST_ROWS)

    @classmethod
    def from_training(
        cls,
        model: Any,
        X: Any,
        y: Any,
        *,
        epochs: Sequence[int] | None = None,
        columns: Sequence[Any] | None = None,
        ax: Any = None,
    ) -> Self:
        """Train a copy of an MLPClassifier or MLPRegressor and keep its surfaces after some epochs: by default eight, closer
        together at the beginning."""
        grid = PlaneGrid.of(X, columns, STEPS)
        learner = clone(model)
        states = list(learner.steps(X, y))
        last = len(states) - 1
        usual = np.unique(np.round(np.expm1(np.linspace(0, np.log1p(last), USUAL))).astype(int)).tolist()
        wanted = usual if epochs is None else sorted(set(epochs))
        if beyond := [epoch for epoch in wanted if not 0 <= epoch <= last]:
            raise ValueError(f"Epoch {beyond[0]} is not there: training took {last} epochs.")
        rows, surfaces = learner.open(X, y), {}
        for epoch in wanted:
            model_then = clone(model).settle({**rows.noted, **learner.attributes(states[epoch], rows)})
            asked = model_then.predict_proba if is_classifier(model_then) else model_then.predict
            surfaces[epoch] = (float(states[epoch].objective), grid.on_grid(asked(grid.rows)))
        classes = np.asarray(rows.labels) if is_classifier(learner) else None
        return cls(surfaces, grid, classes, y).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw a panel for each epoch."""
        count, across = len(self.surfaces), min(len(self.surfaces), ACROSS)
        down = -(-count // across)
        axes = self.open_panels(ax, down, across, count=count, width=PANEL * across, height=(PANEL + 0.4) * down)
        for panel, (epoch, (loss, surface)) in zip(axes, self.surfaces.items(), strict=True):
            tidy(panel, x=self.grid.names[0], y=self.grid.names[1], title=self.title(epoch, loss))
            if self.classes is None:
                self.draw_numbers(panel, surface)
            else:
                self.draw_classes(panel, surface)
        return self

    def draw_classes(self, panel: Any, surface: Any) -> None:
        """The most probable class, and the rows."""
        best = surface.max(axis=-1)
        opacity = FAINT + (STRONG - FAINT) * np.clip((best - 1 / len(self.classes)) / (1 - 1 / len(self.classes)), 0, 1)
        paint(panel, self.grid, surface.argmax(axis=-1), opacity, len(self.classes), surface)
        mark_rows(panel, self.grid.points[self.chosen], None if self.y is None else self.y[self.chosen], self.classes)
        legend_below(panel, columns=2)

    def draw_numbers(self, panel: Any, surface: Any) -> None:
        """The predictions, in the same colours in all panels."""
        every = np.stack([one for _loss, one in self.surfaces.values()])
        look: dict[str, Any] = {"origin": "lower", "extent": self.grid.extent, "aspect": "auto", "cmap": "viridis"}
        panel.imshow(surface, vmin=every.min(), vmax=every.max(), zorder=0.5, **look)

    @staticmethod
    def title(epoch: int, loss: float) -> str:
        """The epoch, and the loss where there has been one."""
        if not epoch:
            return _("before training")
        return _("epoch {epoch}, loss {loss}").format(epoch=format_whole(epoch), loss=number(loss, 3))
