"""Analysis of variance of each column, the classes its groups: do their means differ by more than chance?

    F = [Σ_k n_k (m_k − m)² / (K − 1)] / [Σ_k S_k / (n − K)]                                                  (1)

scores/class_variation.py has what the letters mean, and how the sums keep their digits.

Cost: one pass, O(n·d).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.selection.scores.class_variation import analysis_of_variance, class_variation
from aprendiz.selection.shared.opened_columns import in_range, opened_columns


def f_classif(X: Any, y: Any = None, sample_weight: Any = None) -> tuple[Array, Array]:
    """F of each column, and its p-value (drop-in for scikit-learn's; missing cells are left out column by column).

    Parameters
    ----------
    X : table of numbers, sparse matrix, or opened rows
    y : array of shape (n_samples,)
        Classes: numbers or words. Opened rows bring their own.
    sample_weight : array of shape (n_samples,), optional
        How many rows each row stands for.

    Returns
    -------
    F, p : ndarrays of shape (n_features,)
        NaN for a column that is constant, with a warning; ∞ and 0 where classes differ and no class varies.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> F, p = f_classif(*load("iris", return_X_y=True))
    >>> F.round(2)
    array([ 119.26,   49.16, 1180.16,  960.01])
    """
    rows = opened_columns("f_classif", X, y, sample_weight, "classes")
    sums = in_range(class_variation(rows), rows)
    found = analysis_of_variance(sums)
    if (constant := (sums.within == 0) & np.isnan(found.scores)).any():
        words = _("Features {columns} are constant.").format(columns=np.flatnonzero(constant))
        warnings.warn(words, UserWarning, stacklevel=2)
    assert found.pvalues is not None
    return found.scores, found.pvalues
