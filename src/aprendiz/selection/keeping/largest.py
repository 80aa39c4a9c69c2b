"""The columns with the largest scores, as scikit-learn chooses them: a column without a score comes last."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array


def lowest_for_none(scores: Array) -> Array:
    """Scores that can be sorted, and subtracted from each other."""
    scores, limit = np.asarray(scores, dtype=np.float64), np.finfo(np.float64).max / 4
    return np.where(np.isnan(scores), -limit, np.clip(scores, -limit, limit))


def k_largest(scores: Array, k: int) -> Array:
    """Which columns are the k best; of equal ones, the last."""
    scores = lowest_for_none(scores)
    if not 0 < k < len(scores):
        return np.full(len(scores), k > 0)
    last = np.partition(scores, len(scores) - k)[len(scores) - k]
    mask = scores > last
    mask[np.flatnonzero(scores == last)[int(mask.sum()) - k :]] = True
    return mask


def percentile_largest(scores: Array, percentile: float) -> Array:
    """Which columns are above a percentile of the scores; of those on it, the first, until there are enough."""
    if percentile in (0, 100):
        return np.full(len(scores), percentile == 100)
    scores = lowest_for_none(scores)
    threshold = np.percentile(scores, 100 - percentile)
    mask = scores > threshold
    ties = np.flatnonzero(scores == threshold)
    mask[ties[: max(0, int(len(scores) * percentile / 100) - int(mask.sum()))]] = True
    return mask
