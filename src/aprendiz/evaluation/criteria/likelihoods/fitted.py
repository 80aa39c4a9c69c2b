"""The likelihood of whatever was fitted: which kind of model it is decides."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.distributions.family import Family
from aprendiz.cluster import GaussianMixture, MixtureModel
from aprendiz.evaluation.criteria.likelihoods import conditional, joint
from aprendiz.evaluation.criteria.likelihoods.likelihood import Likelihood

REGRESSIONS = conditional.LEAST_SQUARES + conditional.RIDGE + conditional.SPARSE
MIXTURES = ("GaussianMixture", "MixtureModel")


def likelihood_of(model: Any, X: Any, y: Any = None) -> Likelihood:
    """ln L and the parameters of a fitted model for some rows; of a pipeline, those of its last step."""
    if isinstance(model, Pipeline):
        return likelihood_of(model[-1], prepared(model, X), y)
    name = checked_name(model)
    if isinstance(model, Family):
        return Likelihood(model.log_likelihood(X), len(np.asarray(X)), model.n_parameters, ("rows",))
    if name in REGRESSIONS:
        return conditional.of_regression(model, X, y)
    if name in conditional.LOGISTIC:
        return conditional.of_logistic(model, X, y)
    if name in MIXTURES:
        densities = np.asarray(model.score_samples(X))
        return Likelihood(float(densities.sum()), len(densities), parameters_of(model), ("rows",))
    return joint.of_joint(model, X, y)


def parameters_of(model: Any, X: Any = None, *, priors: bool = True) -> float:
    """How many numbers were fitted."""
    if isinstance(model, Pipeline):
        return parameters_of(model[-1], None if X is None else prepared(model, X), priors=priors)
    name = checked_name(model)
    if isinstance(model, Family):
        return model.n_parameters
    if name in REGRESSIONS:
        return conditional.regression_parameters(model, X)
    if name in conditional.LOGISTIC:
        return conditional.logistic_parameters(model)
    if name in MIXTURES:
        return int(model.n_parameters_)
    return joint.joint_parameters(model, priors)


def prepared(pipeline: Any, X: Any) -> Any:
    """The table that the last step saw. What was learned in the steps before is not counted, and p(x) of a table that was made
    from X is not p(x) of X: only regressions, of y, stand at the end."""
    name = type(pipeline[-1]).__name__
    if name not in REGRESSIONS + conditional.LOGISTIC:
        raise TypeError(
            f"A pipeline that ends in {name} gives the density of what the steps before it made, not of X: fit it to X."
        )
    return pipeline[:-1].transform(X) if len(pipeline) > 1 else X


def checked_name(model: Any) -> str:
    """The name of a fitted model that has a likelihood."""
    if isinstance(model, Family):
        return type(model).__name__
    name = type(model).__name__
    known = name in REGRESSIONS + conditional.LOGISTIC
    known |= name in MIXTURES and isinstance(model, (GaussianMixture, MixtureModel))
    known |= name in joint.DISCRIMINANTS + joint.NAIVE and hasattr(type(model), "predict_joint_log_proba")
    if not known:
        raise TypeError(
            f"{name} has no likelihood that is known here: give a regression, a logistic regression, a discriminant, a naive "
            "Bayes classifier, a mixture or a distribution."
        )
    check_is_fitted(model)
    return name


def fit_of(model: Any, X: Any, y: Any = None) -> Likelihood:
    """The likelihood of the rows of the fit. Where the model tells how many they were, others are refused: the parameters are
    the price of having been fitted to the rows, and of other rows nothing has to be paid."""
    found = likelihood_of(model, X, y)
    weight = weight_of_fit(model[-1] if isinstance(model, Pipeline) else model)
    if weight is not None and abs(weight - found.rows) > 1e-9 * found.rows:
        raise ValueError(
            f"{type(model).__name__} was fitted to rows of weight {weight:g}, X has {found.rows}: criteria need the rows of "
            "the fit, without weights. For other rows use log_likelihood."
        )
    return found


def weight_of_fit(model: Any) -> float | None:
    """The number of rows of the fit, or their weight, if the model tells."""
    if hasattr(model, "class_count_"):
        return float(np.sum(model.class_count_))
    weight = getattr(getattr(model, "sums_", None), "weight", None)
    return None if weight is None else float(np.sum(weight))
