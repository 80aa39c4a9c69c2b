"""Recursive feature elimination to the number of columns with the best score in cross-validation, as scikit-learn has it
(search/elimination.py)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import get_scorer
from sklearn.utils.metadata_routing import MethodMapping, process_routing

from aprendiz.core.parameters import Count, Whole, Within
from aprendiz.core.routing import refuse_unrouted, routes_metadata
from aprendiz.locale import _
from aprendiz.selection.search.elimination import Elimination, EliminationState


class RFECV(Elimination):
    """Elimination to the best number of columns (drop-in for scikit-learn's; budgets, Ctrl-C, going on, updating).

    Parameters
    ----------
    estimator : learner
        With `coef_` or `feature_importances_`, of this library or compatible with scikit-learn.
    step : int or float, default=1
        Number of columns that leave at once, or a fraction of all.
    min_features_to_select : int, default=1
        The smallest number of columns that is tried.
    cv : int, splitter or iterable of pairs, optional
        The folds: their number, 5 by default, or how to split.
    scoring : str, function or None
        A measure of scikit-learn; by default accuracy or R².
    verbose : int, default=0
        No effect: see `aprendiz.training(progress=True)`.
    n_jobs : int, optional
        No effect: folds come one after the other, so that a fit can be interrupted and resumed.
    importance_getter : str or function, default="auto"
        "auto" (`coef_`, else `feature_importances_`), an attribute of the fitted learner, or a function of it.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
        Whether each column stays.
    ranking_ : ndarray of shape (n_features,)
        1 for these; for the others, the later they left the smaller.
    n_features_ : int
    importances_ : ndarray of shape (n_features_,)
        The importance of each column that stays: the root of the sum of its squared coefficients.
    estimator_ : the learner, fitted to these columns
    classes_ : ndarray of shape (n_classes,), of a classifier
    cv_results_ : dict of arrays
        By the number of columns, from the smallest: mean_test_score, std_test_score, n_features, and for each fold k
        split{k}_test_score, split{k}_ranking and split{k}_support.
    n_iter_ : int
        Number of steps of all runs.
    n_features_in_, feature_names_in_
    certificate_ : Certificate
        Whether the importances are those of a new fit.
    """

    differences = {
        "verbose": "no effect: `aprendiz.training(progress=True)` shows a bar",
        "n_jobs": "no effect: folds come one after the other",
    }

    def __init__(
        self,
        estimator: Any,
        *,
        step: Count | Annotated[float, Within(0, 1, above=True)] = 1,
        min_features_to_select: Count = 1,
        cv: Any = None,
        scoring: Any = None,
        verbose: Whole = 0,
        n_jobs: int | None = None,
        importance_getter: str | Callable[..., Any] = "auto",
    ):
        self.estimator = estimator
        self.step = step
        self.importance_getter = importance_getter
        self.cv = cv
        self.scoring = scoring
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.min_features_to_select = min_features_to_select

    def check_size(self, columns: int) -> None:
        if self.min_features_to_select > columns:
            warnings.warn(
                _(
                    "Found min_features_to_select={wanted} > n_features={columns}. There will be no feature selection and all "
                    "features will be kept."
                ).format(wanted=self.min_features_to_select, columns=columns),
                UserWarning,
                stacklevel=6,
            )

    def smallest(self, columns: int) -> int:
        return min(self.min_features_to_select, columns)

    def scorer(self) -> Any:
        usual = "accuracy" if is_classifier(self.estimator) else "r2"
        return get_scorer(usual if self.scoring is None else self.scoring)

    def of_folds(self, state: EliminationState, sizes: list[int]) -> dict[str, Any]:
        """cv_results_, the smallest number of columns first."""
        scores, stages = state.scores[:, ::-1], np.arange(len(sizes))[::-1]
        with np.errstate(invalid="ignore"):  # a score of −∞ has no spread
            found: dict[str, Any] = {"mean_test_score": scores.mean(axis=0), "std_test_score": scores.std(axis=0)}
        rankings = [np.where(left < stages[:, None], 1 + stages[:, None] - left, 1) for left in state.left]
        found |= {f"split{fold}_test_score": score for fold, score in enumerate(scores)}
        found |= {f"split{fold}_ranking": ranking for fold, ranking in enumerate(rankings)}
        found |= {f"split{fold}_support": ranking == 1 for fold, ranking in enumerate(rankings)}
        return {"cv_results_": {**found, "n_features": np.array(sizes[::-1])}}

    def score(self, X: Any, y: Any, **score_params: Any) -> float:
        """The score of the learner in the chosen columns, by `scoring`."""
        refuse_unrouted(self, "score", score_params)
        told = process_routing(self, "score", **score_params).scorer.score if routes_metadata() else {}
        return float(self.scorer()(self, X, y, **told))

    def mapping_of_scorer(self) -> MethodMapping:
        return super().mapping_of_scorer().add(caller="score", callee="score")
