"""Picture of what each neuron computes: its output over two columns, layer by layer.

A panel is a neuron; the colour is its output, orange above and blue below the middle of its range, and the line is where its
input is zero: a neuron of the first layer is a half plane, those behind it are made of such pieces. Outputs are what is
predicted, of classes their probabilities. Columns that are not shown are held at their medians.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole
from aprendiz.neural.losses.loss import LogisticLoss, SoftmaxLoss
from aprendiz.neural.network.passes import layer_outputs
from aprendiz.plots.models.coefficients import fitted_last_step
from aprendiz.plots.plane.plane_grid import PlaneGrid
from aprendiz.plots.plane.regions import labels_of_rows, mark_rows
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import BLUE, INK, THIN, VERMILION, tidy

PANEL = 1.7  # inches
ACROSS = 8  # neurons of a layer that are shown
STEPS = 81  # places along each column
MOST_ROWS = 200  # drawn in the last panels
OUTPUTS: dict[str, Callable[[Array], Array]] = {  # what is predicted
    "softmax": SoftmaxLoss().predictions,
    "logistic": LogisticLoss().predictions,
    "exp": np.exp,
    "identity": np.asarray,
}


class NeuronsDisplay(Display):
    """The outputs of the neurons of a fitted network over two columns.

    Parameters
    ----------
    model : fitted MLPClassifier or MLPRegressor
        Or a pipeline that ends in one.
    X : table of shape (n_rows, n_columns)
    y : array-like of shape (n_rows,), optional
        Classes, shown as marks over the outputs.
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two.
    most : int, default=8
        Neurons of a layer that are shown: those with the largest weights to the next layer.
    seed : int, default=0
        Which rows are drawn, if there are more than 200.

    Attributes
    ----------
    shown : list of ndarray
        The numbers of the neurons of each layer that are shown.
    values, sums : list of ndarray of shape (n_places, n_places, n_neurons)
        Outputs and inputs of these neurons.
    ax_ : ndarray of matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(
        self,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        columns: Sequence[Any] | None = None,
        most: int = ACROSS,
        seed: int = 0,
    ) -> None:
        network = fitted_last_step(model)
        check_is_fitted(network, "coefs_")
        if most < 1:
            raise ValueError(f"most must be at least 1, got {most}.")
        self.grid = PlaneGrid.of(X, columns, STEPS)
        rows = self.grid.rows if network is model else model[:-1].transform(self.grid.rows)
        architecture, theta = network.fitted_network()
        sums, values = layer_outputs(architecture, theta, np.asarray(rows, dtype=np.float64))
        values[-1] = OUTPUTS[network.out_activation_](values[-1])
        strong = [np.abs(W).max(axis=1) for W in network.coefs_[1:]]
        last = np.ones(network.n_outputs_)
        self.shown = [np.sort(np.argsort(-size, kind="stable")[:most]) for size in (*strong, last)]
        self.sums = [self.grid.on_grid(one[:, chosen]) for one, chosen in zip(sums, self.shown, strict=True)]
        self.values = [self.grid.on_grid(one[:, chosen]) for one, chosen in zip(values, self.shown, strict=True)]
        self.classes = np.asarray(getattr(network, "classes_", []))
        self.y = labels_of_rows(y, len(self.grid.points)) if len(self.classes) else None
        self.chosen = drawn_rows(len(self.grid.points), seed, MOST_ROWS)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        columns: Sequence[Any] | None = None,
        most: int = ACROSS,
        seed: int = 0,
        ax: Any = None,
    ) -> Self:
        """Ask every neuron about the plane, and draw."""
        return cls(model, X, y, columns=columns, most=most, seed=seed).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw a row of panels for each layer."""
        down, across = len(self.shown), max(map(len, self.shown))
        size = {"width": PANEL * across + 0.6, "height": PANEL * down + 0.6}
        axes = self.open_panels(ax, down, across, count=down * across, **size)
        for layer, chosen in enumerate(self.shown):
            for place in range(across):
                panel = axes[layer * across + place]
                if place < len(chosen):
                    self.draw_neuron(panel, layer, place)
                else:
                    panel.set_axis_off()
        return self

    def draw_neuron(self, panel: Any, layer: int, place: int) -> None:
        """One neuron."""
        last = layer == len(self.shown) - 1
        values, sums = self.values[layer][..., place], self.sums[layer][..., place]
        middle, half = (values.max() + values.min()) / 2, max(np.ptp(values) / 2, 1e-300)
        look: dict[str, Any] = {"origin": "lower", "extent": self.grid.extent, "aspect": "auto", "cmap": two_sided()}
        panel.imshow((values - middle) / half, vmin=-1.3, vmax=1.3, zorder=0.5, **look)
        if sums.min() < 0 < sums.max():
            panel.contour(self.grid.x, self.grid.y, sums, levels=[0.0], colors=INK, linewidths=1.5 * THIN, zorder=1.0)
        number = format_whole(int(self.shown[layer][place]) + 1)
        title = _("output {number}") if last else _("layer {layer}, neuron {number}")
        edge = {"x": self.grid.names[0] if last else "", "y": self.grid.names[1] if place == 0 else ""}
        tidy(panel, **edge, title=title.format(layer=format_whole(layer + 1), number=number))
        panel.set(xticks=[], yticks=[])
        if last and self.y is not None:
            mark_rows(panel, self.grid.points[self.chosen], self.y[self.chosen], self.classes)


def two_sided() -> Any:
    """From the colour of the first class over white to that of the second."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("two sides", [BLUE, "white", VERMILION])
