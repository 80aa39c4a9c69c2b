"""Picture of partial dependence: the average prediction along a column, with a thin line for each row where these are known; of
words a mark for each level, of two columns a map.

The marks below a curve are the tenths of the rows: where they are few, the curve rests on little. Curves of several columns
share the axis of the prediction, so that their reach can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.partial_dependence import PartialDependence, partial_dependence
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.style import BLUE, GREY, INK, tidy
from aprendiz.plots.shared.words import quote, short_names, verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 3.2, 2.9  # inches of a picture
BESIDE = 3  # pictures in a row
MOST_LINES = 200  # of single rows


class PartialDependenceDisplay(Display):
    """Partial dependence as curves and maps.

    Parameters
    ----------
    results : list of PartialDependence
        What `partial_dependence` returns, one for each picture.
    target : label or int, optional
        The class of several, or the number of the output.
    centered : bool, default=False
        Whether each line begins at 0: what the column adds, beside its first value.

    Attributes
    ----------
    ax_ : ndarray of matplotlib Axes
    figure_ : matplotlib Figure
        Where they were drawn.
    """

    def __init__(self, results: Sequence[PartialDependence], *, target: Any = None, centered: bool = False) -> None:
        self.results = list(results)
        if not self.results:
            raise ValueError("results has no partial dependence: give at least one.")
        self.outputs = [output_of(one, target) for one in self.results]
        self.centered = centered

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        features: Sequence[Any],
        *,
        kind: Any = "average",
        target: Any = None,
        grid_resolution: int = 100,
        percentiles: tuple[float, float] = (0.05, 0.95),
        custom_values: Any = None,
        response_method: Any = "auto",
        sample_weight: Any = None,
        centered: bool = False,
        subsample: int | float | None = 1000,
        random_state: Any = None,
        ax: Any = None,
    ) -> Self:
        """Ask a fitted model and draw: a picture for each of the `features`, which are columns or pairs of columns; the other
        arguments are those of `partial_dependence`."""
        how: dict[str, Any] = {"grid_resolution": grid_resolution, "percentiles": percentiles, "custom_values": custom_values}
        how |= {"response_method": response_method, "sample_weight": sample_weight, "random_state": random_state}
        how["subsample"] = within(subsample, X)
        found = [partial_dependence(estimator, X, one, kind="average" if is_pair(one) else kind, **how) for one in features]
        return cls(found, target=target, centered=centered).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw a picture for each of the results, on a new figure or on as many axes."""
        count = len(self.results)
        across = min(count, BESIDE)
        down = -(-count // across)
        given = [ax] if ax is not None and not isinstance(ax, (list, tuple, np.ndarray)) else ax
        panels = self.open_panels(
            given, down, across, count=count, width=max(4.6, WIDTH * across), height=max(3.4, HEIGHT * down)
        )
        for one, output, panel in zip(self.results, self.outputs, panels, strict=True):
            draw = self.draw_map if len(one.names) == 2 else self.draw_curve
            draw(panel, one, output)
        curves = [panel for one, panel in zip(self.results, panels, strict=True) if len(one.names) == 1]
        if curves and ax is None:
            low, high = (end(panel.get_ylim()[k] for panel in curves) for k, end in enumerate((min, max)))
            for panel in curves:
                panel.set_ylim(low, high)
        return self

    def draw_curve(self, ax: Axes, found: PartialDependence, output: int) -> None:
        """The curve of a column, or a mark for each of its levels."""
        (grid,), (numeric,) = found.grid_values, found.numbers
        x = grid.astype(np.float64) if numeric else np.arange(float(len(grid)))
        look: dict[str, Any] = {} if numeric else {"marker": "o", "markersize": 4.5}
        if found.individual is not None:
            for line in self.from_zero(found.individual[output][:MOST_LINES]):
                ax.plot(x, line, color=GREY, linewidth=0.6, alpha=0.35)
        if found.kind != "individual":
            ax.plot(x, self.from_zero(found.average[output]), color=BLUE, linewidth=2, zorder=3, **look)
        tidy(ax, x=verbatim(str(found.names[0])), y=self.measure(found, output))
        if not numeric:
            ax.set_xlim(-0.5, len(grid) - 0.5)
            name_below(ax, list(x), short_names(grid))
        elif found.values[0] is not None and len(found.values[0]):
            tenths = np.quantile(found.values[0], np.arange(0.1, 1.0, 0.1))
            ax.plot(
                tenths, np.zeros(len(tenths)), "|", color=INK, transform=ax.get_xaxis_transform(), clip_on=False, markersize=6
            )

    def draw_map(self, ax: Axes, found: PartialDependence, output: int) -> None:
        """Two columns: the stronger the colour, the larger the prediction."""
        from matplotlib.colors import LinearSegmentedColormap

        from aprendiz.plots.shared.ticks import NumberTicks

        shades = LinearSegmentedColormap.from_list("prediction", ["#F2F5F9", BLUE])
        edges = [edges_of(grid, numeric) for grid, numeric in zip(found.grid_values, found.numbers, strict=True)]
        mesh = ax.pcolormesh(*edges, found.average[output].T, cmap=shades, rasterized=True)
        tidy(ax, x=verbatim(str(found.names[0])), y=verbatim(str(found.names[1])))
        ax.grid(False)
        if not found.numbers[0]:
            name_below(ax, list(range(len(found.grid_values[0]))), short_names(found.grid_values[0]))
        if not found.numbers[1]:
            ax.set_yticks(range(len(found.grid_values[1])), short_names(found.grid_values[1]))
        self.figure_.colorbar(mesh, ax=ax, label=self.measure(found, output), format=NumberTicks())

    def from_zero(self, lines: Array) -> Array:
        """The lines, or how far they are from their beginning."""
        return lines - lines[..., :1] if self.centered else lines

    def measure(self, found: PartialDependence, output: int) -> str:
        """What is predicted."""
        words = _("prediction")
        if found.classes:
            probable = float(found.average.min()) >= 0 and float(found.average.max()) <= 1
            said = _("probability of {label}") if probable else _("decision value of {label}")
            words = said.format(label=quote(found.classes[output]))
        return _("{measure}, change").format(measure=words) if self.centered else words


def output_of(found: PartialDependence, target: Any) -> int:
    """The number of the output that is drawn."""
    count = len(found.average)
    if target is None:
        if count > 1:
            known = ", ".join(map(repr, found.classes)) or f"0 to {count - 1}"
            raise ValueError(f"The model has {count} outputs: choose one by target, one of {known}.")
        return 0
    if found.classes and target in found.classes:
        return found.classes.index(target)
    if not found.classes and isinstance(target, (int, np.integer)) and 0 <= target < count:
        return int(target)
    known = ", ".join(map(repr, found.classes)) or f"0 to {count - 1}"
    raise ValueError(f"target = {target!r} is no output of the model: choose one of {known}.")


def is_pair(features: Any) -> bool:
    """Are these two columns?"""
    return isinstance(features, (list, tuple, np.ndarray)) and len(features) == 2


def within(subsample: int | float | None, X: Any) -> int | float | None:
    """The subsample, or None where the table has no more rows."""
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    return None if isinstance(subsample, (int, np.integer)) and subsample >= rows else subsample


def edges_of(grid: Array, numeric: bool) -> Array:
    """The lines between the cells of a map."""
    x = grid.astype(np.float64) if numeric else np.arange(float(len(grid)))
    if len(x) == 1:
        return np.array([x[0] - 0.5, x[0] + 0.5])
    between = (x[1:] + x[:-1]) / 2
    return np.concatenate([[2 * x[0] - between[0]], between, [2 * x[-1] - between[-1]]])
