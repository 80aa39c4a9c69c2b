"""A feasible start for coefficients whose sum is given: the first ones at their limit, until the sum is reached."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array


def fill_to_sum(limits: Array, total: float) -> Array:
    """0 ≤ α ≤ limits with Σα = total."""
    return np.clip(total - (np.cumsum(limits) - limits), 0.0, limits)
