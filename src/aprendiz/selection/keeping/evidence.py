"""How clear a choice of columns is: whether rounding, or the order of equal columns, may have decided it."""

from __future__ import annotations

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

ROUNDING_OF_P = 1e-9  # of a p-value, relative to itself


def clear_cut(scores: Array, rounding: Array | None, support: Array) -> Certificate:
    """That every column that is kept scores more than every other one, by more than rounding can move the two. Columns without
    a score are below all others."""
    scores = np.where(np.isnan(scores), -np.inf, scores)
    bound = np.zeros(len(scores)) if rounding is None else np.where(np.isfinite(rounding), rounding, 0.0)
    kept, left = scores[support], scores[~support]
    known = {"kept": int(support.sum()), "last": least(kept), "next": largest(left), "gap": np.inf, "rounding": 0.0, "ties": 0}
    if len(kept) and len(left):
        last, following = least(kept), largest(left)
        lower, upper = least(kept - bound[support]), largest(left + bound[~support])
        ties = int((scores == last).sum()) if last == following else 0
        gap = 0.0 if last == following else last - following
        known |= {"gap": gap, "rounding": float(max(gap - (lower - upper), 0.0)) if np.isfinite(gap) else 0.0, "ties": ties}
        clear = bool(gap > 0 and (lower > upper))
    else:
        clear = True
    return Certificate("every kept column scores more than every other one, by more than rounding", clear, known)


def least(values: Array) -> float:
    return float(values.min()) if len(values) else np.inf


def largest(values: Array) -> float:
    return float(values.max()) if len(values) else -np.inf


def clear_limit(pvalues: Array, support: Array, limit: float) -> Certificate:
    """That the p-values of the columns that are kept lie below a limit, and all others above it, further than rounding."""
    kept, left = pvalues[support], pvalues[~support & ~np.isnan(pvalues)]
    last, following = largest(kept), least(left)
    clear = bool(last < limit * (1 - ROUNDING_OF_P)) and following > limit * (1 + ROUNDING_OF_P)
    known = {"kept": len(kept), "last": last, "limit": limit, "next": following}
    return Certificate(
        "the p-values of the kept columns, and no others, lie below the limit, further than rounding", clear, known
    )


def clear_steps(pvalues: Array, support: Array, alpha: float, tested: int) -> Certificate:
    """That p_k ≤ α·k/m for the number k of the columns that are kept, and p_j > α·j/m for every later place j."""
    ordered = np.sort(pvalues[~np.isnan(pvalues)])
    k = int(support.sum())
    line = alpha / max(tested, 1) * np.arange(1, len(ordered) + 1)
    later = ordered[k:] / line[k:]
    last, nearest = float(ordered[k - 1]) if k else 0.0, least(later)
    clear = (not k or last <= line[k - 1] * (1 - ROUNDING_OF_P)) and nearest > 1 + ROUNDING_OF_P
    known = {"kept": k, "last": last, "limit": float(line[k - 1]) if k else 0.0, "nearest": nearest}
    return Certificate(
        "the last p-value that is kept lies below its line α·k/m, and every later one above its own", clear, known
    )
