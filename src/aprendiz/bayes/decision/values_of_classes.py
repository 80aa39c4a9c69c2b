"""Places at which the densities of the classes are evaluated, as they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array


def is_table(x: Any) -> bool:
    """Are they values, rather than a distribution to draw from?"""
    return isinstance(x, (list, tuple, np.ndarray)) or hasattr(x, "to_numpy")


def as_values(x: Any) -> Array:
    """One value or one row for each place."""
    values = np.asarray(x, dtype=np.float64)
    if values.ndim not in (1, 2) or not len(values):
        raise ValueError(f"x must hold one value or one row for each place, at least one, got shape {values.shape}.")
    return values
