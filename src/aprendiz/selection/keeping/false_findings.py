"""Columns by their p-values, so that few of those kept are of no use.

Of m columns, with p-values p₁ ≤ … ≤ p_m in order, are kept

    fpr    p < α                              of the columns of no use, a share α is kept on average           (1)
    fwe    p < α/m                            with probability 1 − α, no column of no use is kept              (2)
    fdr    p ≤ p_k, k the largest with p_k ≤ α·k/m                                                             (3)

(3) is Benjamini's and Hochberg's step-up rule: on average, at most a share α·m₀/m of the kept columns is of no use, if m₀ of
all are and the columns are independent or positively related. Columns without a p-value need not count in m.

Reference: Benjamini & Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57, 1995.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.selection.scores.scored import Scored

FalseFindings = Literal["fpr", "fdr", "fwe"]


def false_discovery_rate(pvalues: Array, alpha: float, tested: int) -> float:
    """The largest p-value that (3) keeps; below 0 if there is none."""
    ordered = np.sort(pvalues[~np.isnan(pvalues)])
    below = ordered[ordered <= alpha / max(tested, 1) * np.arange(1, len(ordered) + 1)]
    return float(below[-1]) if len(below) else -1.0


def is_kept(kind: FalseFindings, pvalues: Array, alpha: float, tested: int) -> Array:
    """Which columns a rule keeps."""
    if kind == "fdr":
        return pvalues <= false_discovery_rate(pvalues, alpha, tested)
    return pvalues < (alpha if kind == "fpr" else alpha / max(tested, 1))


def adjusted(pvalues: Array) -> Array:
    """The smallest α at which (3) keeps each column: min over later places j of m·p_j/j, at most 1; NaN stays NaN."""
    found, known = np.full(len(pvalues), np.nan), np.flatnonzero(~np.isnan(pvalues))
    order = known[np.argsort(pvalues[known], kind="stable")]
    raised = pvalues[order] * (len(order) / np.arange(1, len(order) + 1))
    found[order] = np.minimum(1.0, np.minimum.accumulate(raised[::-1])[::-1])
    return found


def known_pvalues(found: Scored, asker: Any) -> Array:
    """The p-values, without which these rules say nothing."""
    if found.pvalues is None:
        raise ValueError(
            f"{type(asker).__name__} needs p-values, and the function of scores gives none: keep the k best instead, or choose "
            "a function that gives scores and p-values, such as f_classif."
        )
    return found.pvalues


def nearest_pvalue(found: Scored) -> str:
    """The smallest p-value, in words."""
    p = found.pvalues
    if p is None or np.isnan(p).all():
        return "every column is constant, or has no known cells"
    return f"the smallest, of column {int(np.nanargmin(p))}, is {np.nanmin(p):.3g}"
