"""Errors with their standard errors: a line with bars, and the limit of the rule of one standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.plots.shared.style import BLUE, DOTTED, GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE_BLUE = "#9CC6DE"  # of the bars, behind the line


def draw_errors(ax: Axes, x: Array, errors: Array, spread: Array | None, *, size: float = 3.5, width: float = 1.2) -> None:
    """A blue line with marks of some size, and bars of one standard error on either side, if these are known."""
    look: dict[str, Any] = {"marker": "o", "markersize": size, "color": BLUE, "ecolor": PALE_BLUE}
    ax.errorbar(x, errors, spread, linewidth=width, elinewidth=width, capsize=0, **look)


def draw_limit(ax: Axes, limit: float) -> None:
    """A dotted line, a standard error above the smallest error."""
    ax.axhline(limit, color=GREY, linewidth=0.8, linestyle=DOTTED, label=_("a standard error above the smallest error"))
