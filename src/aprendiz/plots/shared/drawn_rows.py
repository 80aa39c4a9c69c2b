"""Which rows are drawn: a random part, where all of them would be too many."""

from __future__ import annotations

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

DRAWN = 2000  # rows at most


def drawn_rows(count: int, seed: int, most: int = DRAWN) -> Array:
    """Numbers of the rows that are drawn, rising."""
    return np.sort(np.argsort(uniforms(seed, 0, count))[:most])
