"""Which learner gets which form of a table with text."""

from __future__ import annotations

from typing import Any

from aprendiz.core.columns import Columns

OF_TERMS = (  # learners that take thousands of sparse columns, one for each term
    *("LogisticRegression", "LogisticRegressionCV", "LinearSVC", "LinearSVR", "SGDClassifier", "SGDRegressor"),
    *("Perceptron", "MultinomialNB", "ComplementNB", "BernoulliNB", "NearestCentroid", "SVC", "SVR", "NuSVC", "NuSVR"),
    *("Ridge", "RidgeCV", "Lasso", "LassoCV", "ElasticNet", "ElasticNetCV"),
    *("KNeighborsClassifier", "KNeighborsRegressor", "RadiusNeighborsClassifier", "RadiusNeighborsRegressor"),
)


def takes_terms(learner: Any) -> bool:
    """Does a learner, or the one that it is made around, take a sparse column for each term?"""
    return type(getattr(learner, "estimator", learner)).__name__ in OF_TERMS


def of_kinds(columns: Columns, *kinds: str) -> Columns:
    """The columns of some kinds."""
    return Columns(tuple(column for column in columns if column.kind in kinds))


def without_kinds(columns: Columns, *kinds: str) -> Columns:
    """The columns of all other kinds."""
    return Columns(tuple(column for column in columns if column.kind not in kinds))
