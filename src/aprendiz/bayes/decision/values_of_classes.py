"""The values at which densities of classes are asked: a table of probabilities, or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array


def is_table(x: Any) -> bool:
    return isinstance(x, (list, tuple, np.ndarray)) or hasattr(x, "to_numpy")


def as_values(x: Any) -> Array:
    values = np.asarray(x, dtype=np.float64)
    if values.ndim not in (1, 2) or not len(values):
        raise ValueError(f"x must hold one value or one row for each place, at least one, got shape {values.shape}.")
    return values
