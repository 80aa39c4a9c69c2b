"""Picture of activations: what a neuron makes of the sum that comes in, and the slope that comes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.locale import _, number
from aprendiz.neural.network.activations import ACTIVATIONS, OTHER_NAMES
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import DASHED, colour_of, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 601
REACH = 5.0  # of z on both sides


class ActivationsDisplay(Display):
    """Curves of some activations, with their slopes as dashed lines.

    Parameters
    ----------
    names : sequence of str, default=("logistic", "tanh", "relu", "step")
    temperature : float, default=1.0
        t of σ(z/t).

    Attributes
    ----------
    z : ndarray
    values, slopes : dict of str to ndarray
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, names: Sequence[str] = ("logistic", "tanh", "relu", "step"), *, temperature: float = 1.0) -> None:
        if not temperature > 0:
            raise ValueError(f"temperature must be above 0, got {temperature}.")
        self.z, self.temperature = np.linspace(-REACH, REACH, POINTS), temperature
        self.values, self.slopes = {}, {}
        for name in names:
            sigma = ACTIVATIONS.get(OTHER_NAMES.get(name, name))
            if sigma is None:
                raise ValueError(f"There is no activation {name!r}; there are {', '.join(ACTIVATIONS)}.")
            Z, D = self.z[:, None] / temperature, np.full((POINTS, 1), 1.0 / temperature)
            S = -np.sin(Z) if sigma.keeps_slope else np.empty((0, 1))
            sigma.apply(Z)
            sigma.slope(D, Z, S)
            self.values[name], self.slopes[name] = Z[:, 0], D[:, 0]

    @classmethod
    def from_names(cls, *names: str, temperature: float = 1.0, ax: Axes | None = None) -> Self:
        """Draw some activations."""
        return cls(names, temperature=temperature).plot(ax) if names else cls(temperature=temperature).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curves."""
        ax = self.open_axes(ax, 6.0, 4.2)
        title = "" if self.temperature == 1.0 else _("temperature {t}").format(t=number(self.temperature))
        tidy(ax, x=_("z, the sum that comes in"), y=_("output, and its slope (dashed)"), title=title)
        for k, (name, value) in enumerate(self.values.items()):
            look: dict[str, Any] = {"color": colour_of(k)}
            jumps = np.abs(np.diff(value, prepend=value[0])) > 0.5
            ax.plot(self.z, np.where(jumps, np.nan, value), label=name, linewidth=1.6, **look)
            ax.plot(self.z, self.slopes[name], linestyle=DASHED, linewidth=1.1, **look)
        ax.set_ylim(-1.3, 2.3)
        legend_below(ax, columns=4)
        return self
