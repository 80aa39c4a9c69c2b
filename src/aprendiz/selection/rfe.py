"""Recursive feature elimination to a given number of columns, as scikit-learn has it (search/elimination.py)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from sklearn.utils.metadata_routing import MetadataRouter, process_routing

from aprendiz.core.parameters import Count, Whole, Within
from aprendiz.core.routing import routes_metadata
from aprendiz.locale import _
from aprendiz.selection.search.elimination import Elimination
from aprendiz.selection.search.wrapper import Told, wanted_columns

Share = Annotated[float, Within(0, 1, above=True)]


class RFE(Elimination):
    """Elimination of the least important columns (drop-in for scikit-learn's; budgets, Ctrl-C, going on, updating).

    Parameters
    ----------
    estimator : learner
        With `coef_` or `feature_importances_`, of this library or compatible with scikit-learn.
    n_features_to_select : int or float, optional
        Number of columns that stay, or a fraction of them; by default half.
    step : int or float, default=1
        Number of columns that leave at once, or a fraction of all.
    verbose : int, default=0
        No effect: see `aprendiz.training(progress=True)`.
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
    n_iter_ : int
        Number of steps.
    n_features_in_, feature_names_in_
    certificate_ : Certificate
        Whether the importances are those of a new fit.
    """

    differences = {"verbose": "no effect: `aprendiz.training(progress=True)` shows a bar"}

    def __init__(
        self,
        estimator: Any,
        *,
        n_features_to_select: Count | Share | None = None,
        step: Count | Annotated[float, Within(0, 1, above=True)] = 1,
        verbose: Whole = 0,
        importance_getter: str | Callable[..., Any] = "auto",
    ):
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.importance_getter = importance_getter
        self.verbose = verbose

    @property
    def by_folds(self) -> bool:
        return False

    def check_size(self, columns: int) -> None:
        wanted = self.smallest(columns)
        if wanted > columns:
            warnings.warn(
                _(
                    "Found n_features_to_select={wanted} > n_features={columns}. There will be no feature selection and all "
                    "features will be kept."
                ).format(wanted=wanted, columns=columns),
                UserWarning,
                stacklevel=6,
            )

    def smallest(self, columns: int) -> int:
        wanted = self.n_features_to_select
        return columns // 2 if wanted is None else wanted_columns(wanted, columns)

    def route(self, params: Mapping[str, Any]) -> Told:
        if routes_metadata():
            return Told(dict(process_routing(self, "fit", **params).estimator.fit))
        return Told({name: value for name, value in params.items() if value is not None})

    def get_metadata_routing(self) -> MetadataRouter:
        """What is routed to the estimator."""
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=self.mapping_of_estimator())
