"""Kruskal's and Wallis's analysis of variance of ranks: do the classes lie at different places of a column?

    H = (n − 1)·Σ_k n_k (r_k − (n + 1)/2)² / Σ (r − (n + 1)/2)²                                               (1)

scores/class_ranks.py has what the letters mean.

Cost: O(n·log n) for each column.
"""

from __future__ import annotations

from typing import Any

from aprendiz.core.rows import Array
from aprendiz.selection.scores.class_ranks import kruskal_wallis
from aprendiz.selection.shared.opened_columns import opened_columns


def kruskal(X: Any, y: Any = None, sample_weight: Any = None) -> tuple[Array, Array]:
    """H of each column, corrected for ties, and its p-value. Missing cells are left out column by column.

    Parameters
    ----------
    X : table of numbers, sparse matrix, or opened rows
    y : array of shape (n_samples,)
        Classes: numbers or words. Opened rows bring their own.
    sample_weight : array of shape (n_samples,), optional
        How many rows each row stands for.

    Returns
    -------
    H, p : ndarrays of shape (n_features,)
        NaN for a column that is constant.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> H, p = kruskal(*load("iris", return_X_y=True))
    >>> H.round(2)
    array([ 96.94,  63.57, 130.41, 131.19])
    """
    rows = opened_columns("kruskal", X, y, sample_weight, "classes")
    found = kruskal_wallis(rows)
    assert found.pvalues is not None
    return found.scores, found.pvalues
