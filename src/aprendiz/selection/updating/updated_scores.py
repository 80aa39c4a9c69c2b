"""The scores on inner folds of all sets that are one column away, for the learners that need no new fit.

    LinearRegression, Ridge, LinearDiscriminantAnalysis          second moments, swept          (swept_models.py)
    GaussianNB, CategoricalNB                                    terms that add                  (independent_models.py)
    LogisticRegression of this library, two classes, where columns only leave                    (shrinking_logistic.py)

of this library or of scikit-learn, alone or in a pipeline after a StandardScaler, which standardises by the training rows of
each fold, with the parameters for which the answer is that of a new fit but for rounding. (Of more than two classes,
scikit-learn's discriminants leave out directions in which the means differ 10⁴ times less than in another: here they count.)
For every other learner `updated_models` gives None: it is fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from aprendiz.bayes.gaussian.class_spread import ClassSpread, pivots_of_classes
from aprendiz.bayes.naive.independent_columns import checked_priors
from aprendiz.core.rows import Array, Block
from aprendiz.selection.updating.fold_model import FoldModel
from aprendiz.selection.updating.independent_models import GaussianModel, IndependentModel
from aprendiz.selection.updating.scores_of_answers import score_classes, score_numbers
from aprendiz.selection.updating.shrinking_logistic import ShrinkingLogistic
from aprendiz.selection.updating.sums_of_groups import SumsOfGroups
from aprendiz.selection.updating.swept_models import DiscriminantModel, RegressionModel

CELLS = 2**20  # of the answers for some columns, at once: 8 MiB
MOST_TERMS = 2**25  # of all columns, rows and classes, where they are kept: 256 MiB
MOST_SHRINKING = 512  # columns of logistic regression: more make an inverse that costs more than fits
LARGEST = 1e140  # cells whose squares, added, are numbers
ROUNDING = 1e-12  # of scores that are no shares of rows: smaller differences are none


@dataclass(frozen=True)
class FoldData:
    """What the folds are made of: numbers, the target (of classes their numbers, with labels), weights, and the splits."""

    X: Array
    y: Array
    labels: Array | None
    weight: Array | None
    splits: Sequence[tuple[Array, Array]]


@dataclass
class UpdatedScores:
    """The models of all folds, at the same set of columns, and the scores of their answers."""

    models: list[FoldModel]
    data: FoldData
    score: Callable[[Array, Array], Array]
    rounding: float

    def go(self, start: Array, flips: Sequence[int]) -> None:
        """Go to a set of columns, by the name of the place (fold_model.py)."""
        for model in self.models:
            model.go(start, flips)

    def flipped(self, columns: Array) -> Array:
        """The scores with each of the columns flipped, columns × folds; NaN where digits would be lost, or the measure fails:
        there a fit will say why."""
        found = np.full((len(columns), len(self.models)), np.nan)
        for fold, (model, (_, test)) in enumerate(zip(self.models, self.data.splits, strict=True)):
            some = np.flatnonzero(model.answered(columns))
            step = max(1, CELLS // (len(test) * (1 if self.data.labels is None else len(self.data.labels))))
            for start in range(0, len(some), step):
                part = some[start : start + step]
                with suppress(ValueError):
                    found[part, fold] = self.score(model.flipped(columns[part]), self.data.y[test])
        found[np.isnan(found).any(axis=1)] = np.nan
        return found

    def here(self) -> Array:
        """The scores of the folds at this set; NaN where digits are lost, or the measure fails."""
        found = np.full(len(self.models), np.nan)
        for fold in range(len(found)):
            with suppress(ValueError):
                found[fold] = self.score_of(fold)
        return found

    def score_of(self, fold: int) -> float:
        """The score of one fold at the set where its model is."""
        answer, test = self.models[fold].answer(), self.data.splits[fold][1]
        return float("nan") if answer is None else float(self.score(answer[:, None], self.data.y[test])[0])


def updated_scores(
    estimator: Any, data: FoldData, scoring: Any, scorer: Any, *, shrinking: bool = False
) -> UpdatedScores | None:
    """For a learner that needs no new fits, perhaps only because the sets are `shrinking`; None for any other, and for measures
    that may look into the learner."""
    if not (scoring is None or isinstance(scoring, str)):
        return None
    models = updated_models(estimator, data, shrinking=shrinking)
    if models is None:
        return None
    score = partial(score_numbers, scoring, scorer)
    if data.labels is not None:
        score = partial(score_classes_of, scoring, scorer, data.labels)
    counts = data.labels is not None and scoring in (None, "accuracy")
    return UpdatedScores(models, data, score, 0.0 if counts else ROUNDING)


def score_classes_of(scoring: Any, scorer: Any, labels: Array, answers: Array, codes: Array) -> Array:
    return score_classes(scoring, scorer, answers, codes, labels)


def updated_models(estimator: Any, data: FoldData, *, shrinking: bool = False) -> list[FoldModel] | None:
    """The model of each fold, for the learners of the header."""
    learner, scaled = last_of(estimator)
    kind = type(learner)
    known = (KINDS | OF_SHRINKING_SETS if shrinking else KINDS).get(kind.__name__)
    if known is None or kind.__module__.split(".")[0] not in ("aprendiz", "sklearn") or data.y.ndim != 1:
        return None
    if (data.labels is not None) != (known in OF_CLASSES):
        return None
    if data.labels is not None and any(not holds_all(data, train) for train, _ in data.splits):
        return None
    return known(learner, data, Origin(kind.__module__.startswith("aprendiz"), scaled))


@dataclass(frozen=True)
class Origin:
    """Whether a learner is of this library, and whether its columns are standardised before."""

    own: bool
    scaled: bool


def last_of(estimator: Any) -> tuple[Any, bool]:
    """The learner, and whether a StandardScaler with its usual parameters stands before it in a pipeline."""
    if not (isinstance(estimator, Pipeline) and len(estimator.steps) == 2):
        return estimator, False
    scaler, learner = (step for _, step in estimator.steps)
    usual = type(scaler).__name__ == "StandardScaler" and scaler.with_mean and scaler.with_std
    return (learner, True) if usual else (estimator, False)


def holds_all(data: FoldData, rows: Array) -> bool:
    """Has every class some weight in these rows?"""
    assert data.labels is not None
    weight = None if data.weight is None else data.weight[rows]
    return bool((np.bincount(data.y[rows], weight, len(data.labels)) > 0).all())


def in_range(X: Array) -> bool:
    """Are there squares of all cells, and are none of them missing?"""
    return bool(float(np.abs(X).max()) < LARGEST)  # not, if one is missing


# ---- second moments ------------------------------------------------------------------------------------------------------


def regression_models(estimator: Any, data: FoldData, origin: Origin) -> list[FoldModel] | None:
    """Least squares, and ridge regression with one penalty."""
    told = estimator.get_params()
    alpha = told.get("alpha", 0.0)
    if not (solves_directly(told, origin.own) and isinstance(alpha, Real) and 0.0 <= float(alpha) < LARGEST):
        return None
    if not (in_range(data.X) and in_range(data.y)) or (origin.scaled and not told["fit_intercept"]):
        return None
    table = np.column_stack([data.X, data.y]).astype(np.float64)
    groups = np.zeros(len(table), np.intp)
    sums = SumsOfGroups(table, groups, 1, data.weight, data.splits, centre=bool(told["fit_intercept"]))
    tests = [table[test, :-1] for _, test in data.splits]
    return [RegressionModel(sums, fold, X, float(alpha), origin.scaled) for fold, X in enumerate(tests)]


def solves_directly(told: Mapping[str, Any], own: bool) -> bool:
    """Is the answer that of the equations, for any solver that was asked for?"""
    if told["positive"] or told.get("budget") is not None:
        return False
    if "alpha" in told:
        return own or told["solver"] in ("auto", "svd", "cholesky")
    return told.get("solver", "auto") in ("auto", "normal", "qr", "svd")


def discriminant_models(estimator: Any, data: FoldData, origin: Origin) -> list[FoldModel] | None:
    """Linear discriminants without shrinkage."""
    told = estimator.get_params()
    plain = told["shrinkage"] is None and told["covariance_estimator"] is None and told["tol"] <= 1e-4
    if not (plain and in_range(data.X) and (told["priors"] is None or told["solver"] == "svd")):
        return None
    assert data.labels is not None
    X = data.X.astype(np.float64)
    sums = SumsOfGroups(X, data.y, len(data.labels), data.weight, data.splits)
    models = list[FoldModel]()
    for fold, (_, test) in enumerate(data.splits):
        total = sums.total[fold]
        priors = total / total.sum() if told["priors"] is None else np.asarray(told["priors"], dtype=float)
        if priors.shape != total.shape or not (priors > 0).all():
            return None
        priors, weight = priors / priors.sum(), float(total.sum())
        models.append(DiscriminantModel(sums, fold, X[test], priors, weight, told["solver"]))
    return models


# ---- naive Bayes -----------------------------------------------------------------------------------------------------------


def gaussian_models(estimator: Any, data: FoldData, origin: Origin) -> list[FoldModel] | None:
    """Normal columns. Missing cells count as nothing, where the learner allows them."""
    assert data.labels is not None
    told, X = estimator.get_params(), np.ascontiguousarray(data.X)
    if not (float(np.nanmax(np.abs(X), initial=0.0)) < LARGEST and (origin.own or not np.isnan(X).any())):
        return None
    everywhere = np.nan_to_num(X[:100]).mean(axis=0).astype(np.float64)
    pivot = pivots_of_classes(everywhere, len(data.labels), Block(X, data.y, None, 0))
    models = list[FoldModel]()
    for train, test in data.splits:
        weight = None if data.weight is None else data.weight[train]
        record = ClassSpread.of(data.labels, pivot, Block(X[train], data.y[train], weight, 0))
        all_mean, all_variance = record.pool()
        known = record.spread.weight > 0
        means, variances = np.where(known, record.means, all_mean), np.where(known, record.variance, all_variance)
        log_priors = log_of(checked_priors(told["priors"], data.labels, record.total))
        middle, unit = (all_mean, unit_of(all_variance)) if origin.scaled else (0.0, 1.0)
        means, variances, table = (means - middle) / unit, variances / unit**2, (X[test] - middle) / unit
        part = float(told["var_smoothing"])
        models.append(GaussianModel(table, means, variances, all_variance / unit**2, log_priors, part))
    return models


def categorical_models(estimator: Any, data: FoldData, origin: Origin) -> list[FoldModel] | None:
    """Columns of codes, of which the test rows hold none that the training rows do not know."""
    assert data.labels is not None
    n, d = data.X.shape
    if origin.scaled or n * d * len(data.labels) > MOST_TERMS or not in_range(data.X):
        return None
    if (data.X < 0).any() or (data.X % 1 != 0).any():
        return None
    codes, models = data.X.astype(np.intp), list[FoldModel]()
    for train, test in data.splits:
        told = {} if data.weight is None else {"sample_weight": data.weight[train]}
        model = clone(estimator).fit(data.X[train], data.y[train], **told)
        tables = model.feature_log_prob_
        if any(codes[test, j].max() >= table.shape[1] or not np.isfinite(table).all() for j, table in enumerate(tables)):
            return None
        terms = np.stack([table[:, codes[test, j]].T for j, table in enumerate(tables)], axis=1)
        models.append(IndependentModel(terms, np.asarray(model.class_log_prior_, dtype=float)))
    return models


# ---- sets from which columns only leave ----------------------------------------------------------------------------------


def logistic_models(estimator: Any, data: FoldData, origin: Origin) -> list[FoldModel] | None:
    """Logistic regression of two classes with a quadratic penalty, as Newton's method fits it."""
    told, d = estimator.get_params(), data.X.shape[1]
    if not (origin.own and not origin.scaled and data.labels is not None and len(data.labels) == 2 and d < MOST_SHRINKING):
        return None
    if data.X.dtype == np.float32 or not in_range(data.X) or not fits_to_the_end(told):
        return None
    X, alpha, models = data.X.astype(np.float64), 1.0 / float(told["C"]), list[FoldModel]()
    for train, test in data.splits:
        weight = np.ones(len(train)) if data.weight is None else np.asarray(data.weight[train], dtype=float)
        model = ShrinkingLogistic(X[train], data.y[train], weight, X[test], alpha, bool(told["fit_intercept"]))
        models.append(model)
    return models


