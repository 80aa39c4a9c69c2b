"""Columns by any of the rules: the k best, a percentage, or those of few false findings.

Cost: that of the score, and O(d·log d).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import NonNegative, ParameterError, check_parameters
from aprendiz.core.rows import Array
from aprendiz.selection import SelectFdr, SelectFpr, SelectFwe, SelectKBest, SelectPercentile
from aprendiz.selection.scores.scored import Scored
from aprendiz.selection.shared.scored_columns import F_CLASSIF, ScoredColumns

RULES: dict[str, tuple[Any, str]] = {
    "percentile": (SelectPercentile, "percentile"),
    "k_best": (SelectKBest, "k"),
    "fpr": (SelectFpr, "alpha"),
    "fdr": (SelectFdr, "alpha"),
    "fwe": (SelectFwe, "alpha"),
}


class GenericUnivariateSelect(ScoredColumns):
    """Keep columns by their scores, with the rule as a parameter (drop-in for scikit-learn's).

    Parameters
    ----------
    score_func : function, default=f_classif
        Of X and y; gives the scores of the columns, or scores and p-values.
    mode : {"percentile", "k_best", "fpr", "fdr", "fwe"}, default="percentile"
        The rule: that of `SelectPercentile`, `SelectKBest`, `SelectFpr`, `SelectFdr` or `SelectFwe`.
    param : float, int or "all", default=1e-5
        The parameter of the rule.

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
        That of the rule.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> GenericUnivariateSelect(mode="k_best", param=1).fit(X, y).order_
    array([2])
    """

    differences = {"param": "another form: a choice of no column is refused, with the p-value that came nearest"}

    def __init__(
        self,
        score_func: Callable[..., Any] = F_CLASSIF,
        *,
        mode: Literal["percentile", "k_best", "fpr", "fdr", "fwe"] = "percentile",
        param: NonNegative | Literal["all"] = 1e-5,
    ):
        self.score_func = score_func
        self.mode = mode
        self.param = param

    @property
    def rule(self) -> Any:
        """The selector of one rule, with its parameter."""
        cls, name = RULES[self.mode]
        return cls(self.score_func, **{name: self.param})

    def refuse_parameters(self) -> None:
        super().refuse_parameters()
        try:
            check_parameters(self.rule)
        except ParameterError as error:
            raise ParameterError(f"param of GenericUnivariateSelect does not suit its mode: {error}") from error

    def keep(self, found: Scored) -> Array:
        return self.rule.keep(found)

    def evidence(self, found: Scored, support: Array) -> Certificate:
        return self.rule.evidence(found, support)

    def why_none(self, found: Scored) -> str:
        return self.rule.why_none(found)

    def wants_some(self) -> bool:
        return self.rule.wants_some()

    def warn_of(self, columns: int) -> None:
        self.rule.warn_of(columns)
