"""p(x, y): generative classifiers.

    ln L = Σ ln P(y_i, x_i),     P(k, x) = π_k·p(x | k)                                                         (1)

Parameters, with K classes and d columns, without priors; K − 1 priors are counted where they are the shares of the rows:

    discriminants       as `n_parameters_` says (and σ² of the nearest mean, which decides nothing, but is in the density)
    Gaussian NB         2Kd
    Bernoulli NB        Kd
    categorical NB      K·Σ_j (L_j − 1)
    multinomial NB      K(d − 1)
    mixed naive Bayes   K times `n_parameters_`, the numbers of a class                                         (2)

Multinomial naive Bayes gives the counts of a row their multinomial coefficient, so that (1) is the probability of the counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from aprendiz.core.rows import Array
from aprendiz.evaluation.criteria.likelihoods.conditional import dense
from aprendiz.evaluation.criteria.likelihoods.labels import label_codes
from aprendiz.evaluation.criteria.likelihoods.likelihood import Likelihood

DISCRIMINANTS = (
    "QuadraticDiscriminantAnalysis",
    "RegularizedDiscriminantAnalysis",
    "LinearDiscriminantAnalysis",
    "DiagonalDiscriminantAnalysis",
    "NearestMean",
    "NearestShrunkenCentroids",
)
NAIVE = ("GaussianNB", "BernoulliNB", "CategoricalNB", "MultinomialNB", "NaiveBayes")
PULLED = ("RegularizedDiscriminantAnalysis", "NearestShrunkenCentroids")


def of_joint(model: Any, X: Any, y: Any) -> Likelihood:
    """(1)."""
    logs = np.asarray(model.predict_joint_log_proba(X))
    codes = label_codes(model, y, len(logs))
    value = float(logs[np.arange(len(logs)), codes].sum())
    if type(model).__name__ == "MultinomialNB":
        value += float(log_arrangements(dense(X)).sum())
    parameters = joint_parameters(model, priors=True)
    return Likelihood(value, len(logs), parameters, event_of(model, X), "penalised" if is_smoothed(model) else "")


def log_arrangements(counts: Array) -> Array:
    """ln of the multinomial coefficient of each row."""
    return gammaln(counts.sum(axis=1) + 1.0) - gammaln(counts + 1.0).sum(axis=1)


def event_of(model: Any, X: Any) -> tuple[str, ...]:
    """Densities (d) or probabilities (m), column by column."""
    name, d = type(model).__name__, int(model.n_features_in_)
    if name == "MultinomialNB":
        return ("counts",)
    if name == "BernoulliNB":
        table = dense(X)
        return ("joint", "m" * d) if ((table == 0) | (table == 1)).all() else ("answers",)
    if name == "NaiveBayes":
        return ("joint", "".join("d" if family == "gaussian" else "m" for family in model.families_))
    return ("joint", ("m" if name == "CategoricalNB" else "d") * d)


def is_smoothed(model: Any) -> bool:
    """Whether the parameters are other than those of the largest likelihood."""
    name = type(model).__name__
    if name in ("BernoulliNB", "CategoricalNB", "MultinomialNB"):
        return bool(np.max(model.alpha) > 0)
    if name == "NaiveBayes":
        return bool(model.estimate != "ml")
    return name in PULLED or getattr(model, "shrinkage", None) is not None


def joint_parameters(model: Any, priors: bool) -> int:
    """(2), with the priors that were estimated if they are asked for."""
    K, name = len(model.classes_), type(model).__name__
    own = own_parameters(model, name, K)
    if not priors:
        return own
    hidden = name == "NearestMean" and own == model.means_.size  # σ², which equal priors do not need
    return own + (K - 1) * estimates_priors(model) + hidden


def own_parameters(model: Any, name: str, K: int) -> int:
    d = int(model.n_features_in_)
    if name in DISCRIMINANTS:
        return int(model.n_parameters_)
    return {
        "GaussianNB": lambda: 2 * K * d,
        "BernoulliNB": lambda: K * d,
        "CategoricalNB": lambda: K * int(np.sum(np.asarray(model.n_categories_) - 1)),
        "MultinomialNB": lambda: K * (d - 1),
        "NaiveBayes": lambda: K * int(model.n_parameters_),
    }[name]()


def estimates_priors(model: Any) -> bool:
    """Whether the priors are the shares of the classes."""
    if hasattr(model, "fit_prior"):
        return bool(model.fit_prior) and model.class_prior is None
    given = model.priors
    return given is None or (isinstance(given, str) and given == "shares")