def fits_to_the_end(told: Mapping[str, Any]) -> bool:
    """Is the answer of logistic regression the minimum, and are there no zeros among the coefficients?"""
    usual = {"loss": "log", "budget": None, "class_weight": None, "dual": False, "intercept_scaling": 1, "n_jobs": None}
    plain = all(told[name] == value for name, value in usual.items()) and told["solver"] not in ("gd", "sgd")
    shrinks = told["penalty"] in ("deprecated", "l2") and told["l1_ratio"] == 0.0
    return bool(plain and shrinks and told["max_iter"] >= 100 and isinstance(told["C"], Real) and 1e-6 < float(told["C"]) < 1e6)


def unit_of(variance: Array) -> Array:
    """Deviations; 1 where nothing varies."""
    return np.where(variance > 0, np.sqrt(variance), 1.0)


def log_of(priors: Array) -> Array:
    """log π."""
    with np.errstate(divide="ignore"):
        return np.log(priors)


KINDS: dict[str, Callable[[Any, FoldData, Origin], list[FoldModel] | None]] = {
    "LinearRegression": regression_models,
    "Ridge": regression_models,
    "LinearDiscriminantAnalysis": discriminant_models,
    "GaussianNB": gaussian_models,
    "CategoricalNB": categorical_models,
}
OF_SHRINKING_SETS = {"LogisticRegression": logistic_models}
OF_CLASSES = {discriminant_models, gaussian_models, categorical_models, logistic_models}
