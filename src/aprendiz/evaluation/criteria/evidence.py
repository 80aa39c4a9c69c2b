"""The evidence: the probability of the rows with the parameters integrated out, where prior and likelihood are conjugate.

    p(x) = ∫ p(x | θ) p(θ) dθ                                                                                   (1)

It needs no count of parameters: a rich model spreads its probability over more rows. Here it is known for

    priors of aprendiz.bayes.distributions     p(x) of rows                                                     (2)
    HypothesisSpace                            p(data), a sum over the hypotheses                               (3)
    BernoulliNB, CategoricalNB                 p(x | y) with a Dirichlet prior (α, …, α) in each class and column (4)
    MultinomialNB                              p(x | y) with one such prior over all columns in each class      (5)

(4) and (5) are for the smoothing α of the classifier, whose probabilities are the means of these posteriors; the classes are
given, so their priors play no part.

Reference: MacKay, "Information theory, inference, and learning algorithms", 2003, chapter 28.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from aprendiz.bayes import HypothesisSpace
from aprendiz.bayes.distributions.dirichlet import Dirichlet
from aprendiz.bayes.distributions.label_counts import LabelCounts
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.core.rows import Array
from aprendiz.evaluation.criteria.likelihoods.conditional import dense
from aprendiz.evaluation.criteria.likelihoods.joint import log_arrangements
from aprendiz.evaluation.criteria.likelihoods.labels import label_codes


def evidence(model: Any, X: Any, y: Any = None, *, log: bool = True) -> float:
    """ln p(x), or ln p(x | y), with the parameters integrated out.

    Parameters
    ----------
    model : conjugate prior, HypothesisSpace, or fitted BernoulliNB, CategoricalNB or MultinomialNB
    X, y : rows, and for the classifiers their classes
    log : bool, default=True
        The logarithm; the evidence itself underflows to 0 for many rows.

    Examples
    --------
    >>> from aprendiz.bayes.distributions import Beta
    >>> round(evidence(Beta(1, 1), [1, 1, 1, 0], log=False), 4)  # 1/20
    0.05
    """
    value = log_evidence(model, X, y)
    return value if log else exp(value)


def log_evidence(model: Any, X: Any, y: Any) -> float:
    """(2) to (5)."""
    if isinstance(model, (Prior, HypothesisSpace)):
        return float(model.log_evidence(X))
    name = type(model).__name__
    if name not in ("BernoulliNB", "CategoricalNB", "MultinomialNB") or not hasattr(model, "classes_"):
        raise TypeError(
            f"{name} has no evidence in closed form: give a prior of aprendiz.bayes.distributions, a HypothesisSpace, or a "
            "fitted BernoulliNB, CategoricalNB or MultinomialNB. BIC is near −2 times its logarithm for many rows."
        )
    alpha = np.asarray(model.alpha, dtype=np.float64)
    if not (alpha > 0).all():
        raise ValueError(f"{name} has alpha = {model.alpha!r}: there is no prior to integrate over. Give alpha > 0.")
    table = codes_of(model, X)
    codes = label_codes(model, y, len(table))
    return float(sum(class_evidence(model, name, alpha, table[codes == k]) for k in range(len(model.classes_))))


def codes_of(model: Any, X: Any) -> Array:
    """The cells as the model counts them: 0 and 1, categories, or counts."""
    if type(model).__name__ == "CategoricalNB" and getattr(model, "columns_", None) is not None:
        raise TypeError("The evidence of CategoricalNB is known for columns of codes 0, 1, …: encode the words first.")
    table = dense(X)
    threshold = getattr(model, "binarize", None)
    return table if threshold is None else (table > threshold).astype(np.float64)


def class_evidence(model: Any, name: str, alpha: Array, table: Array) -> float:
    """ln p of the rows of one class."""
    d = table.shape[1]
    if name == "MultinomialNB":
        prior = Dirichlet(np.broadcast_to(alpha, d))
        return prior.log_evidence_of(counted(table.sum(axis=0))) + float(log_arrangements(table).sum())
    sizes = model.n_categories_ if name == "CategoricalNB" else np.full(d, 2)
    columns = zip(np.broadcast_to(alpha, d), sizes, table.T, strict=True)
    return sum(
        Dirichlet(np.full(size, a)).log_evidence_of(counted(np.bincount(column.astype(int), minlength=size)))
        for a, size, column in columns
    )


def counted(counts: Array) -> LabelCounts:
    """Counts of the labels 0, 1, …"""
    return LabelCounts(np.arange(len(counts)), counts.astype(np.float64))
