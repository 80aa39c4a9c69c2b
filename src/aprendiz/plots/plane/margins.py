"""A support vector classifier over a plane: its boundary, its margins, and the kinds of its support vectors.

    boundary  f(x) = 0        margins  f(x) = −1 and f(x) = 1                                                    (1)

A support vector lies on its margin (0 < α < C), or inside the margins or beyond the boundary (α = C).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.plots.models.coefficients import fitted_last_step
from aprendiz.plots.plane.plane_grid import PlaneGrid
from aprendiz.plots.plane.regions import FAINT, STRONG
from aprendiz.plots.shared.style import DASHED, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OUTSIDE_MARGIN, ON_MARGIN, BEYOND_MARGIN = 0, 1, 2  # no support vector, on its margin, inside it or beyond
LARGE_VALUE = 2.0  # |f| from which a colour is strongest


def fitted_machine(model: Any, rows: int) -> Any:
    """The support vector classifier of a model, or in which a pipeline ends; its training rows must be as many."""
    machine = fitted_last_step(model)
    if not hasattr(machine, "margin_support_"):
        raise TypeError(f"{type(machine).__name__} has no margin: give SVC or NuSVC, or a pipeline that ends in one of them.")
    if rows != machine.shape_fit_[0]:
        raise ValueError(
            f"X has {rows} rows, {type(machine).__name__} was fitted to {machine.shape_fit_[0]}: give the training rows, among "
            "which the support vectors are."
        )
    return machine


def kinds_of_rows(machine: Any) -> Array:
    """For each training row, whether it is a support vector, and of which kind."""
    kinds = np.full(machine.shape_fit_[0], OUTSIDE_MARGIN)
    kinds[machine.margin_support_], kinds[machine.error_support_] = ON_MARGIN, BEYOND_MARGIN
    return kinds


def slack_is_squared(machine: Any) -> bool:
    """With squared slacks every support vector is inside its margin, by α/(2C): there is one kind only."""
    return getattr(machine, "loss", "hinge") == "squared_hinge" and np.inf > machine.C


def draw_lines(ax: Axes, grid: PlaneGrid, values: Array) -> None:
    """(1)."""
    look: dict[str, Any] = {"colors": INK, "zorder": 1.5}
    for levels, style, width in (([0.0], "solid", 1.6), ([-1.0, 1.0], [DASHED], 1.0)):
        if values.min() < max(levels) and values.max() > min(levels):
            ax.contour(grid.x, grid.y, values, levels=levels, linestyles=style, linewidths=width, **look)


def opacity_of(values: Array) -> Array:
    """The stronger the farther f is from 0, up to |f| = 2."""
    return FAINT + (STRONG - FAINT) * np.minimum(np.abs(values) / LARGE_VALUE, 1.0)
