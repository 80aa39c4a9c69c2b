"""The columns whose p-values are below α/d: with probability 1 − α, no column of no use is kept.

    p < α/d                                                                                                 (1)

keeping/false_findings.py compares the rules.

Cost: that of the score, and O(d·log d).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import Fraction
from aprendiz.core.rows import Array
from aprendiz.selection.keeping.evidence import clear_limit
from aprendiz.selection.keeping.false_findings import known_pvalues, nearest_pvalue
from aprendiz.selection.scores.scored import Scored
from aprendiz.selection.shared.scored_columns import F_CLASSIF, NOISE_IS_REFUSED, ScoredColumns


class SelectFwe(ScoredColumns):
    """Keep the columns whose p-value is below α/d, d the number of columns (drop-in for scikit-learn's; files, weights and
    missing cells too).

    Parameters
    ----------
    score_func : function, default=f_classif
        Of X and y; gives the scores and the p-values of the columns.
    alpha : float, default=0.05
        The probability that any column of no use is kept.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
    pvalues_ : ndarray of shape (n_features,)
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    ranking_ : ndarray of shape (n_features,)
        1 for the best column; equal columns share a place.
    order_ : ndarray
        The kept columns, the best first.
    certificate_ : Certificate
        That the p-values of the kept columns lie below `limit`, and all others above it, further than rounding.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> SelectFwe(alpha=1e-20).fit(X, y).get_support()
    array([ True, False,  True,  True])
    """

    exceptions = NOISE_IS_REFUSED
    differences = {"alpha": "another form: a choice of no column is refused, with the p-value that came nearest"}

    def __init__(self, score_func: Callable[..., Any] = F_CLASSIF, *, alpha: Fraction = 0.05):
        self.score_func = score_func
        self.alpha = alpha

    def keep(self, found: Scored) -> Array:
        p = known_pvalues(found, self)
        return p < self.alpha / len(p)

    def evidence(self, found: Scored, support: Array) -> Certificate:
        p = known_pvalues(found, self)
        return clear_limit(p, support, float(self.alpha) / len(p))

    def why_none(self, found: Scored) -> str:
        limit, best = self.alpha / len(found.scores), nearest_pvalue(found)
        return f"no p-value is below alpha/d={limit:.3g}; {best}. Raise alpha, or use SelectFdr."
