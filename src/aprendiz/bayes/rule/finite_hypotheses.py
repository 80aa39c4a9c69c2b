"""Bayes' rule on a finite set of hypotheses: what was believed, times how well it foretold what was seen.

    P(k | x) = P(x | k)·π_k / P(x),     P(x) = Σ_l P(x | l)·π_l                                               (1)
    P(k | x₁ … x_t) ∝ P(k | x₁ … x_{t−1})·P(x_t | k),     observations independent given k                    (2)

The posterior after one observation is the prior of the next, so (2) is a running sum of logarithms: products of many small
numbers do not vanish. Prior weights need not sum to one; (1) divides by their sum.

A test is positive with probability s in the sick (sensitivity) and f in the healthy (false positives). Odds multiply:

    p_T/(1 − p_T) = π/(1 − π) · (s/f)^T              after T independent positive tests                       (3)
    T = [logit p − logit π] / log(s/f),     f = s·exp([logit π − logit p]/T),     logit p = log p/(1 − p)     (4)

Cost: O(n·K) for n observations and K hypotheses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import logit, logsumexp

from aprendiz.core.rows import Array

ROUNDING = 1e-12  # relative: a real number of tests this close to a whole one is that one


def evidence(prior: Any, likelihood: Any, *, log: bool = False) -> Any:
    """P(x) of (1), or its logarithm; the arguments are those of `posterior` (posterior.py)."""
    joint = log_joint(prior, likelihood, log)
    return answer(log_sum(joint)[..., 0], log)[()]


def update(prior: Any, likelihoods: Any, *, log: bool = False) -> Array:
    """The posterior after each of several observations, (2).

    Parameters
    ----------
    prior : array-like of shape (n_hypotheses,)
        π_k, or weights in proportion to it.
    likelihoods : array-like of shape (n_observations, n_hypotheses)
        P(x_t | k), in the order in which they come.
    log : bool, default=False
        Whether prior, likelihoods and answer are logarithms.

    Returns
    -------
    ndarray of shape (n_observations, n_hypotheses)
        Row t has the posterior after the observations 0 to t.
    """
    before, seen = log_prior(prior, log), log_weights("likelihoods", likelihoods, log)
    if before.ndim != 1 or seen.ndim != 2 or seen.shape[1] != len(before):
        raise ValueError(
            f"prior has shape {before.shape}, likelihoods {seen.shape}: give a number for each hypothesis, "
            "and a row of such numbers for each observation."
        )
    best = seen.max(axis=1, keepdims=True, initial=-np.inf)
    relative = seen - np.where(np.isneginf(best), 0.0, best)  # keeps the running sums small
    return answer(normalise(before + np.cumsum(relative, axis=0), "up to"), log)


# ---- tests for a disease ---------------------------------------------------------------------------------------------


class Needed(NamedTuple):
    """How many tests: the real number that solves (4), and the first whole one that is enough."""

    real: float
    whole: int


def tests_needed(prior: float, sensitivity: float, false_positive: float, wanted: float) -> Needed:
    """T of (4): how many positive tests raise the probability of the disease from `prior` to `wanted`.

    `real` is negative where the prior is above what is wanted, and 0 where nothing but the disease makes a test positive.
    """
    refuse_no_chance(prior=prior, wanted=wanted)
    refuse_no_rate(sensitivity=sensitivity, false_positive=false_positive)
    if sensitivity <= false_positive:
        raise ValueError(
            f"sensitivity = {sensitivity:g} is not above false_positive = {false_positive:g}: "
            "no number of positive tests raises the probability; take a better test."
        )
    distance = float(logit(wanted) - logit(prior))
    if false_positive == 0:
        return Needed(min(distance, 0.0), int(distance > 0))
    real = distance / float(np.log(sensitivity) - np.log(false_positive))
    return Needed(real, max(0, int(np.ceil(real - ROUNDING * abs(real)))))


def false_positive_rate_for(prior: float, sensitivity: float, wanted: float, *, tests: float = 1) -> float:
    """f of (4): the largest rate of false positives with which `tests` positive tests raise `prior` to `wanted`.

    1 where any rate will do, because the prior is high enough.
    """
    refuse_no_chance(prior=prior, wanted=wanted)
    refuse_no_rate(sensitivity=sensitivity)
    if sensitivity == 0:
        raise ValueError("sensitivity = 0: no sick person has a positive test; take a better test.")
    if not 0 < tests < np.inf:
        raise ValueError(f"tests = {tests!r} must be a number above 0: 1 is one positive test.")
    return float(min(1.0, sensitivity * np.exp((logit(prior) - logit(wanted)) / tests)))


def refuse_no_chance(**chances: float) -> None:
    """Odds are numbers only strictly between 0 and 1."""
    for name, value in chances.items():
        if not 0 < value < 1:
            raise ValueError(f"{name} = {value!r} must lie strictly between 0 and 1: tests change nothing that is certain.")


def refuse_no_rate(**rates: float) -> None:
    for name, value in rates.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name} = {value!r} is not a probability: give a number from 0 to 1.")


# ---- logarithms ------------------------------------------------------------------------------------------------------


def log_weights(name: str, values: Any, log: bool) -> Array:
    """Weights of hypotheses (the last axis) as logarithms, −∞ for 0."""
    weights = np.asarray(values, dtype=np.float64)
    if not weights.ndim or not weights.shape[-1]:
        raise ValueError(f"{name} has shape {weights.shape}: give one number for each hypothesis.")
    bad = np.isnan(weights) | np.isposinf(weights) | ((weights < 0) & (not log))
    if bad.any():
        where = tuple(map(int, np.argwhere(bad)[0]))
        kind = "logarithms are numbers or −∞" if log else "weights are finite numbers of at least 0"
        raise ValueError(f"{name} holds {weights[where]:g} for {place(where)}: {kind}.")
    with np.errstate(divide="ignore"):
        return weights if log else np.log(weights)


def log_prior(prior: Any, log: bool) -> Array:
    """log π_k of weights."""
    weights = log_weights("prior", prior, log)
    total = log_sum(weights)
    if np.isneginf(total).any():
        raise ValueError("prior gives every hypothesis the weight 0: give at least one of them some.")
    return np.asarray(weights - total)


def log_joint(prior: Any, likelihood: Any, log: bool) -> Array:
    """log π_k + log P(x | k)."""
    before, seen = log_prior(prior, log), log_weights("likelihood", likelihood, log)
    rows = before.shape[:-1] == seen.shape[:-1] or before.ndim == 1 or seen.ndim == 1
    if before.shape[-1] != seen.shape[-1] or not rows:
        raise ValueError(
            f"prior has shape {before.shape}, likelihood {seen.shape}: the last axis is that of the hypotheses, "
            "and the others must agree where both have them."
        )
    return np.asarray(before + seen)


def normalise(joint: Array, which: str) -> Array:
    """The logarithms less that of their sum; a row that is impossible under every hypothesis has no posterior."""
    total = log_sum(joint)
    impossible = np.isneginf(total[..., 0])
    if impossible.any():
        where = tuple(map(int, np.argwhere(impossible)[0]))
        row = f" {which} row {', '.join(map(str, where))}" if where else ""
        raise ValueError(
            f"What was seen{row} has probability 0 under every hypothesis that has a prior: "
            "add a hypothesis that allows it, or give the likelihood 0 to none."
        )
    return np.asarray(joint - total)


def log_sum(logs: Array) -> Array:
    """log Σ exp over the hypotheses; −∞ where all are −∞."""
    return np.asarray(logsumexp(logs, axis=-1, keepdims=True))


def answer(logs: Array, log: bool) -> Array:
    """Logarithms if asked, else what they stand for."""
    return logs if log else np.exp(logs)


def place(where: tuple[int, ...]) -> str:
    """The hypothesis, and the row if there are rows."""
    rows = ", ".join(map(str, where[:-1]))
    return f"hypothesis {where[-1]}" + (f" in row {rows}" if rows else "")
