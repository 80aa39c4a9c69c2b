"""The picture of the error of a rule in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aprendiz.plots import DecisionAreasDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def decision_areas(
    densities: Sequence[Any],
    cuts: Any = None,
    decisions: Any = None,
    *,
    priors: Any = None,
    names: Sequence[Any] | None = None,
    support: Any = None,
    reject_below: float | None = None,
    ax: Axes | None = None,
) -> DecisionAreasDisplay:
    """Draw the error of a rule on a line as areas; the parameters are those of `DecisionAreasDisplay` and of its `plot`."""
    display = DecisionAreasDisplay(densities, priors, names=names, support=support)
    return display.plot(ax, cuts=cuts, decisions=decisions, reject_below=reject_below)
