"""From scores of columns against their copies to a set with few false findings.

W_j > 0 says that column j beats its copy. For a column of no use W_j has either sign with the same probability, so the negative
ones count how many of the positive ones are of no use:

    T = min of t ∈ {|W_j| > 0}:  (offset + #{W_j ≤ −t}) / max(1, #{W_j ≥ t}) ≤ q,     keep W_j ≥ T               (1)

    offset 1   knockoff+:  E[ false / kept ] ≤ q                          the false discovery rate
    offset 0               E[ false / (kept + 1/q) ] ≤ q                  the modified one

With offset 1, fewer than 1/q columns are never kept.

Reference: Barber & Candès, "Controlling the false discovery rate via knockoffs", Annals of Statistics 43, 2015.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array


def knockoff_threshold(W: Array, fdr: float, offset: int = 1) -> float:
    """T of (1); infinite if there is none."""
    sizes = np.unique(np.abs(W[W != 0]))
    if not len(sizes):
        return np.inf
    fine = estimates(W, sizes, offset) <= fdr
    return float(sizes[fine.argmax()]) if fine.any() else np.inf


def estimates(W: Array, sizes: Array, offset: int) -> Array:
    """The share that (1) compares with q, for each t of some that rise."""
    ordered = np.sort(W)
    above = len(W) - np.searchsorted(ordered, sizes, side="left")
    below = np.searchsorted(ordered, -sizes, side="right")
    return np.asarray((offset + below) / np.maximum(1, above))


def knockoff_qvalues(W: Array, offset: int = 1) -> Array:
    """The smallest q at which (1) keeps each column; 1 where none does."""
    sizes = np.unique(np.abs(W[W != 0]))
    found = np.ones(len(W))
    if len(sizes):
        best = np.minimum.accumulate(np.minimum(1.0, estimates(W, sizes, offset)))
        positive = W > 0
        found[positive] = best[np.searchsorted(sizes, W[positive])]
    return found
