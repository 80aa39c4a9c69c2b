"""Selection by the importances of a fitted learner: its coefficients, or its own measure.

    keep j  if  ‖w_j‖ ≥ threshold,   and j is among the `max_features` of largest ‖w_j‖                       (1)

‖·‖ is a norm over the classes or targets. Importances of columns of different units cannot be compared: scale them first.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from copy import deepcopy
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.frames import as_frame
from aprendiz.core.inputs import is_read_in_blocks, note_columns
from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.routing import routes_metadata
from aprendiz.core.rows import Array, Rows
from aprendiz.locale import _
from aprendiz.selection.importances.importance_threshold import norms, threshold_of
from aprendiz.selection.keeping.evidence import clear_cut
from aprendiz.selection.keeping.order import best_first, ranks
from aprendiz.selection.search.wrapper import Allowed, refuse_no_estimator
from aprendiz.selection.shared.feature_importances import raw_importances
from aprendiz.selection.shared.selector import Selector


def learns_in_parts(selector: Any) -> bool:
    """Whether the estimator has `partial_fit`, for `available_if`."""
    getattr(getattr(selector, "estimator_", selector.estimator), "partial_fit")  # noqa: B009  says what is missing
    return True


class SelectFromModel(MetaEstimatorMixin, Selector):
    """Selection by importances (drop-in for scikit-learn's; the order of the columns and how clear the choice is, too).

    Parameters
    ----------
    estimator : learner
        With `coef_` or `feature_importances_` once it is fitted, of this library or compatible with scikit-learn.
    threshold : str or float, optional
        The importance from which a column is kept: a number, "mean", "median", or a multiple such as "1.25*mean". None is 1e-5
        for learners that make coefficients zero, and "mean" for others.
    prefit : bool, default=False
        Whether the estimator is fitted already.
    norm_order : int but not 0, inf or -inf, default=1
        The norm over classes or targets.
    max_features : int or function of X, optional
        How many columns are kept at most. With threshold=-np.inf, just as many.
    importance_getter : str or function, default="auto"
        "auto" (`coef_`, else `feature_importances_`), an attribute of the fitted learner with a path to it, or a function of
        the learner.

    Attributes
    ----------
    estimator_ : the fitted learner
    threshold_ : float
    max_features_ : int, if `max_features` is given
    scores_ : ndarray of shape (n_features,)
        The importances.
    ranking_ : ndarray of shape (n_features,)
        1 for the most important column; equal columns share a place.
    order_ : ndarray
        The kept columns, the most important first.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    n_features_in_, feature_names_in_
    certificate_ : Certificate
        How clear the choice is: the last importance that is kept, and the next one.

    Examples
    --------
    >>> from aprendiz import LogisticRegression
    >>> X = [[0.87, -1.34, 0.31], [-2.79, -0.02, -0.85], [-1.34, -0.48, -2.55], [1.92, 1.48, 0.65]]
    >>> SelectFromModel(LogisticRegression()).fit(X, [0, 1, 0, 1]).get_support()
    array([False,  True, False])
    """

    allows = Allowed()
    differences = {
        "estimator": "another form: infinity is refused even where a cell may be missing; least squares has partial_fit",
    }

    def __init__(
        self,
        estimator: Any,
        *,
        threshold: str | float | None = None,
        prefit: bool = False,
        norm_order: float = 1,
        max_features: Any = None,
        importance_getter: str | Callable[..., Any] = "auto",
    ):
        self.estimator = estimator
        self.threshold = threshold
        self.prefit = prefit
        self.importance_getter = importance_getter
        self.norm_order = norm_order
        self.max_features = max_features

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Fit the estimator, and choose. `params` go to its fit. Returns the selector itself."""
        most = self.checked(X)
        if self.prefit:
            return self.noted_of(X, most, self.fitted_before())
        model = clone(self.estimator)
        model.fit(X, y, **self.told("fit", params))
        return self.noted_of(X, most, model)

    @available_if(learns_in_parts)
    def partial_fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Fit the estimator to more rows, and choose. `params` go to its partial_fit. Returns the selector itself."""
        first = not hasattr(self, "estimator_")
        most = self.checked(X) if first else {}
        if self.prefit:
            return self.noted_of(X, most, self.fitted_before()) if first else self
        model = clone(self.estimator) if first else self.estimator_
        model.partial_fit(X, y, **self.told("partial_fit", params))
        return self.noted_of(X, most, model)

    def told(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the estimator is told beside X and y."""
        if not routes_metadata():
            return params
        return dict(process_routing(self, method, **params).estimator[method])

    def fitted_before(self) -> Any:
        """A copy of the estimator, which must be fitted."""
        self.refuse_unfitted()
        return deepcopy(self.estimator)

    def refuse_unfitted(self) -> None:
        try:
            check_is_fitted(self.estimator)
        except NotFittedError as error:
            raise NotFittedError(
                "When `prefit=True`, `estimator` is expected to be a fitted estimator: fit it first, or leave prefit out."
            ) from error

    def checked(self, X: Any) -> dict[str, Any]:
        """Parameters that make sense, and the largest number of columns."""
        check_parameters(self)
        refuse_no_estimator(self.estimator)
        order = self.norm_order
        if order == 0 or not (isinstance(order, Integral) or np.isinf(order)):
            raise ParameterError(f"norm_order must be a whole number but 0, inf or -inf, got {order!r}.")
        if self.max_features is None:
            return {}
        most = self.max_features(X) if callable(self.max_features) else self.max_features
        if not isinstance(most, Integral) or isinstance(most, (bool, np.bool_)):
            raise ParameterError(
                f"max_features must be an instance of int, or a function of X that gives one, not {type(most).__name__}."
            )
        if most < 0:
            raise ParameterError(f"max_features == {most}, must be >= 0.")
        return {"max_features_": int(most)}

    def noted_of(self, X: Any, most: Mapping[str, Any], model: Any) -> Self:
        """Keep the fitted estimator, and what it noted of the columns."""
        frame = None if is_read_in_blocks(X) else as_frame(X)  # what is read in blocks was named by the learner
        names = X.names if isinstance(X, Rows) else None if frame is None else list(frame.columns)
        count = getattr(model, "n_features_in_", None) or len(raw_importances(model, self.importance_getter).T)
        noted = note_columns(self, X, count, names, reset=True)
        noted["feature_names_in_"] = getattr(model, "feature_names_in_", noted["feature_names_in_"])
        return self.settle({**noted, **most, "columns_": getattr(model, "columns_", None), "estimator_": model})

    # ---- what follows --------------------------------------------------------------------------------------------------

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The names of the kept columns. A learner that was fitted before does not say how many there were: `fit` does."""
        if not hasattr(self, "n_features_in_"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using "
                "this estimator."
            )
        return np.asarray(super().get_feature_names_out(input_features))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_") or self.prefit

    @property
    def scores_(self) -> Array:
        """The importances."""
        if self.prefit and not hasattr(self, "estimator_"):
            self.refuse_unfitted()
        model = getattr(self, "estimator_", None)
        if model is None and not self.prefit:
            raise AttributeError(f"This {type(self).__name__} is not fitted: call fit first.")
        return norms(raw_importances(self.estimator if model is None else model, self.importance_getter), self.norm_order)

    @property
    def threshold_(self) -> float:
        """The importance from which columns are kept."""
        return threshold_of(self.threshold, self.scores_, getattr(self, "estimator_", self.estimator))

    @property
    def support_(self) -> Array:  # type: ignore[override]
        """(1)."""
        scores = self.scores_
        kept = ~(scores < threshold_of(self.threshold, scores, getattr(self, "estimator_", self.estimator)))
        most = getattr(self, "max_features_", self.max_features)
        if most is None:
            return kept
        if callable(most):
            raise NotFittedError("When `prefit=True` and `max_features` is a callable, call `fit` before calling `transform`.")
        if not isinstance(most, Integral):
            raise ParameterError(f"`max_features` must be an integer. Got `max_features={most}` instead.")
        best = np.zeros(len(scores), dtype=bool)
        best[np.argsort(-scores, kind="stable")[:most]] = True
        return kept & best

    @property
    def ranking_(self) -> Array:
        """The place of each column."""
        return ranks(self.scores_)

    @property
    def order_(self) -> Array:
        """The kept columns, the most important first."""
        order = best_first(self.scores_)
        return order[self.support_[order]]

    @property
    def certificate_(self) -> Certificate:
        """How clear the choice is."""
        return clear_cut(self.scores_, None, self.support_)

    def warn_of_nothing(self) -> None:
        scores = self.scores_
        words = _(
            "No features were selected: the largest importance is {largest}, the threshold {threshold}, at most {most} columns "
            "are kept. Lower the threshold or raise max_features."
        )
        most = getattr(self, "max_features_", len(scores))
        shown = {"largest": f"{scores.max(initial=0.0):.6g}", "threshold": f"{self.threshold_:.6g}", "most": most}
        warnings.warn(words.format(**shown), UserWarning, stacklevel=3)

    def get_metadata_routing(self) -> MetadataRouter:
        """What is routed to the estimator."""
        mapping = MethodMapping().add(caller="partial_fit", callee="partial_fit").add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags, base = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags.sparse, tags.input_tags.allow_nan = base.input_tags.sparse, base.input_tags.allow_nan
        tags.target_tags.required = base.target_tags.required
        return tags
