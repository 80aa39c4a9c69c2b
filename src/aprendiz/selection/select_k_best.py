"""The k columns with the largest scores.

Each column is scored by itself: quick, and blind to columns that say something only together.

Cost: that of the score, and O(d·log d).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import Whole
from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.selection.keeping.largest import k_largest
from aprendiz.selection.scores.scored import Scored
from aprendiz.selection.shared.scored_columns import F_CLASSIF, ScoredColumns


class SelectKBest(ScoredColumns):
    """Keep the k columns of largest score (drop-in for scikit-learn's; files, weights and missing cells too).

    Parameters
    ----------
    score_func : function, default=f_classif
        Of X and y; gives the scores of the columns, or scores and p-values.
    k : int or "all", default=10
        How many columns are kept. Of equal ones the last, as scikit-learn does.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
    pvalues_ : ndarray of shape (n_features,) or None
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    ranking_ : ndarray of shape (n_features,)
        1 for the best column; equal columns share a place.
    order_ : ndarray of shape (k,)
        The kept columns, the best first.
    certificate_ : Certificate
        That the kept columns score more than all others, by more than rounding: the smallest score that is kept (`last`), the
        largest that is not (`next`), and how many columns share the last place (`ties`).

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> model = SelectKBest(k=2).fit(X, y)
    >>> model.order_, model.transform(X).shape
    (array([2, 3]), (150, 2))
    """

    differences = {"score_func": "another form: functions are given numbers, no cells of other kinds; chi2 has one target"}

    def __init__(self, score_func: Callable[..., Any] = F_CLASSIF, *, k: Whole | Literal["all"] = 10):
        self.score_func = score_func
        self.k = k

    def keep(self, found: Scored) -> Array:
        return np.ones(len(found.scores), bool) if self.k == "all" else k_largest(found.scores, int(self.k))

    def wants_some(self) -> bool:
        return self.k != 0

    def warn_of(self, columns: int) -> None:
        if not isinstance(self.k, str) and self.k > columns:
            words = _("k={k} is greater than n_features={columns}. All the features will be returned.")
            warnings.warn(words.format(k=self.k, columns=columns), UserWarning, stacklevel=3)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags
