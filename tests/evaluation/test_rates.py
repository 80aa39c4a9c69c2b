"""Intervals and tests keep their promises: how often they are wrong, counted out where that is possible, else on drawn tables
within binomial limits that a right method leaves once in ten thousand. docs/methods/how_sure_are_we.md has many more."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from aprendiz import LinearRegression, evaluate
from aprendiz.evaluation import Bootstrap, KFolds, Repeated, compare
from aprendiz.evaluation.significance.mcnemar import mcnemar
from aprendiz.evaluation.significance.sign_test import sign_test
from aprendiz.evaluation.significance.signed_rank import signed_rank
from aprendiz.evaluation.significance.two_proportions import two_proportions

RARE = 1e-4
SLOPES = np.array([1.0, 0.5, 0.0])


def at_most(rate, n):
    """The largest count of n that a rate can be held to have."""
    return stats.binom.ppf(1 - RARE, n, rate)


def at_least(rate, n):
    return stats.binom.ppf(RARE, n, rate)


# ---- counted out -------------------------------------------------------------------------------------------------------


def wrong_shares(variant, most):
    """How often equal rules are told apart that disagree on 1, 2, … rows."""
    for n in range(1, most + 1):
        wrong = [b for b in range(n + 1) if mcnemar(b, n - b, variant=variant).p_value <= 0.05]
        yield stats.binom.pmf(wrong, n, 0.5).sum()


@pytest.mark.parametrize("variant", ["exact", "corrected"])
def test_mcnemar(variant):
    """Whatever the number of disagreements, in at most 5 %; and not by never saying anything."""
    rates = [*wrong_shares(variant, 100)]
    assert max(rates) <= 0.05
    assert rates[-1] > 0.025


def test_mcnemar_mid_p():
    """Of 100 rows, with as many disagreements as there happen to be: close to 5 %, closer than the exact test."""
    exact, mid = (stats.binom.pmf(np.arange(1, 101), 100, 0.3) @ [*wrong_shares(v, 100)] for v in ("exact", "mid-p"))
    assert exact < 0.04 < mid <= 0.055


@pytest.mark.parametrize("test", [signed_rank, sign_test])
def test_signs(test):
    """If a difference is as likely as its negative, all signs of eight sizes are equally likely: at most 5 % are told."""
    sizes = np.arange(1.0, 9.0)
    wrong = sum(test(sizes * signs).p_value <= 0.05 for signs in product([-1.0, 1.0], repeat=8))
    assert 0 < wrong <= 0.05 * 2**8


@pytest.mark.parametrize("pooled", [False, True])
def test_two_proportions(pooled):
    """Errors of 0.3 on two samples of 60 rows: about 5 %, as far as a normal approximation goes."""
    n = 60
    chance = stats.binom.pmf(np.arange(n + 1), n, 0.3)
    rate = sum(
        chance[a] * chance[b]
        for a, b in product(range(5, 35), repeat=2)
        if two_proportions((a, b), (n, n), pooled=pooled).p_value < 0.05
    )
    assert 0.04 < rate < 0.07


# ---- drawn tables ------------------------------------------------------------------------------------------------------


def hits_of_nearest_mean(X, y, teach):
    """The share of the other rows that lie nearer to the mean of their class."""
    means = [X[teach & (y == label)].mean(axis=0) for label in (0, 1)]
    near, far = (((X[~teach] - mean) ** 2).sum(axis=1) for mean in means)
    return np.mean((far < near) == y[~teach])


@pytest.fixture(scope="module")
def equal_learners():
    """Accuracies of two learners on five times two halves. Each has columns of its own, which have the same distribution given
    the class: neither is better."""
    pairs = []
    for seed in range(300):
        random = np.random.default_rng(seed)
        y = np.arange(100) % 2
        X = random.normal(size=(100, 6)) + 0.7 * y[:, None]
        first = [np.isin(np.arange(100), random.permutation(100)[:50]) for _ in range(5)]
        halves = [rows for half in first for rows in (half, ~half)]
        sides = {"a": X[:, :3], "b": X[:, 3:]}
        pairs.append({name: [hits_of_nearest_mean(side, y, rows) for rows in halves] for name, side in sides.items()})
    return pairs


HALVES = {"n_test": 50, "n_train": 50}


@pytest.mark.parametrize("test", ["corrected_t", "5x2cv_t", "5x2cv_f"])
def test_five_times_two_folds(test, equal_learners):
    """Tests that know that folds share training rows; Dietterich's and Alpaydın's are approximate."""
    wrong = sum(compare(pair, test=test, **HALVES).significant for pair in equal_learners)
    assert wrong <= at_most(0.05 if test == "corrected_t" else 0.07, len(equal_learners))


def test_a_plain_t_of_folds_finds_too_much(equal_learners):
    """Four times as often as it says, at least: the reason for the others."""
    wrong = sum(compare(pair, test="paired_t", **HALVES).significant for pair in equal_learners)
    assert wrong >= at_least(0.3, len(equal_learners)) > at_most(0.05, len(equal_learners))


@pytest.fixture(scope="module")
def regressions():
    """Tables, and the mean absolute error of the model of all rows, √(2·MSE/π) of its normal errors."""
    found = []
    for seed in range(80):
        random = np.random.default_rng(seed)
        X = random.normal(size=(80, 3))
        y = X @ SLOPES + random.normal(size=80)
        model = LinearRegression().fit(X, y)
        mse = 1 + ((model.coef_ - SLOPES) ** 2).sum() + model.intercept_**2
        found.append((X, y, np.sqrt(2 * mse / np.pi)))
    return found


def covered(tables, protocol):
    """How many intervals hold the truth."""
    scores = [evaluate(LinearRegression(), X, y, protocol=protocol, metrics="mae").score() for X, y, _ in tables]
    return sum(score.low <= truth <= score.high for score, (_, _, truth) in zip(scores, tables, strict=True))


@pytest.mark.parametrize("protocol", [KFolds(10), Repeated(2, 2)], ids=str)
def test_intervals_of_folds(protocol, regressions):
    assert covered(regressions, protocol) >= at_least(0.95, len(regressions))


@pytest.mark.parametrize("estimate", ["loo", ".632+"])
def test_intervals_of_replicates(estimate, regressions):
    """A normal interval from 80 rows: about 93 %."""
    some = regressions[:40]
    assert covered(some, Bootstrap(15, estimate)) >= at_least(0.93, len(some))


def test_rows_tested_again(regressions):
    """Five times two folds test every row five times; all test rows together are no more rows for that."""
    judged = [evaluate(LinearRegression(), X, y, protocol=Repeated(2, 5), metrics="mae") for X, y, _ in regressions[:40]]
    scores = [one.pooled_score() for one in judged]
    held = sum(score.low <= truth <= score.high for score, (_, _, truth) in zip(scores, regressions, strict=False))
    assert held >= at_least(0.93, 40)
    once = replace(judged[0], folds=judged[0].folds[:2]).pooled_score()
    assert scores[0].high - scores[0].low == pytest.approx(once.high - once.low, rel=0.1)
