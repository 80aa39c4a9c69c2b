"""Things along an axis: numbers at their values, words one after another, with names that do not touch."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.plots.shared.style import width_of
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = 12  # words along an axis


def are_numbers(things: Sequence[Any]) -> bool:
    return all(isinstance(plain(thing), Real) and not isinstance(thing, bool) for thing in things)


def positions(things: Sequence[Any]) -> Array:
    """Where things stand along an axis: numbers at their values, words one after another."""
    return np.asarray(things, dtype=float) if are_numbers(things) else np.arange(len(things), dtype=float)


def narrowest(places: Array) -> float:
    """The smallest gap between two positions."""
    return float(np.diff(np.sort(places)).min()) if len(places) > 1 else 1.0


def name_positions(ax: Axes, things: Sequence[Any]) -> None:
    """Words below the axis, slanted where they would touch, at most twelve of them; numbers need none."""
    if are_numbers(things):
        return
    chosen = range(0, len(things), -(-len(things) // NAMED))
    name_below(ax, chosen, short_names(things[k] for k in chosen))


def name_below(ax: Axes, places: Sequence[float], names: Sequence[str]) -> None:
    """Names below the axis, slanted where they would touch."""
    slanted = sum(map(len, names)) > 9 * width_of(ax)  # about nine characters to the inch
    turn: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(list(places), names, **turn)
