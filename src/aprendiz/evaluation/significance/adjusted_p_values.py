"""p-values of several comparisons, raised so that the chance of any false finding stays below the level.

Of m comparisons, in order p₁ ≤ … ≤ p_m:

    Bonferroni   min(1, m·p_i)                                                                                (1)
    Holm         min(1, max over j ≤ i of (m − j + 1)·p_j)                                                     (2)
    Hochberg     min over j ≥ i of (m − j + 1)·p_j                                                             (3)

(2) is never above (1), and (3) never above (2), which needs comparisons that are independent, or positively related.
Comparisons of all pairs depend on each other logically: logical_relations.py has what that gives.

References: Holm, Scandinavian Journal of Statistics 6, 1979; Hochberg, Biometrika 75, 1988.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aprendiz.core.rows import Array


def bonferroni(p_values: Sequence[float] | Array) -> Array:
    """(1)."""
    p = np.asarray(p_values, dtype=np.float64)
    return np.minimum(1.0, np.count_nonzero(~np.isnan(p)) * p)


def holm(p_values: Sequence[float] | Array) -> Array:
    """(2); NaN stays NaN and does not count."""
    p = np.asarray(p_values, dtype=np.float64)
    order, raised = in_order(p), p.copy()
    raised[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)))
    return raised


def hochberg(p_values: Sequence[float] | Array) -> Array:
    """(3); NaN stays NaN and does not count."""
    p = np.asarray(p_values, dtype=np.float64)
    order, raised = in_order(p), p.copy()
    raised[order] = np.minimum.accumulate((p[order] * np.arange(len(order), 0, -1))[::-1])[::-1]
    return raised


def in_order(p: Array) -> Array:
    """The places of the known p-values, the smallest first."""
    known = np.flatnonzero(~np.isnan(p))
    return known[np.argsort(p[known], kind="stable")]
