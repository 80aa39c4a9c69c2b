"""Covariances of the classes by an object of the user, as scikit-learn's `covariance_estimator`.

The object has a method `fit(X)` and then an attribute `covariance_`: those of `sklearn.covariance`, or one's own. A copy of it
is fitted to the rows of each class, so the rows must be in memory, and all at once: no files, no Dask, no `partial_fit`. Since
such objects know no weights, rows with weights are refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.bayes.gaussian.class_moments import ClassMoments, ClassRows
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory


def with_estimates(record: ClassMoments | ClassRows, rows: Rows, estimator: Any) -> ClassMoments | ClassRows:
    """The record with the covariance of each class that the estimator finds."""
    if not in_memory(rows):
        raise ValueError(
            "covariance_estimator is fitted to all rows of a class at once, which needs a table in memory: give shrinkage "
            "instead, or load the rows first."
        )
    if rows.weight is not None:
        raise ValueError("covariance_estimator knows no weights: give shrinkage instead, or leave sample_weight out.")
    found = [covariance_by(estimator, rows.X[rows.y == k]) for k in range(len(record.labels))]
    return replace(record, estimates=np.stack(found))


def covariance_by(estimator: Any, X: Array) -> Array:
    """The covariance that a copy of the estimator finds for some rows."""
    name, one, d = type(estimator).__name__, clone(estimator, safe=False), X.shape[1]
    one.fit(X)
    if not hasattr(one, "covariance_"):
        raise ValueError(f"{name} does not have a covariance_ attribute after fit: give an estimator of covariances.")
    found = np.atleast_2d(np.asarray(one.covariance_, dtype=float))
    if found.shape != (d, d) or not np.isfinite(found).all():
        raise ValueError(f"covariance_ of {name} must hold {d} × {d} finite numbers, got an array of shape {found.shape}.")
    return (found + found.T) / 2.0


def estimates_of(record: ClassMoments | ClassRows) -> Array:
    """The covariances found before, which records that were added no longer have."""
    if record.estimates is None:
        raise ValueError(
            "covariance_estimator looks at all rows of a class at once, so it is not available to partial_fit: give shrinkage."
        )
    return record.estimates


def refuse_combinations(learner: Any) -> None:
    """What cannot go together, for learners with `solver`, `shrinkage` and `covariance_estimator`."""
    estimator = learner.covariance_estimator
    if estimator is not None and not hasattr(estimator, "fit"):
        raise ParameterError(
            f"covariance_estimator of {type(learner).__name__} must be an object with a method fit, or None, got {estimator!r}."
        )
    if estimator is not None and learner.solver == "svd":
        raise ValueError("covariance_estimator is not supported with solver='svd': use solver='eigen'.")
    if estimator is not None and learner.shrinkage:
        raise ValueError(
            "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set: leave out the other."
        )
    if learner.solver == "svd" and learner.shrinkage is not None:
        raise NotImplementedError("shrinkage not supported with 'svd' solver: use solver='eigen'.")
