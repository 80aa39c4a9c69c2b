"""The worked examples of the course about decisions and their least error; numbers as the course prints them."""

import numpy as np
import pytest
from scipy import integrate
from scipy.special import expit
from scipy.stats import multivariate_normal, norm, uniform

from aprendiz import BayesDecisionClassifier, DecisionRule, LogisticRegression, bayes_error, knn_error, neighbour_bounds

SCREENING = [[0, 1], [10, 0]]  # rows: healthy, cancer
CLASSES = multivariate_normal([0, 0], [[2, 0], [0, 1]]), multivariate_normal([0, 1], [[1, 0], [0, 1]])


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


def eta(x, c=1.0):
    """The posterior of D-01."""
    return x / (x + c)


def test_a_04_a_missed_cancer_costs_ten():
    """The second class from p(cancer | x) ≥ 1/11, the first from p(healthy | x) ≥ 10/11."""
    rule = DecisionRule(SCREENING)
    assert rule.threshold == pytest.approx(1 / 11, rel=1e-15)
    assert DecisionRule(np.flip(SCREENING)).threshold == pytest.approx(10 / 11, rel=1e-15)
    for step in (1e-9, 0.05):
        assert rule.decide([[10 / 11 - step, 1 / 11 + step], [10 / 11 + step, 1 / 11 - step]]).tolist() == [1, 0]


def test_a_05_ninety_per_cent_sure():
    """p(C1 | x) = σ(wx): rejected where |wx| < ln 9 = 2.197225."""
    limit = np.log(9.0)
    assert limit == printed(2.197225, 6)
    t = np.array([-limit - 1e-6, -limit + 1e-6, 0.0, limit - 1e-6, limit + 1e-6])
    P = np.column_stack([expit(-t), expit(t)])
    assert DecisionRule(reject_below=0.9).decide(P).tolist() == [0, -1, -1, -1, 1]
    assert DecisionRule(reject_cost=0.1).decide(P).tolist() == [0, -1, -1, -1, 1]


def test_a_32_limits_of_the_reject_rule():
    """θ ≤ 1/K rejects nobody, θ = 1 all with max p < 1; the frontier of σ(wx) is x = 0; the ML prior is N₁/N."""
    P = np.array([[1 / 3, 1 / 3, 1 / 3], [0.5, 0.3, 0.2], [1.0, 0.0, 0.0], [0.999, 0.001, 0.0]])
    assert DecisionRule(reject_below=1 / 3).decide(P).tolist() == [0, 0, 0, 0]
    assert DecisionRule(reject_below=1.0).decide(P).tolist() == [-1, -1, 0, -1]
    x = np.array([-3.0, -1e-12, 1e-12, 2.0])
    assert DecisionRule().decide(np.column_stack([expit(-5 * x), expit(5 * x)])).tolist() == [0, 0, 1, 1]
    model = BayesDecisionClassifier(LogisticRegression()).fit([[0.0], [1.0], [2.0], [3.0], [4.0]], [1, 0, 0, 1, 0])
    assert model.prior_.tolist() == [3 / 5, 2 / 5]


@pytest.mark.parametrize("c", [0.5, 1.0, 7.0])
def test_d_01_bayes_error_of_a_known_posterior(c):
    """η(x) = x/(x + c): ½ where X = c, and (1 + ln 1.25)/4 = 0.305786 where X is uniform on [0, 4c]."""
    assert bayes_error(lambda x: eta(x, c), x=[c]).error == 0.5
    found = bayes_error(lambda x: eta(x, c), x=uniform(0, 4 * c))
    assert found.error == printed(0.305786, 6)
    assert found.error == pytest.approx((1 + np.log(1.25)) / 4, rel=1e-12)
    assert found.frontiers == pytest.approx([c], rel=1e-12)


def test_d_02_the_frontier_is_a_parabola():
    """y = x²/4 + (1 − ln 2)/2 = x²/4 + 0.153426, the first class below."""
    assert (1 - np.log(2)) / 2 == printed(0.153426, 6)
    for x in np.linspace(-4, 4, 17):
        given_x = [norm(0, 1), norm(1, 1)]
        weight = np.array([norm.pdf(x, 0, np.sqrt(2)), norm.pdf(x)])
        found = bayes_error(given_x, weight / weight.sum())
        assert found.frontiers == pytest.approx([x**2 / 4 + (1 - np.log(2)) / 2], rel=1e-9)
        assert found.decisions.tolist() == [0, 1]
        joint = [one.logpdf([x, found.frontiers[0]]) for one in CLASSES]
        assert joint[0] == pytest.approx(joint[1], abs=1e-9)


def test_d_02_its_error():
    """0.291252: the errors along y, weighted by the density of x; the interval of draws in the plane holds it."""

    def along(x):
        weight = np.array([norm.pdf(x, 0, np.sqrt(2)), norm.pdf(x)]) / 2
        return weight.sum() * bayes_error([norm(0, 1), norm(1, 1)], weight / weight.sum()).error

    nodes, width = np.polynomial.legendre.leggauss(40)
    error = 2 * sum(w * 5 * along(5 * (1 + z)) for z, w in zip(nodes, width, strict=True))  # x from 0 to 10, twice
    assert error == printed(0.291252, 6)
    drawn = bayes_error(CLASSES, draws=200_000)
    assert drawn.low < error < drawn.high
    assert drawn.high - drawn.low < 0.002


def test_d_05_and_d_11_the_chain():
    """X uniform on [0, 4c]: L* ≤ L_5NN ≤ L_3NN ≤ L_NN ≤ 2L*(1 − L*), with L_NN = ½(ln 5 − 0.8)."""
    x = uniform(0, 4)
    best = bayes_error(eta, x=x).error
    chain = [best, *(knn_error(eta, k, x=x) for k in (5, 3, 1)), neighbour_bounds(best)[1]]
    assert chain == [printed(value, 6) for value in (0.305786, 0.355618, 0.373026, 0.404719, 0.424562)]
    assert chain == sorted(chain)
    assert chain[3] == pytest.approx((np.log(5) - 0.8) / 2, rel=1e-12)
    direct, _ = integrate.quad(lambda v: 2 * eta(v) * (1 - eta(v)) / 4, 0, 4)
    assert chain[3] == pytest.approx(direct, rel=1e-9)
    assert chain[4] == pytest.approx(2 * best * (1 - best))
