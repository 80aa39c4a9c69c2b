"""A learner that is fitted without the outliers of its training rows, and predicts every row.

    fit:      kept = rows of the training set that the filter does not call outliers;  learner.fit(X[kept], y[kept])
    predict:  learner.predict(X) for all rows of X                                                            (1)

A step of a scikit-learn pipeline cannot leave rows out, because it does not see their targets. So the learner is wrapped
instead. Inside the folds of `evaluate` the filter sees the training rows alone, and no test row is ever left out: outliers
among them count in the score, as they will when the model is used.

    make_pipeline(StandardScaler(), DropOutliers(LogisticRegression(), OutlierFilter("mahalanobis")))

Cost: a fit of the filter, and a fit of the learner.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, plain
from aprendiz.preprocessing import OutlierFilter
from aprendiz.preprocessing.shared.some_rows import chosen


def has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "estimator_", self.estimator), name))


class DropOutliers(MetaEstimatorMixin, BaseEstimator):
    """Fit a learner without the outliers of its training rows; predict every row.

    Parameters
    ----------
    estimator : classifier, regressor or clusterer
        What is fitted to the rows that are kept.
    outliers : OutlierFilter, optional
        What finds outliers; by default `OutlierFilter()`. Its `action` does not matter here.

    Attributes
    ----------
    estimator_ : the learner, fitted
    filter_ : OutlierFilter
        Fitted to all training rows.
    outliers_ : OutlierReport
        Which rows were left out, and why.
    kept_ : ndarray of int
        The numbers of the training rows that were kept.
    classes_ : ndarray
        Of a classifier.

    Examples
    --------
    >>> from aprendiz import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [90.0]], [0.0, 1.0, 2.0, 3.0, 0.0]
    >>> model = DropOutliers(LinearRegression(), OutlierFilter("iqr")).fit(X, y)
    >>> model.predict([[90.0]]).round(6).tolist(), model.outliers_.rows.tolist()
    ([90.0], [4])
    """

    def __init__(self, estimator: Any, outliers: OutlierFilter | None = None):
        self.estimator = estimator
        self.outliers = outliers

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the outliers among the rows, and fit the learner to the others."""
        if self.outliers is not None and not isinstance(self.outliers, OutlierFilter):
            raise ParameterError(f"outliers of DropOutliers must be an OutlierFilter, got {self.outliers!r}.")
        rule = OutlierFilter() if self.outliers is None else clone(self.outliers)
        if rule.method == "density" and rule.action == "clip":
            rule.set_params(action="drop")
        kept = rule.fit_kept(X, y, sample_weight)
        if is_classifier(self.estimator) and y is not None:
            refuse_lost_class(as_target(y), kept)
        if not len(kept):
            raise ValueError("Every row is an outlier: none would be left to learn from. Use a larger threshold.")
        weight = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight)[kept]}
        model = clone(self.estimator).fit(chosen(X, kept), *(() if y is None else (chosen(y, kept),)), **weight)
        found = {"estimator_": model, "filter_": rule, "outliers_": rule.outliers_, "kept_": kept}
        found |= {name: getattr(model, name) for name in ("n_features_in_", "feature_names_in_") if hasattr(model, name)}
        self.__dict__.update(found)  # in one step: an interrupt comes before it or after it
        return self

    # ---- the learner, on every row -------------------------------------------------------------------------------------

    @property
    def classes_(self) -> Array:
        """The classes of the learner."""
        check_is_fitted(self)
        return self.estimator_.classes_

    def predict(self, X: Any) -> Array:
        """The predictions of the learner, for every row."""
        check_is_fitted(self)
        return self.estimator_.predict(X)

    @has("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """The probability of each class."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    @has("decision_function")
    def decision_function(self, X: Any) -> Array:
        """The scores of the classes."""
        check_is_fitted(self)
        return self.estimator_.decision_function(X)

    def score(self, X: Any, y: Any) -> float:
        """Accuracy or R², over every row."""
        check_is_fitted(self)
        return float(self.estimator_.score(X, y))

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type, tags.classifier_tags, tags.regressor_tags, tags.target_tags = (
            inner.estimator_type,
            inner.classifier_tags,
            inner.regressor_tags,
            inner.target_tags,
        )
        return tags


def refuse_lost_class(y: Array, kept: Array) -> None:
    """Stop where all rows of a class would be left out: the learner would never predict it. Measurements are no classes."""
    check_classification_targets(y)
    lost = np.setdiff1d(y, y[kept])
    if len(lost):
        raise ValueError(
            f"Every row of class {plain(lost[0])!r} is an outlier: none would be left to learn it. Use a larger threshold, "
            "or OutlierFilter(action='clip') in a pipeline."
        )
