"""The columns whose scores are above a percentile.

Cost: that of the score, and O(d·log d).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from aprendiz.core.parameters import Within
from aprendiz.core.rows import Array
from aprendiz.selection.keeping.largest import percentile_largest
from aprendiz.selection.scores.scored import Scored
from aprendiz.selection.shared.scored_columns import F_CLASSIF, ScoredColumns


class SelectPercentile(ScoredColumns):
    """Keep a percentage of the columns, those of largest score (drop-in for scikit-learn's; files, weights and missing cells
    too).

    Parameters
    ----------
    score_func : function, default=f_classif
        Of X and y; gives the scores of the columns, or scores and p-values.
    percentile : float, default=10
        How many of a hundred columns are kept. Of equal ones the first, as scikit-learn does.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
    pvalues_ : ndarray of shape (n_features,) or None
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    ranking_ : ndarray of shape (n_features,)
        1 for the best column; equal columns share a place.
    order_ : ndarray
        The kept columns, the best first.
    certificate_ : Certificate
        That the kept columns score more than all others, by more than rounding.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> SelectPercentile(percentile=50).fit(X, y).get_support()
    array([False, False,  True,  True])
    """

    def __init__(self, score_func: Callable[..., Any] = F_CLASSIF, *, percentile: Annotated[float, Within(0, 100)] = 10):
        self.score_func = score_func
        self.percentile = percentile

    def keep(self, found: Scored) -> Array:
        return percentile_largest(found.scores, self.percentile)

    def wants_some(self) -> bool:
        return self.percentile != 0

    def why_none(self, found: Scored) -> str:
        return f"{self.percentile} % of {len(found.scores)} feature(s) is less than one. Raise percentile, or use SelectKBest."

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags
