"""Columns by their p-values, so that few of those kept are of no use.

Of m columns, with p-values p₁ ≤ … ≤ p_m in order, are kept

    fpr    p ≤ α                              of the columns of no use, a share α is kept on average           (1)
    fwe    p ≤ α/m                            with probability 1 − α, no column of no use is kept              (2)
    fdr    p ≤ p_k, k the largest with p_k ≤ α·k/m                                                             (3)

(3) is Benjamini's and Hochberg's step-up rule: on average, at most a share α·m₀/m of the kept columns is of no use, if m₀ of all
are and the columns are independent or positively related. Columns without a p-value are not tested: they do not count in m.

Reference: Benjamini & Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57, 1995.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from aprendiz.core.rows import Array

FalseFindings = Literal["fpr", "fdr", "fwe"]


def false_positive_rate(pvalues: Array, alpha: float, tested: int) -> float:
    """The largest p-value that (1) keeps."""
    return alpha


def family_wise_error(pvalues: Array, alpha: float, tested: int) -> float:
    """The largest p-value that (2) keeps."""
    return alpha / max(tested, 1)


def false_discovery_rate(pvalues: Array, alpha: float, tested: int) -> float:
    """The largest p-value that (3) keeps; below 0 if there is none."""
    ordered = np.sort(pvalues[~np.isnan(pvalues)])
    below = ordered[ordered <= alpha / max(tested, 1) * np.arange(1, len(ordered) + 1)]
    return float(below[-1]) if len(below) else -1.0


LIMITS: dict[str, Callable[[Array, float, int], float]] = {
    "fpr": false_positive_rate,
    "fdr": false_discovery_rate,
    "fwe": family_wise_error,
}


def adjusted(pvalues: Array) -> Array:
    """The smallest α at which (3) keeps each column: min over later places j of m·p_j/j, at most 1; NaN stays NaN."""
    found, known = np.full(len(pvalues), np.nan), np.flatnonzero(~np.isnan(pvalues))
    order = known[np.argsort(pvalues[known], kind="stable")]
    raised = pvalues[order] * (len(order) / np.arange(1, len(order) + 1))
    found[order] = np.minimum(1.0, np.minimum.accumulate(raised[::-1])[::-1])
    return found
