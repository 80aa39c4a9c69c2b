"""What every picture is.

A Display takes what it shows in its constructor, and `plot(ax=None)` draws it: on the axes that are passed in, or on those of a
new figure. `plot` gives the Display back, with the axes in `ax_` and their figure in `figure_`, as those of scikit-learn do;
`from_estimator`, `from_predictions` and the like measure and draw in one step. So a Display is

    class SomeDisplay(Display):
        def __init__(self, record): …                # checks what it shows
        def plot(self, ax=None):
            ax = self.open_axes(ax, 6.4, 4.2)        # or self.open_panels(…), if it has several axes
            …                                        # draws, with shared/style.py and shared/words.py
            return self

matplotlib is imported when a picture is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.plots.shared.style import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Display:
    """A picture.

    Attributes
    ----------
    ax_ : matplotlib Axes, or ndarray of them if there are several
        Where it was drawn last.
    figure_ : matplotlib Figure
        That holds them.
    """

    ax_: Any
    figure_: Figure

    def open_axes(self, ax: Axes | None, width: float, height: float) -> Axes:
        """The axes passed in, or those of a new figure of some inches; kept as `ax_`."""
        self.ax_ = pyplot().subplots(figsize=(width, height), layout="constrained")[1] if ax is None else ax
        self.figure_ = figure_of(self.ax_)
        return self.ax_

    def open_panels(self, ax: Any, rows: int, columns: int, *, count: int, width: float, height: float, **grid: Any) -> Array:
        """The axes passed in, which must be as many, or those of a new figure of rows and columns of axes; kept as `ax_`."""
        axes = new_panels(rows, columns, count, width, height, grid) if ax is None else np.ravel(np.asarray(ax, dtype=object))
        if len(axes) != count:
            raise ValueError(f"{count} axes are needed, ax holds {len(axes)}: make them with plt.subplots({rows}, {columns}).")
        self.ax_, self.figure_ = axes, figure_of(axes[0])
        return axes


def new_panels(rows: int, columns: int, count: int, width: float, height: float, grid: dict[str, Any]) -> Array:
    """The first `count` axes of a new figure, row by row; spare ones are removed."""
    figure, axes = pyplot().subplots(rows, columns, squeeze=False, figsize=(width, height), layout="constrained", **grid)
    for spare in axes.flat[count:]:
        figure.delaxes(spare)
    return np.asarray(axes.flat[:count])


def pyplot() -> Any:
    """matplotlib.pyplot, or a word about where to get it."""
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("matplotlib"):
            raise
        raise ModuleNotFoundError('Pictures need matplotlib: pip install "aprendiz[lab]".', name=error.name) from error
    return plt
