"""A ratio without cases, 0/0, is NaN and never a silent 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.targets import plain


def ratio(part: Any, whole: Any) -> Any:
    """part / whole, NaN where the whole is 0: a number, or an array of them."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), whole)
    return plain(np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)[()])
