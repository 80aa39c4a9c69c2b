"""Picture of a neural network: a dot for each neuron, layer by layer from left to right, a line for each weight.

A line is as wide as the weight is large, and has the colour of its sign. Of wide layers the neurons with the largest weights
are shown, in their order, and how many there are is said below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.locale import _, format_whole
from aprendiz.plots.models.coefficients import fitted_last_step
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, GREY, INK, PALE, SMALL, THIN, VERMILION, legend_below
from aprendiz.plots.shared.words import verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NEURONS = 12  # of a layer, that are shown
ACROSS, TALL = 1.9, 4.2  # inches of a layer, and of the picture
WIDEST = 3.2  # points, of the largest weight of a layer
FAINTEST = 0.02  # share of the largest weight below which no line is drawn
AWAY = 9.0  # points from the middle of a neuron to its name
LETTERS = 18  # of a name


class LayersDisplay(Display):
    """The layers and weights of a fitted network.

    Parameters
    ----------
    coefs : list of ndarray
        W_l of each layer.
    inputs, outputs : sequence of str
        Names of the columns and of the outputs.
    activations : sequence of str, optional
        Written below the hidden layers.
    most : int, default=12
        Neurons of a layer that are shown.

    Attributes
    ----------
    shown : list of ndarray
        The numbers of the neurons of each layer that are shown.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(
        self,
        coefs: Sequence[Array],
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        *,
        activations: Sequence[str] = (),
        most: int = MOST_NEURONS,
    ) -> None:
        if most < 1:
            raise ValueError(f"most must be at least 1, got {most}.")
        self.coefs = [np.asarray(W) for W in coefs]
        self.sizes = [len(self.coefs[0]), *(W.shape[1] for W in self.coefs)]
        self.names = {0: list(map(str, inputs)), len(self.sizes) - 1: list(map(str, outputs))}
        for layer, names in self.names.items():
            if len(names) != self.sizes[layer]:
                raise ValueError(f"Layer {layer} has {self.sizes[layer]} neurons, there are {len(names)} names.")
        self.activations = list(activations)
        strong = [np.abs(self.coefs[0]).max(axis=1), *(np.abs(W).max(axis=0) for W in self.coefs)]
        self.shown = [np.sort(np.argsort(-size, kind="stable")[:most]) for size in strong]

    @classmethod
    def from_estimator(cls, model: Any, *, most: int = MOST_NEURONS, ax: Axes | None = None) -> Self:
        """Draw a fitted MLPClassifier or MLPRegressor, or the one in which a pipeline ends."""
        network = fitted_last_step(model)
        check_is_fitted(network, "coefs_")
        names = getattr(network, "feature_names_in_", None)
        inputs = [f"x{j}" for j in range(network.n_features_in_)] if names is None else list(names)
        classes = [str(plain(label)) for label in getattr(network, "classes_", [])]
        outputs = classes[1:] if len(classes) == 2 and network.n_outputs_ == 1 else classes
        if len(outputs) != network.n_outputs_:
            outputs = ["y"] if network.n_outputs_ == 1 else [f"y{k}" for k in range(network.n_outputs_)]
        sigmas = network.activation
        hidden = [sigmas] * (network.n_layers_ - 2) if isinstance(sigmas, str) else list(sigmas)
        return cls(network.coefs_, inputs, outputs, activations=hidden, most=most).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the network."""
        ax = self.open_axes(ax, ACROSS * len(self.sizes), TALL)
        for layer, W in enumerate(self.coefs):
            self.draw_weights(ax, layer, W[np.ix_(self.shown[layer], self.shown[layer + 1])])
        for layer in range(len(self.sizes)):
            self.draw_neurons(ax, layer)
        for colour, words in ((BLUE, _("positive weight")), (VERMILION, _("negative weight"))):
            ax.plot([], [], color=colour, linewidth=WIDEST, label=words)
        ax.set(xlim=(-0.75, len(self.sizes) - 0.25), ylim=(-0.12, 1.02))
        ax.set_axis_off()
        legend_below(ax, columns=2)
        return self

    def places(self, layer: int) -> Array:
        """How high each shown neuron stands, the first on top."""
        count = len(self.shown[layer])
        return 1.0 - (np.arange(count) + 0.5) / count

    def draw_weights(self, ax: Axes, layer: int, W: Array) -> None:
        """Lines between two layers, the widest on top."""
        from matplotlib.collections import LineCollection

        largest = float(np.abs(W).max(initial=0.0))
        if not largest > 0:
            return
        left, right = self.places(layer), self.places(layer + 1)
        order = [at for at in np.argsort(np.abs(W), axis=None) if abs(W.flat[at]) >= FAINTEST * largest]
        pairs = [np.unravel_index(at, W.shape) for at in order]
        lines = [np.array([(layer, left[i]), (layer + 1, right[j])]) for i, j in pairs]
        sizes = np.array([abs(W[pair]) / largest for pair in pairs])
        colours = [BLUE if W[pair] > 0 else VERMILION for pair in pairs]
        look: dict[str, Any] = {"linewidths": WIDEST * sizes, "colors": colours, "alpha": 0.25 + 0.6 * sizes, "zorder": 1.0}
        ax.add_collection(LineCollection(lines, **look))

    def draw_neurons(self, ax: Axes, layer: int) -> None:
        """Dots of a layer, names of columns and outputs, and what is below."""
        places, names = self.places(layer), self.names.get(layer)
        size = 11.0 if len(places) <= MOST_NEURONS else 6.0
        look: dict[str, Any] = {"marker": "o", "markersize": size, "markerfacecolor": PALE, "markeredgecolor": GREY}
        ax.plot(np.full(len(places), layer), places, linestyle="none", markeredgewidth=2 * THIN, zorder=3.0, **look)
        if names is not None:
            side: dict[str, Any] = {"ha": "right" if layer == 0 else "left", "va": "center", "fontsize": SMALL, "color": INK}
            side["textcoords"] = "offset points"
            for y, neuron in zip(places, self.shown[layer], strict=True):
                name = names[neuron]
                text = name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"
                ax.annotate(verbatim(text), (layer, y), xytext=(-AWAY if layer == 0 else AWAY, 0), **side)
        words = self.words_below(layer)
        if words:
            ax.text(layer, -0.02, verbatim(words), ha="center", va="top", fontsize=SMALL, color=GREY)

    def words_below(self, layer: int) -> str:
        """The activation of a hidden layer, and how many of its neurons are shown."""
        lines = []
        if 0 < layer < len(self.sizes) - 1 and self.activations:
            lines.append(self.activations[layer - 1])
        if len(self.shown[layer]) < self.sizes[layer]:
            counts = {"shown": format_whole(len(self.shown[layer])), "all": format_whole(self.sizes[layer])}
            lines.append(_("{shown} of {all}").format(**counts))
        return "\n".join(lines)
