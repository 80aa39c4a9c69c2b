"""Recursive elimination: the least important columns leave, until a given number or the best one is left
(search/elimination.py).

    J(m) = mean over folds of the score of the m columns that are left in the fold,     m* = argmax J           (1)

of several m that are equally good the smallest. J(m*) is the largest of many and flatters: put the whole procedure into
`evaluate` to know its error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np

from aprendiz.core.parameters import Count, ParameterError, Within
from aprendiz.selection.search.elimination import Elimination, EliminationState
from aprendiz.selection.search.wrapper import wanted_columns

Share = Annotated[float, Within(0, 1, above=True)]


class RecursiveElimination(Elimination):
    """Fit, leave out the least important columns, fit again; folds say how many columns should stay.

    Parameters
    ----------
    estimator : learner
        With `coef_` or `feature_importances_`, of this library or compatible with scikit-learn.
    n_features_to_select : "best", int or float, default="best"
        Number of columns that stay, or a fraction of them. "best": m* of (1), by folds.
    step : int or float, default=1
        Number of columns that leave at once, or a fraction of all.
    importance_getter : str or function, default="auto"
        "auto" (`coef_`, else `feature_importances_`), an attribute of the fitted learner, or a function of it.
    scoring : str, function or None
        A measure of scikit-learn; by default the learner's own, accuracy or R².
    cv : int, splitter or iterable of pairs, default=5
        The inner folds: their number, or how to split.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
        Whether each column stays.
    ranking_ : ndarray of shape (n_features,)
        1 for these; for the others, the later they left the smaller.
    order_ : ndarray of shape (n_features_,)
        The columns that stay, the most important one first.
    n_features_ : int
        Number of columns that stay.
    sizes_, scores_ : ndarray of shape (n_sizes,)
        With "best", the numbers of columns that were tried, and J.
    fold_scores_ : ndarray of shape (n_sizes, n_folds)
        The scores of which J is the mean.
    importances_ : ndarray of shape (n_features_,)
        The importance of each column that stays: the root of the sum of its squared coefficients.
    estimator_ : the learner, fitted to these columns
    n_iter_ : int
        Number of steps.
    certificate_ : Certificate
        Whether the importances are those of a new fit.

    Examples
    --------
    >>> import numpy as np
    >>> from aprendiz import RecursiveElimination, Ridge
    >>> X = np.random.default_rng(0).normal(size=(60, 10))
    >>> y = X[:, 2] - 2.0 * X[:, 5]
    >>> RecursiveElimination(Ridge(), n_features_to_select=2).fit(X, y).order_
    array([5, 2])
    """

    def __init__(
        self,
        estimator: Any,
        *,
        n_features_to_select: Literal["best"] | Count | Share = "best",
        step: Count | Annotated[float, Within(0, 1, above=True)] = 1,
        importance_getter: str | Callable[..., Any] = "auto",
        scoring: Any = None,
        cv: Any = 5,
    ):
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.importance_getter = importance_getter
        self.scoring = scoring
        self.cv = cv

    @property
    def by_folds(self) -> bool:
        return bool(self.n_features_to_select == "best")

    def check_size(self, columns: int) -> None:
        if (wanted := self.smallest(columns)) > columns:
            raise ParameterError(f"n_features_to_select={wanted} columns are asked for, and there are {columns}: give fewer.")

    def smallest(self, columns: int) -> int:
        return 1 if self.by_folds else wanted_columns(self.n_features_to_select, columns)

    def attributes(self, state: EliminationState, rows: Any) -> dict[str, Any]:
        found = super().attributes(state, rows)
        chosen = np.flatnonzero(found["support_"])
        return {**found, "order_": chosen[np.argsort(-found["importances_"], kind="stable")]}

    def of_folds(self, state: EliminationState, sizes: list[int]) -> dict[str, Any]:
        if not self.by_folds:
            return {}
        scores = state.scores[:, ::-1].T
        return {"sizes_": np.array(sizes[::-1]), "scores_": scores.mean(axis=1), "fold_scores_": scores}
