"""Scales of axes: powers where a curve falls far, whole numbers where nothing lies between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axis import Axis

DEEP = 100.0  # a fall by this factor is seen better on a scale of powers


def deep(drawn: Any) -> bool:
    """Does a curve fall so far that a scale of powers shows more?"""
    values = np.asarray(drawn)
    return bool(values.min() > 0 and values.max() > DEEP * values.min())


def in_whole_numbers(axis: Axis, nbins: int | Literal["auto"] = "auto", **options: Any) -> None:
    """No tick stands between two whole numbers; the options are those of matplotlib's MaxNLocator."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins, integer=True, **options))
