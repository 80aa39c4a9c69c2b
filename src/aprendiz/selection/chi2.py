"""χ² of each column whose cells are counts, or shares: is its total spread over the classes as the rows are?

    χ² = Σ_k (O_k − E_k)² / E_k,     O_k = Σ of the class,   E_k = (n_k / n)·Σ of all classes                  (1)

Cost: one pass, O(n·d); for sparse tables O(number of stored cells).
"""

from __future__ import annotations

from typing import Any

from aprendiz.core.rows import Array
from aprendiz.selection.scores.class_totals import chi_squared, class_totals
from aprendiz.selection.shared.opened_columns import opened_columns


def chi2(X: Any, y: Any = None, sample_weight: Any = None) -> tuple[Array, Array]:
    """χ² of each column of counts, and its p-value (drop-in for scikit-learn's; missing cells are left out column by column).

    Parameters
    ----------
    X : table of numbers of at least 0, sparse matrix, or opened rows
    y : array of shape (n_samples,)
        Classes: numbers or words. Opened rows bring their own.
    sample_weight : array of shape (n_samples,), optional
        How many rows each row stands for.

    Returns
    -------
    chi2, p : ndarrays of shape (n_features,)
        NaN for a column of zeros.

    Examples
    --------
    >>> statistic, p = chi2([[1, 1], [0, 1], [5, 4], [6, 6], [2, 2], [1, 4]], [1, 1, 0, 0, 2, 2])
    >>> statistic.round(4), p.round(4)
    (array([11.2   ,  5.3333]), array([0.0037, 0.0695]))
    """
    rows = opened_columns("chi2", X, y, sample_weight, "classes")
    found = chi_squared(class_totals(rows))
    assert found.pvalues is not None
    return found.scores, found.pvalues
