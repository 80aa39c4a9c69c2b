"""Bayes error: the error of the best rule there is, when the distribution of the classes is known.

    L* = 1 − ∫ max_k π_k f_k(x) dx = E[1 − max_k p(k | X)],     two classes: E[min(η(X), 1 − η(X))]          (1)

where η(x) = p(2 | x). No rule errs less, and L* ≤ 1 − max_k π_k, the error of the constant rule. On a line (1) is the mass
under the lower joint densities between the frontiers (joint_densities.py). In more dimensions it is a mean over drawn rows,

    L̂ = Σ_k π_k·mean over draws of class k of (1 − max p),     interval L̂ ± z·√(Σ_k π_k² s_k²/n_k)           (2)

of which each draw says more than whether one prediction was right.

Reference: Devroye, Györfi & Lugosi, "A probabilistic theory of pattern recognition", 1996, chapter 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

from aprendiz.bayes.decision.joint_densities import JointDensities, is_discrete, log_density, posterior_at, priors_of, quantiles
from aprendiz.bayes.decision.probabilities import number_within
from aprendiz.bayes.decision.values_of_classes import as_values, is_table
from aprendiz.core.rows import Array

TAILS = np.array([1e-16, 1.0 - 1e-16])


@dataclass(frozen=True, eq=False)
class BayesError:
    """L* and what is known of it; `float` gives the number.

    Attributes
    ----------
    error : float
    low, high : float
        The interval (2); both are `error` where nothing was drawn.
    frontiers : ndarray
        On a line, where the best decision changes.
    decisions : ndarray
        The number of the best class in each interval between them.
    draws : int
        Rows drawn, 0 on a line.
    """

    error: float
    low: float
    high: float
    frontiers: Array
    decisions: Array
    draws: int = 0

    def __float__(self) -> float:
        return self.error

    def __str__(self) -> str:
        if self.draws:
            return f"Bayes error {self.error:.4g} ({self.low:.4g} to {self.high:.4g}, {self.draws} draws)"
        places = ", ".join(f"{place:.6g}" for place in self.frontiers)
        return f"Bayes error {self.error:.6g}" + (f", frontiers at {places}" if places else "")


def bayes_error(
    model: Any,
    priors: Any = None,
    *,
    x: Any = None,
    support: Any = None,
    draws: int = 100_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> BayesError:
    """The error of the best rule.

    Parameters
    ----------
    model : sequence of densities, function, or fitted generative classifier
        A density for each class: distributions of scipy.stats or of aprendiz, of one or more dimensions, counts too, or
        functions of places on a line with their `support`. Or a function η: of an array of values, the probability of the
        second class of each, or a column for each class (`model.predict_proba`), with the distribution of `x`. Or a classifier
        that draws rows (naive Bayes, the discriminant family), taken to be the truth.
    priors : array-like of shape (n_classes,), optional
        π, by default equal. For densities.
    x : distribution, or array of values (rows) of equal probability
        For η.
    support : pair of floats, optional
        Ends of the line, needed where densities are functions.
    draws, confidence, seed
        Of the interval (2), in more than one dimension.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> print(bayes_error([norm(0, 1), norm(2, 1)]))
    Bayes error 0.158655, frontiers at 1
    """
    if isinstance(model, Sequence):
        if x is not None:
            raise ValueError("x is for a function of posteriors: with densities give priors.")
        if len(model) and all(is_discrete(one) for one in model):
            return over_values(model, priors)
        if all(on_a_line(one) for one in model):
            return exactly(JointDensities.of(model, priors, support))
        return by_draws_of_classes(model, priors, draws, confidence, seed)
    if hasattr(model, "sample") and hasattr(model, "predict_proba"):
        if priors is not None or x is not None:
            raise ValueError("A fitted model has its own priors and draws its own rows: give neither priors nor x.")
        refuse_few(draws)
        return with_interval([1.0 - model.predict_proba(model.sample(draws, seed)[0]).max(axis=1)], np.ones(1), confidence)
    if not callable(model) or x is None:
        raise TypeError(
            f"model must be densities, a generative classifier, or a function of posteriors with x, got {model!r} and x={x!r}."
        )
    if priors is not None:
        raise ValueError("priors are for densities: a function of posteriors contains them.")
    if is_table(x):
        least = 1.0 - posterior_at(model, as_values(x)).max(axis=1)
        return BayesError(*3 * (float(least.mean()),), np.array([]), np.array([], dtype=int))
    if on_a_line(x):
        return exactly(JointDensities.of_posterior(model, x, support))
    refuse_few(draws)
    least = 1.0 - posterior_at(model, draw(x, draws, seed)).max(axis=1)
    return with_interval([least], np.ones(1), confidence)


def exactly(joint: JointDensities) -> BayesError:
    """(1) from the masses between the frontiers."""
    mass = joint.masses(joint.frontiers)
    error = float(np.where(joint.decisions[:, None] == np.arange(mass.shape[1]), 0.0, mass).sum())
    return BayesError(error, error, error, joint.frontiers, joint.decisions)


def over_values(distributions: Sequence[Any], priors: Any) -> BayesError:
    """(1) as a sum of the masses of all classes but the best, over the whole numbers between tails of 10⁻¹⁶."""
    prior = priors_of(distributions, priors)
    ends = np.array([quantiles(one, TAILS) for one in distributions])
    values = np.arange(ends.min(), ends.max() + 1.0)
    mass = [np.exp(one.logpmf(values) if hasattr(one, "logpmf") else one.log_density(values)) for one in distributions]
    joint = prior[:, None] * np.stack(mass)
    error = float(np.where(joint.argmax(axis=0) == np.arange(len(joint))[:, None], 0.0, joint).sum())
    return BayesError(error, error, error, np.array([]), np.array([], dtype=int))


def by_draws_of_classes(densities: Sequence[Any], priors: Any, draws: int, confidence: float, seed: int) -> BayesError:
    """(2): as many rows of each class as its prior asks for, two at least."""
    prior, count = priors_of(densities, priors), len(densities)
    refuse_few(draws)
    logs, found = [log_density(one) for one in densities], []
    for k in np.flatnonzero(prior).tolist():
        X = draw(densities[k], max(2, round(draws * prior[k])), seed + k)
        with np.errstate(divide="ignore"):
            joint = np.stack([np.log(prior[l]) + logs[l](X) for l in range(count)])
        found.append(-np.expm1(joint.max(axis=0) - logsumexp(joint, axis=0)))
    return with_interval(found, prior[prior > 0], confidence)


def with_interval(values: list[Array], share: Array, confidence: float) -> BayesError:
    """Mean and interval (2) of 1 − max p, drawn in parts that have some share each."""
    z = float(norm.ppf(0.5 + number_within("confidence", confidence, 0.0, 1.0) / 2))
    error = float(sum(part * one.mean() for part, one in zip(share, values, strict=True)))
    spread = z * float(np.sqrt(sum(part**2 * one.var(ddof=1) / len(one) for part, one in zip(share, values, strict=True))))
    nothing = np.array([])
    return BayesError(
        error, max(error - spread, 0.0), min(error + spread, 1.0), nothing, nothing.astype(int), sum(map(len, values))
    )


# ---- distributions -------------------------------------------------------------------------------------------------------


def on_a_line(one: Any) -> bool:
    """Whether a distribution has one dimension: it has quantiles, or is a plain function."""
    return hasattr(one, "ppf") or hasattr(one, "quantile") or (callable(one) and not hasattr(one, "rvs"))


def refuse_few(draws: int) -> None:
    if not isinstance(draws, Integral) or draws < 2:
        raise ValueError(f"draws = {draws!r} gives no interval: ask for at least two, a hundred thousand is usual.")


def draw(one: Any, count: int, seed: int) -> Array:
    """Rows of a distribution of scipy.stats or of aprendiz."""
    if hasattr(one, "rvs"):
        return np.asarray(one.rvs(size=count, random_state=np.random.default_rng(seed)))
    if hasattr(one, "sample"):
        return np.asarray(one.sample(count, seed))
    raise TypeError(f"{one!r} has neither quantiles nor draws: give a distribution of scipy.stats.")
