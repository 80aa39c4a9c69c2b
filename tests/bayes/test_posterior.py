"""Bayes' rule: against fractions, at the ends of the number range, one observation after another, and solved backwards."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import aprendiz
from aprendiz.bayes import posterior, rule

RNG = np.random.default_rng(6)
PRIOR = RNG.dirichlet(np.ones(4))
LIKELIHOOD = RNG.uniform(size=(50, 4))


def exact(prior, likelihood):
    """The posterior in rational numbers."""
    joint = [Fraction(float(p)) * Fraction(float(q)) for p, q in zip(prior, likelihood, strict=True)]
    return [float(value / sum(joint)) for value in joint]


def test_reached_by_name_and_by_topic():
    """`aprendiz.posterior`, `aprendiz.bayes.posterior` and `aprendiz.bayes.rule.posterior` are one function."""
    assert aprendiz.posterior is aprendiz.bayes.posterior is aprendiz.bayes.rule.posterior


def test_same_as_fractions():
    """Each row is an observation of its own."""
    wanted = [exact(PRIOR, row) for row in LIKELIHOOD]
    np.testing.assert_allclose(posterior(PRIOR, LIKELIHOOD), wanted, rtol=1e-14)
    np.testing.assert_allclose(posterior(PRIOR, LIKELIHOOD[0]), wanted[0], rtol=1e-14)
    np.testing.assert_allclose(rule.evidence(PRIOR, LIKELIHOOD), LIKELIHOOD @ PRIOR, rtol=1e-14)
    assert np.ndim(rule.evidence(PRIOR, LIKELIHOOD[0])) == 0


def test_a_prior_for_each_row():
    """Rows of priors go with rows of likelihoods, or with a single one."""
    priors = RNG.uniform(size=(50, 4))
    np.testing.assert_allclose(
        posterior(priors, LIKELIHOOD), [exact(p, q) for p, q in zip(priors, LIKELIHOOD, strict=True)], rtol=1e-13
    )
    np.testing.assert_allclose(posterior(priors, LIKELIHOOD[0]), [exact(p, LIKELIHOOD[0]) for p in priors], rtol=1e-13)


def test_what_does_not_matter():
    """Weights in proportion, a factor of the likelihood, and an observation that all hypotheses foretell alike."""
    wanted = posterior(PRIOR, LIKELIHOOD)
    np.testing.assert_allclose(posterior(1e200 * PRIOR, LIKELIHOOD), wanted, rtol=1e-12)
    np.testing.assert_allclose(posterior(PRIOR, 1e-300 * LIKELIHOOD), wanted, rtol=1e-12)
    np.testing.assert_allclose(posterior(PRIOR, np.full(4, 0.3)), PRIOR, rtol=1e-14)
    np.testing.assert_allclose(rule.evidence(7 * PRIOR, LIKELIHOOD), rule.evidence(PRIOR, LIKELIHOOD), rtol=1e-14)


def test_zeros():
    """What is impossible before or under the observation is impossible after it, without a warning."""
    np.testing.assert_array_equal(posterior([0.0, 0.5, 0.5], [1.0, 0.0, 0.2]), [0, 0, 1])
    assert rule.evidence([0.5, 0.5], [0.0, 0.0]) == 0


def test_logarithms():
    """Likelihoods far below the smallest double; the answer is a logarithm too."""
    logs = np.array([-1e5, -1e5 - math.log(3), -np.inf])
    np.testing.assert_allclose(np.exp(posterior(np.zeros(3), logs, log=True)), [0.75, 0.25, 0], rtol=1e-9)
    assert rule.evidence(np.log([0.5, 0.5]), [-1e5, -1e5], log=True) == pytest.approx(-1e5, rel=1e-14)
    np.testing.assert_allclose(
        posterior(np.log(PRIOR), np.log(LIKELIHOOD), log=True), np.log(posterior(PRIOR, LIKELIHOOD)), rtol=1e-12, atol=1e-13
    )


# ---- one after another -----------------------------------------------------------------------------------------------


def test_the_posterior_is_the_next_prior():
    """Row t is the rule applied to row t − 1; the last row needs no order."""
    found = rule.update(PRIOR, LIKELIHOOD)
    before = PRIOR
    for row, likelihood in zip(found, LIKELIHOOD, strict=True):
        before = posterior(before, likelihood)
        np.testing.assert_allclose(row, before, rtol=1e-11)
    np.testing.assert_allclose(rule.update(PRIOR, LIKELIHOOD[::-1])[-1], found[-1], rtol=1e-11)
    np.testing.assert_allclose(rule.update(np.log(PRIOR), np.log(LIKELIHOOD), log=True), np.log(found), rtol=1e-10, atol=1e-12)


def test_many_observations():
    """10 000 observations of probability 10⁻¹⁰⁰ and half of it: every product would vanish."""
    likelihoods = np.tile([1e-100, 1e-100], (10_000, 1))
    likelihoods[:20, 1] /= 2
    found = rule.update([1, 1], likelihoods)
    np.testing.assert_allclose(found[19:, 1], 1 / (1 + 2.0**20), rtol=1e-9)
    assert rule.update([1, 1], np.empty((0, 2))).shape == (0, 2)


def test_a_hypothesis_that_was_refuted_stays_so():
    found = rule.update([1, 1, 1], [[0.0, 0.5, 0.5], [1.0, 0.5, 0.0], [1.0, 0.1, 1.0]])
    np.testing.assert_array_equal(found[1:], [[0, 1, 0], [0, 1, 0]])


# ---- tests for a disease ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prior", "sensitivity", "false_positive", "wanted"),
    list(product([1e-6, 0.01, 0.4], [0.3, 0.9, 1.0], [1e-4, 0.05, 0.29], [0.5, 0.9, 0.999999])),
)
def test_as_many_tests_as_are_needed(prior, sensitivity, false_positive, wanted):
    """The whole number is enough and one less is not; the real number reaches what is wanted exactly."""
    needed = rule.tests_needed(prior, sensitivity, false_positive, wanted)
    after = rule.update([prior, 1 - prior], [[sensitivity, false_positive]] * (needed.whole + 1))[:, 0]
    assert after[needed.whole - 1] >= wanted * (1 - 1e-12)
    assert (prior if needed.whole == 1 else after[needed.whole - 2]) < wanted
    odds = prior / (1 - prior) * (sensitivity / false_positive) ** needed.real
    assert odds / (1 + odds) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_whole_answers_are_not_rounded_up(count):
    """With odds of 4 for each test, 4^T/(1 + 4^T) needs T tests, whatever the last bit of a logarithm says."""
    needed = rule.tests_needed(0.5, 0.8, 0.2, 4.0**count / (1 + 4.0**count))
    assert needed.real == pytest.approx(count, rel=1e-11)
    assert needed.whole == count


def test_no_test_is_needed():
    """The prior is high enough; or one test is proof."""
    assert rule.tests_needed(0.9, 0.9, 0.1, 0.8).whole == 0
    assert rule.tests_needed(0.9, 0.9, 0.1, 0.8).real < 0
    assert rule.tests_needed(0.1, 0.9, 0.0, 0.8) == (0.0, 1)
    assert rule.tests_needed(0.9, 0.9, 0.0, 0.8).whole == 0


@pytest.mark.parametrize("tests", [1, 2, 7])
def test_the_rate_solves_the_same_equation(tests):
    """With that rate of false positives, exactly so many tests are needed."""
    rate = rule.false_positive_rate_for(0.01, 0.9, 0.95, tests=tests)
    assert rule.tests_needed(0.01, 0.9, rate, 0.95).real == pytest.approx(tests, rel=1e-12)
    after = rule.update([0.01, 0.99], [[0.9, rate]] * tests)[-1, 0]
    assert after == pytest.approx(0.95, rel=1e-12)
    assert rule.false_positive_rate_for(0.99, 0.9, 0.5, tests=tests) <= 1


def test_any_rate_will_do():
    assert rule.false_positive_rate_for(0.99, 0.9, 0.5) == 1


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: posterior(0.5, [0.1, 0.2]), r"prior has shape \(\): give one number for each hypothesis"),
        (lambda: posterior([0.5, 0.5], []), r"likelihood has shape \(0,\)"),
        (lambda: posterior([0.5, -0.5], [0.1, 0.2]), "prior holds -0.5 for hypothesis 1: weights are finite numbers"),
        (lambda: posterior([1, 1], [[1, 1], [np.nan, 1]]), "likelihood holds nan for hypothesis 0 in row 1"),
        (lambda: posterior([0.0, 0.0], [np.inf, 1.0], log=True), "likelihood holds inf for hypothesis 0: logarithms"),
        (lambda: posterior([0, 0], [1, 1]), "prior gives every hypothesis the weight 0"),
        (lambda: posterior([1, 1], [1, 1, 1]), r"prior has shape \(2,\), likelihood \(3,\)"),
        (lambda: posterior(np.ones((3, 2)), np.ones((4, 2))), r"prior has shape \(3, 2\), likelihood \(4, 2\)"),
        (lambda: posterior([1, 1], [0, 0]), "What was seen has probability 0 under every hypothesis"),
        (lambda: posterior([1, 1], [[1, 1], [0, 0]]), "What was seen in row 1 has probability 0"),
        (lambda: rule.update([1, 1], [[1, 0], [1, 1], [0, 1]]), "What was seen up to row 2 has probability 0"),
        (lambda: rule.update([1, 1], [1, 1]), "a row of such numbers for each observation"),
        (lambda: rule.tests_needed(0, 0.9, 0.1, 0.9), "prior = 0 must lie strictly between 0 and 1"),
        (lambda: rule.tests_needed(0.1, 0.9, 0.1, 1), "wanted = 1 must lie strictly between 0 and 1"),
        (lambda: rule.tests_needed(0.1, 1.2, 0.1, 0.5), "sensitivity = 1.2 is not a probability"),
        (lambda: rule.tests_needed(0.1, 0.3, 0.3, 0.5), "sensitivity = 0.3 is not above false_positive = 0.3"),
        (lambda: rule.false_positive_rate_for(0.1, 0, 0.5), "sensitivity = 0: no sick person"),
        (lambda: rule.false_positive_rate_for(0.1, 0.9, 0.5, tests=0), "tests = 0 must be a number above 0"),
    ],
)
def test_bad_input(call, words):
    """The refusal names the argument, the hypothesis and the row."""
    with pytest.raises(ValueError, match=words):
        call()
