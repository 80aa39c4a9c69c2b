"""Bars from top to bottom, with names to the left of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aprendiz.core.rows import Array
from aprendiz.plots.shared.style import BLUE, GREY, THIN, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_bars(ax: Axes, values: Array, *, signed: bool = False) -> None:
    """A bar for each value, the first on top, from a line at 0; of signed values, those below 0 are vermilion."""
    ax.barh(range(len(values)), values, height=0.7, color=[VERMILION if signed and value < 0 else BLUE for value in values])
    ax.axvline(0.0, color=GREY, linewidth=THIN)


def name_bars(ax: Axes, names: Sequence[str]) -> None:
    """Names to the left, without a frame between them and the bars."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
