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


def split_text(columns: Columns) -> tuple[Columns, Columns]:
    """The columns that are no text, and those that are."""
    text = [column.kind == "text" for column in columns]
    pairs = list(zip(columns, text, strict=True))
    return Columns(tuple(one for one, yes in pairs if not yes)), Columns(tuple(one for one, yes in pairs if yes))
