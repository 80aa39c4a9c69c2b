"""Ranges of columns that scalers divide by."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array


def refuse_range(low: Array, high: Array) -> None:
    """Stop at a column whose range high − low, or its inverse, is no number."""
    with np.errstate(over="ignore", divide="ignore"):
        width = high - low
        strange = np.isinf(width) | ((width > 0) & np.isinf(1.0 / width))
    if strange.any():
        column = int(np.flatnonzero(strange)[0])
        raise ValueError(
            f"Input X: column {column} reaches from {low[column]:.3g} to {high[column]:.3g}, and a double cannot hold the "
            "difference or its inverse. Scale the column first, by a power of ten."
        )
